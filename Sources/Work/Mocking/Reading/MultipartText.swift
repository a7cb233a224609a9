import HTTPWire
import ReqcliBasics

/// The body of a request as a multipart form. It may be only the start of the form.
package struct MultipartText {
    package struct Part {
        /// The name, as in its `Content-Disposition`, and the value.
        package let field: IncomingRequest.Field
        fileprivate let head: String
        /// The range of the value in the bytes.
        fileprivate let place: Range<Int>

        /// The name of the file, as in its `Content-Disposition`; nil without one.
        package var fileName: String? { MultipartText.parameter("filename", in: head) }

        package var contentType: String? {
            for line in head.split(separator: "\r\n") {
                let parts = line.split(separator: ":", maxSplits: 1)
                if parts.count == 2, parts[0].lowercased() == "content-type" {
                    return String(parts[1].drop { $0 == " " })
                }
            }
            return nil
        }
    }

    private let bytes: [UInt8]
    package let parts: [Part]

    var fields: [IncomingRequest.Field] { parts.map(\.field) }

    /// Nil if the bytes are not a form in several parts.
    package init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: "--".utf8),
            let line = Self.place(of: Self.lineEnd, in: bytes, 0..<min(bytes.count, Self.longestBoundary + 4))
        else { return nil }
        self.bytes = bytes
        let boundary = Array(bytes[..<line.lowerBound])
        var parts: [Part] = []
        var start = line.lowerBound
        while start < bytes.count {
            let next = Self.place(of: boundary, in: bytes, start..<bytes.count)
            if let part = Self.part(start..<(next?.lowerBound ?? bytes.count), in: bytes) { parts.append(part) }
            start = next?.upperBound ?? bytes.count
        }
        self.parts = parts
    }

    /// The longest boundary by RFC 2046, section 5.1.1. A search for a longer boundary could take very long.
    private static let longestBoundary = 70
    private static let lineEnd: [UInt8] = [.carriageReturn, .lineFeed]

    private static func part(_ range: Range<Int>, in bytes: [UInt8]) -> Part? {
        guard let gap = place(of: lineEnd + lineEnd, in: bytes, range) else { return nil }
        let head = String(decoding: bytes[range.lowerBound..<gap.lowerBound], as: UTF8.self)
        guard let name = parameter("name", in: head) else { return nil }
        let value = bytes[gap.upperBound..<range.upperBound]
        let place = value.startIndex..<(value.endIndex - (value.suffix(2) == lineEnd[...] ? 2 : 0))
        let field = IncomingRequest.Field(name, String(decoding: bytes[place], as: UTF8.self))
        return Part(field: field, head: head, place: place)
    }

    private static func parameter(_ name: String, in head: String) -> String? {
        guard let start = head.firstRange(of: " \(name)=") ?? head.firstRange(of: ";\(name)=") else { return nil }
        // Compare scalars, because a quote and a combining character after it would form one character.
        let rest = head[start.upperBound...].unicodeScalars
        if rest.first == "\"" { return String(Substring(rest.dropFirst().prefix { $0 != "\"" })) }
        return String(Substring(rest.prefix { !";\r\n ".unicodeScalars.contains($0) }))
    }

    private static func place(of pattern: [UInt8], in bytes: [UInt8], _ range: Range<Int>) -> Range<Int>? {
        guard let first = pattern.first else { return nil }
        var start = range.lowerBound
        while range.upperBound - start >= pattern.count,
            let found = bytes.span.firstIndex(of: first, in: start..<(range.upperBound - pattern.count + 1))
        {
            let place = found..<(found + pattern.count)
            if bytes[place].elementsEqual(pattern) { return place }
            start = found + 1
        }
        return nil
    }

    /// The text with another value for some of the parts.
    func replacing(_ value: (Part) -> String?) -> String {
        var replaced: [UInt8] = []
        var end = 0
        for part in parts {
            guard let other = value(part) else { continue }
            replaced += bytes[end..<part.place.lowerBound]
            replaced += other.utf8
            end = part.place.upperBound
        }
        return String(decoding: replaced + bytes[end...], as: UTF8.self)
    }
}
