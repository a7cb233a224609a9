import Definitions
import Foundation
import Importing
import RequestBuilding
import SourceText

/// Finds the parts in which a request differs from the one that a source states.
struct RequestComparison {
    private(set) var differences: [String] = []
    private let isExact: Bool

    init(_ stated: StatedRequest, _ made: PreparedRequest, isExact: Bool) {
        self.isExact = isExact
        if stated.method != made.method.token { differences.append("method \(made.method.token)") }
        if !Self.isSame(url: stated.url, made.url.absoluteString) { differences.append("URL") }
        compareHeaders(stated, made)
        if let body = stated.body, let sent = Self.bytes(of: made), !isSame(body: body, sent) {
            differences.append("body")
        }
        if let parts = stated.parts, !Self.areSame(parts, made) { differences.append("body") }
    }

    // MARK: URL and headers

    /// Whether two URLs are the same on the wire, but for escapes that mean the same.
    private static func isSame(url stated: String, _ made: String) -> Bool {
        func plain(_ url: String) -> String {
            // Without a path the root is asked for.
            let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
            let end = url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex
            let path = url[end...].hasPrefix("/") ? String(url[end...]) : "/" + url[end...]
            return PercentEncoding.decoded((url[..<end].lowercased() + path)[...])
        }
        return StatedText(plain(stated)).matches(plain(made))
    }

    private mutating func compareHeaders(_ stated: StatedRequest, _ made: PreparedRequest) {
        let values = Self.grouped(stated.headers.map { ($0.name, $0.value) })
        let sent = Self.grouped(made.headers.map { ($0.name, $0.value) })
        for name in values.keys.sorted() {
            let (own, other) = (values[name] ?? [], sent[name] ?? [])
            // Every sender says so where nothing else does.
            if name == "accept", other.isEmpty, own == ["*/*"] { continue }
            let isSame =
                own.count == other.count && zip(own, other).allSatisfy { Self.isSame(header: name, $0, $1) }
            if !isSame { differences.append("header \(name)") }
        }
        let known = stated.openHeaders.union(values.keys).union(["user-agent", "accept"])
        for field in made.headers where !known.contains(field.name.lowercased()) {
            differences.append("header \(field.name), which the source doesn't send")
        }
    }

    /// The values of headers by their names in lower case.
    private static func grouped(_ headers: [(name: String, value: String)]) -> [String: [String]] {
        var values: [String: [String]] = [:]
        for (name, value) in headers { values[name.lowercased(), default: []].append(value) }
        return values
    }

    private static func isSame(header name: String, _ stated: String, _ made: String) -> Bool {
        func plain(_ value: String) -> String {
            // The charset is that of every text here.
            if name == "content-type" { return value.lowercased().replacing("; charset=utf-8", with: "") }
            guard name == "authorization", value.hasPrefix("Basic "),
                let data = Data(base64Encoded: String(value.dropFirst(6)))
            else { return value }
            return "Basic \(String(decoding: data, as: UTF8.self))"
        }
        return StatedText(plain(stated)).matches(plain(made))
    }

    // MARK: Body

    /// Whether two bodies are the same: byte for byte, as JSON, or as a form once it is decoded.
    private func isSame(body one: [UInt8], _ other: [UInt8]) -> Bool {
        if one == other { return true }
        if isExact { return false }
        if let first = Self.json(one) ?? Self.json(StatedText.quotingUnknowns(in: one)), let second = Self.json(other) {
            return Self.isSame(first, second)
        }
        let texts = [one, other].map {
            PercentEncoding.decoded(String(decoding: $0, as: UTF8.self).replacing("+", with: " "))
        }
        return StatedText(texts[0]).matches(texts[1])
    }

    private static func json(_ bytes: [UInt8]) -> OrderedJSON? {
        let document = JSONDocument.read(SourceFile(name: "body", bytes: bytes), syntax: .commented)
        return document.problems.isEmpty ? document.root.map { OrderedJSON($0) } : nil
    }

