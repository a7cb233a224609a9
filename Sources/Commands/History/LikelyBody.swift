import ASCII
import Redaction
import RequestBuilding
import SourceText

/// What looks like a secret in a body or a URL, so that it stays out of the history though nobody declared it.
enum LikelyBody {
    typealias Item = (name: String, value: String)

    /// The values in a text that look like secrets: of JSON, a form, or any other text.
    static func secrets(in text: String) -> [Item] {
        if let json = OrderedJSON(text: text) { return secrets(in: json) }
        let items = text.split(separator: "&").compactMap { item -> Item? in
            let sides = item.split(separator: "=", maxSplits: 1).map { PercentEncoding.decoded($0) }
            return sides.count == 2 && LikelySecret.isName(sides[0]) ? (sides[0], sides[1]) : nil
        }
        return items + tokens(in: text)
    }

    static func secrets(in value: OrderedJSON) -> [Item] {
        switch value {
        case .string(let text): tokens(in: text)
        case .array(let elements): elements.flatMap { secrets(in: $0) }
        case .object(let members):
            members.flatMap { member in
                secrets(in: member.value)
                    + (LikelySecret.isName(member.name) ? [(member.name, member.value.plainText)] : [])
            }
        case .null, .bool, .number: []
        }
    }

    private static func tokens(in text: String) -> [Item] {
        LikelySecret.tokens(in: text).map { ("token", String($0)) }
    }

    /// A body in which the values that look like secrets are masked; nil if that can't be done.
    static func masked(_ bytes: [UInt8]) -> [UInt8]? {
        let document = JSONDocument.read(SourceFile(name: "body", bytes: bytes))
        if document.problems.isEmpty, let root = document.root { return masked(bytes, root) }
        guard let text = String(validating: bytes, as: UTF8.self) else { return bytes }
        if text.contains(privateKey) { return nil }
        let secrets = secrets(in: text).map { Redactor.Secret(label: $0.name, value: $0.value) }
        return secrets.isEmpty ? bytes : Redactor(secrets).redact(bytes)
    }

    private static let privateKey = "PRIVATE KEY-----"

    /// JSON keeps being JSON: only whole strings and numbers are replaced.
    private static func masked(_ bytes: [UInt8], _ root: JSONValue) -> [UInt8] {
        var places: [(range: Range<Int>, mask: String)] = []
        func visit(_ value: JSONValue, _ name: String?) {
            switch value.kind {
            case .object: for member in value.members { visit(member.value, member.name) }
            case .array: for element in value.elements { visit(element, name) }
            case .string, .number:
                if let name, LikelySecret.isName(name) {
                    places.append((value.range, name))
                } else if let text = value.string, LikelySecret.isIn(text) {
                    places.append((value.range, name ?? "token"))
                }
            default: break
            }
        }
        visit(root, nil)
        var result: [UInt8] = []
        var done = 0
        for (range, name) in places {
            result += bytes[done..<range.lowerBound] + Array(JSONStringText.quoted("<\(name)>").utf8)
            done = range.upperBound
        }
        return result + bytes[done...]
    }

    /// A URL, or the target of a request, with the values of the query masked that look like secrets.
    static func masked(url: String) -> String {
        guard let mark = url.firstIndex(of: "?") else { return url }
        let items = url[url.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false).map { item in
            let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, LikelySecret.isName(PercentEncoding.decoded(sides[0])) else { return String(item) }
            return "\(sides[0])=<\(sides[0])>"
        }
        return "\(url[...mark])\(items.joined(separator: "&"))"
    }
}
