import ReqcliBasics
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// Finds values that look like secrets in a body, a URL or a header, so that these values stay out of the history even if no file
/// declares them as secrets.
enum SecretScan {
    typealias Item = (name: String, value: String)

    /// The values in a string that look like secrets. The string may be JSON, a form, or any other text.
    static func secrets(in text: String) -> [Item] {
        OrderedJSON(text: text).map { secrets(in: $0) } ?? items(in: text) + tokens(in: text)
    }

    static func secrets(in value: OrderedJSON) -> [Item] {
        switch value {
        case .string(let text): tokens(in: text)
        case .array(let elements): elements.flatMap { secrets(in: $0) }
        case .object(let members):
            members.flatMap { member in
                secrets(in: member.value)
                    + (LikelySecret.isSecret(member.name, member.value.plainText)
                        ? [(member.name, member.value.plainText)] : [])
            }
        case .null, .bool, .number: []
        }
    }

    /// The items `name=value`, as in forms and queries, whose names look like names of secrets.
    private static func items(in text: String) -> [Item] {
        guard text.utf8.contains(UInt8(ascii: "=")) else { return [] }
        return text.split { "&?#;".contains($0) || $0.isWhitespace || "\"'<>".contains($0) }.compactMap { item in
            let sides = item.split(separator: "=", maxSplits: 1).map { PercentEncoding.decoded($0) }
            return sides.count == 2 && LikelySecret.isSecret(sides[0], sides[1]) ? (sides[0], sides[1]) : nil
        }
    }

    private static func tokens(in text: String) -> [Item] {
        LikelySecret.tokens(in: text).map { ("token", String($0)) }
    }

    // MARK: Masking

    /// A URL, a request's target or a header's value, in which everything that looks like a secret is masked.
    static func masked(_ text: String) -> String {
        let secrets = items(in: text) + tokens(in: text)
        return secrets.isEmpty ? text : redactor(secrets).redact(text)
    }

    private static func redactor(_ secrets: [Item]) -> Redactor {
        Redactor(secrets.map { Redactor.Secret(label: $0.name, value: $0.value) })
    }

    /// A body in which everything that looks like a secret is masked; nil if masking is impossible.
    static func masked(_ bytes: [UInt8]) -> [UInt8]? {
        if let root = JSONDocument.read(SourceFile(name: "body", bytes: bytes)).validRoot {
            var masks: [Mask] = []
            addPlaces(in: root, named: nil, to: &masks)
            return masks.isEmpty ? bytes : replacing(masks, in: bytes)
        }
        // A body that was cut may end in the middle of a character.
        guard !bytes.contains(0) else { return bytes }
        let text = String(decoding: bytes, as: UTF8.self)
        if text.contains("PRIVATE KEY-----") { return nil }
        let secrets = items(in: text) + tokens(in: text)
        return redactor(secrets).redact(replacing(placesOfMembers(in: bytes), in: bytes))
    }

    private typealias Mask = (range: Range<Int>, name: String)

    /// Replaces only whole strings and numbers, so that JSON stays valid.
    private static func replacing(_ masks: [Mask], in bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var done = 0
        for (range, name) in masks {
            result += bytes[done..<range.lowerBound] + Array(JSONStringText.quoted("<\(name)>").utf8)
            done = range.upperBound
        }
        return result + bytes[done...]
    }

    private static func addPlaces(in value: JSONValue, named name: String?, to masks: inout [Mask]) {
        switch value.kind {
        case .object: for member in value.members { addPlaces(in: member.value, named: member.name, to: &masks) }
        case .array: for element in value.elements { addPlaces(in: element, named: name, to: &masks) }
        case .string, .number:
            if let name, LikelySecret.isSecret(name, value.string ?? value.text) {
                masks.append((value.range, name))
            } else if let text = value.string, LikelySecret.isIn(text) {
                masks.append((value.range, name ?? "token"))
            }
        default: break
        }
    }

    /// The places of members with secret names. The text need not be one JSON document: it may be events, lines of JSON, or JSON
    /// that is cut.
    private static func placesOfMembers(in bytes: [UInt8]) -> [Mask] {
        var masks: [Mask] = []
        var index = 0
        while let start = bytes[index...].firstIndex(of: .quote) {
            guard let end = endOfString(at: start, in: bytes) else {
                index = start + 1
                continue
            }
            index = end
            var next = bytes[end...].drop(while: \.isJSONWhitespace)
            guard next.popFirst() == .colon else { continue }
            next = next.drop(while: \.isJSONWhitespace)
            let name = String(decoding: bytes[(start + 1)..<(end - 1)], as: UTF8.self)
            guard LikelySecret.isName(name), let first = next.first else { continue }
            let value =
                first == .quote
                ? endOfString(at: next.startIndex, in: bytes) ?? bytes.endIndex
                : next.firstIndex { !($0.isAlphanumeric || "+-.".utf8.contains($0)) } ?? bytes.endIndex
            if value > next.startIndex { masks.append((next.startIndex..<value, name)) }
            index = value
        }
        return masks
    }

    /// The index after the quote that ends a string; nil if the line ends first.
    private static func endOfString(at start: Int, in bytes: [UInt8]) -> Int? {
        var index = start + 1
        while index < bytes.endIndex, bytes[index] != .lineFeed {
            if bytes[index] == .quote { return index + 1 }
            index += bytes[index] == .backslash ? 2 : 1
        }
        return nil
    }
}
