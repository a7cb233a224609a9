/// The body of a request that is a form in several parts, or the start of one.
package struct MultipartText {
    package struct Part {
        /// The line of hyphens and the head.
        let head: Substring
        /// The name of the field, as its `Content-Disposition` has it.
        package let name: String
        package let value: String
        /// What ends the part.
        let end: Substring
    }

    private let boundary: Substring
    private let texts: [Substring]

    /// Nil for another body.
    package init?(_ request: IncomingRequest) {
        guard request.mediaType == "multipart/form-data" else { return nil }
        self.init(String(decoding: request.body, as: UTF8.self))
    }

    init?(_ text: String) {
        guard let end = text.firstRange(of: "\r\n"), text.hasPrefix("--") else { return nil }
        boundary = text[..<end.lowerBound]
        texts = text.split(separator: boundary, omittingEmptySubsequences: false)
    }

    package var parts: [Part] { texts.compactMap(Self.part) }

    private static func part(_ text: Substring) -> Part? {
        guard let head = text.firstRange(of: "\r\n\r\n"), let name = name(in: text[..<head.lowerBound]) else {
            return nil
        }
        let value = text[head.upperBound...]
        let end = value.hasSuffix("\r\n") ? value.dropLast(1).endIndex : value.endIndex
        return Part(head: text[..<head.upperBound], name: name, value: String(value[..<end]), end: value[end...])
    }

    private static func name(in head: Substring) -> String? {
        guard let start = head.firstRange(of: " name=") ?? head.firstRange(of: ";name=") else { return nil }
        // A combining character behind the quote would be one character with it.
        let rest = head[start.upperBound...].unicodeScalars
        if rest.first == "\"" { return String(Substring(rest.dropFirst().prefix { $0 != "\"" })) }
        return String(Substring(rest.prefix { !";\r\n ".unicodeScalars.contains($0) }))
    }

    /// The text with another value for some of the parts.
    func replacing(_ value: (Part) -> String?) -> String {
        texts.map { text in
            guard let part = Self.part(text), let other = value(part) else { return String(text) }
            return part.head + other + part.end
        }.joined(separator: String(boundary))
    }
}