    private static func isSame(_ stated: OrderedJSON, _ made: OrderedJSON) -> Bool {
        switch (stated, made) {
        case (.string(StatedRequest.unknown), _): return true
        case (.string(let one), .string(let other)): return StatedText(one).matches(other)
        case (.array(let one), .array(let other)):
            return one.count == other.count && zip(one, other).allSatisfy { isSame($0, $1) }
        case (.object(let one), .object(let other)):
            let (mine, sent) = (one.sorted { $0.name < $1.name }, other.sorted { $0.name < $1.name })
            return mine.count == sent.count
                && zip(mine, sent).allSatisfy { $0.name == $1.name && isSame($0.value, $1.value) }
        // What is unknown to the source is unknown here: a stand-in for a param.
        case (_, .string(StatedRequest.unknown)): return true
        default: return stated == made
        }
    }

    private static func areSame(_ stated: [StatedRequest.Part], _ made: PreparedRequest) -> Bool {
        guard let parts = parts(of: made), parts.count == stated.count else { return false }
        return zip(stated, parts).allSatisfy { part, sent in
            guard StatedText(part.name).matches(sent.name) else { return false }
            guard let text = part.text else { return true }
            return sent.text.map { StatedText(text).matches($0) } ?? false
        }
    }

    /// The parts of a multipart body; nil if it is none. A file has no text.
    private static func parts(of made: PreparedRequest) -> [StatedRequest.Part]? {
        if case .multipart(let body)? = made.body {
            return body.parts.map { part in
                guard case .data(let data) = part.content else { return StatedRequest.Part(part.name, text: nil) }
                return StatedRequest.Part(part.name, text: String(decoding: data, as: UTF8.self))
            }
        }
        // Without files, all of it is in memory already.
        guard case .data(let data)? = made.body,
            let boundary = made.headers.values("content-type").first?.components(separatedBy: "boundary=").last
        else { return nil }
        let pieces = ("\r\n" + String(decoding: data, as: UTF8.self)).components(separatedBy: "\r\n--" + boundary)
        return pieces.dropFirst().dropLast().map { piece in
            let sides = piece.components(separatedBy: "\r\n\r\n")
            let name = sides[0].components(separatedBy: "; name=\"").last?.prefix { $0 != "\"" } ?? ""
            return StatedRequest.Part(String(name), text: sides.dropFirst().joined(separator: "\r\n\r\n"))
        }
    }

    private static func bytes(of request: PreparedRequest) -> [UInt8]? {
        switch request.body {
        case nil: []
        case .data(let data): Array(data)
        case .file, .multipart: nil
        }
    }
}

/// A text of a source, parts of which may be unknown.
struct StatedText {
    private let text: String

    init(_ text: String) { self.text = text }

    /// Longer texts are compared only if all of them is known.
    private static let longest = 1 << 16

    /// Whether a text can be this one.
    func matches(_ other: String) -> Bool {
        if text == other { return true }
        let isOpen = [text, other].map { $0.contains(StatedRequest.unknown) }
        guard isOpen[0] || isOpen[1] else { return false }
        // A value can be unknown on either side; one text alone is a pattern.
        if isOpen[0], isOpen[1] || text.utf8.count > Self.longest || other.utf8.count > Self.longest { return true }
        return isOpen[0] ? Self.fits(text, other) : Self.fits(other, text)
    }

    /// Whether the known parts of a text stand in another one, in their order.
    private static func fits(_ pattern: String, _ text: String) -> Bool {
        let parts = pattern.split(separator: StatedRequest.unknown, omittingEmptySubsequences: false)
        guard let first = parts.first, let last = parts.last, text.hasPrefix(first) else { return false }
        var rest = text.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last)
    }

    /// JSON in which each value that is unknown is a string.
    static func quotingUnknowns(in bytes: [UInt8]) -> [UInt8] {
        let unknown = Array(StatedRequest.unknown.utf8)
        var result: [UInt8] = []
        var isString = false
        var index = 0
        while index < bytes.count {
            if !isString, bytes[index] == unknown[0], bytes[index...].starts(with: unknown) {
                result += [UInt8(ascii: "\"")] + unknown + [UInt8(ascii: "\"")]
                index += unknown.count
                continue
            }
            if isString, bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count {
                result.append(bytes[index])
                index += 1
            } else if bytes[index] == UInt8(ascii: "\"") {
                isString.toggle()
            }
            result.append(bytes[index])
            index += 1
        }
        return result
    }
}
