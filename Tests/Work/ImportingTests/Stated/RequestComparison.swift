import Foundation
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

@testable import Importing

/// Finds the parts in which a request differs from the one that a source states.
struct RequestComparison {
    private(set) var differences: [String] = []

    init(_ stated: StatedRequest, _ made: PreparedRequest) {
        if stated.method != made.method.token { differences.append("method \(made.method.token)") }
        if !Self.isSame(url: stated.url, made.url.absoluteString) { differences.append("URL") }
        compareHeaders(stated, made)
        if let body = stated.body, let sent = Self.bytes(of: made) { compare(body: body, sent) }
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

    /// Compares two bodies: byte for byte, as JSON, or as a form once it is decoded.
    private mutating func compare(body one: [UInt8], _ other: [UInt8]) {
        if one == other { return }
        if let first = Self.json(one) ?? Self.json(StatedText.quotingUnknowns(in: one)),
            let second = Self.json(other)
        {
            for text in JSONDifference.all(first, second).map(\.text) where !differences.contains(text) {
                differences.append(text)
            }
            return
        }
        let texts = [one, other].map {
            PercentEncoding.decoded(String(decoding: $0, as: UTF8.self).replacing("+", with: " "))
        }
        if !StatedText(texts[0]).matches(texts[1]) { differences.append("body") }
    }

    private static func json(_ bytes: [UInt8]) -> OrderedJSON? {
        let document = JSONDocument.read(SourceFile(name: "body", bytes: bytes), syntax: .commented)
        return document.problems.isEmpty ? document.root.map { OrderedJSON($0) } : nil
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
