import Definitions
import Redaction
import SourceText

/// Hides what is secret in requests that are shown: credentials, tokens, and the values of secret params.
package struct RequestMask: Sendable {
    private static let mask = "***"
    /// The values of secret params in this request.
    private let secrets: [String]

    /// The mask for a request without an endpoint.
    package static let none = RequestMask(nil, nil)

    init(_ endpoint: LocatedEndpoint?, _ reading: RequestReading?) {
        var secrets: [String] = []
        let parameters = endpoint?.parameters ?? []
        // A loop over the elements would copy them.
        for index in parameters.indices where parameters[index].value.isSecret {
            secrets += reading?.parameters[parameters[index].name]?.texts.filter { !$0.isEmpty } ?? []
        }
        self.secrets = secrets
    }

    package func path(of request: IncomingRequest) -> String {
        if secrets.isEmpty { return LikelySecret.masking(request.path) }
        let path = request.path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            let decoded = IncomingRequest.segments(String(segment)).joined()
            return secrets.contains { decoded.contains($0) } ? Self.mask : String(segment)
        }
        return LikelySecret.masking(path.joined(separator: "/"))
    }

    /// The path and the query.
    package func target(of request: IncomingRequest) -> String {
        guard let query = request.rawQuery else { return path(of: request) }
        let items = query.split(separator: "&", omittingEmptySubsequences: false).map(item)
        return LikelySecret.masking(path(of: request) + "?" + items.joined(separator: "&"))
    }

    /// The item of a query or a form, as it came.
    private func item(_ text: Substring) -> String {
        guard let field = IncomingRequest.fields(String(text)).first, isSecret(field) else { return String(text) }
        return text.prefix { $0 != "=" } + "=" + Self.mask
    }

    private func isSecret(_ field: IncomingRequest.Field) -> Bool {
        LikelySecret.isSecret(field.name, field.value) || secrets.contains { field.value.contains($0) }
    }

    func query(of request: IncomingRequest) -> [IncomingRequest.Field] {
        request.query.map { IncomingRequest.Field($0.name, isSecret($0) ? Self.mask : text($0.value)) }
    }

    func headers(of request: IncomingRequest) -> [IncomingRequest.Field] {
        request.headers.map {
            IncomingRequest.Field($0.name, LikelySecret.isHeader($0.name) ? Self.mask : text($0.value))
        }
    }

    /// Any text, such as a message that quotes the request.
    package func text(_ text: String) -> String {
        secrets.reduce(LikelySecret.masking(text)) { $0.replacing($1, with: Self.mask) }
    }

    // MARK: Bodies

    /// The body as JSON if it is JSON, else as a text.
    func body(of request: IncomingRequest) -> OrderedJSON? {
        if request.body.isEmpty { return nil }
        let text = String(decoding: request.body, as: UTF8.self)
        if let json = OrderedJSON.reading(text) { return masking(json) }
        switch request.mediaType {
        case "application/x-www-form-urlencoded":
            return .string(
                text.split(separator: "&", omittingEmptySubsequences: false).map(item).joined(separator: "&"))
        case "multipart/form-data": return .string(self.text(maskingParts(text)))
        default: return .string(self.text(text))
        }
    }

    private func masking(_ value: OrderedJSON) -> OrderedJSON {
        switch value {
        case .object(let members):
            .object(members.map { OrderedJSON.Member($0.name, isSecret($0) ? .string(Self.mask) : masking($0.value)) })
        case .array(let elements): .array(elements.map(masking))
        case .string(let text): .string(self.text(text))
        case .number(let text): secrets.contains(text) ? .string(Self.mask) : value
        case .null, .bool: value
        }
    }

    private func isSecret(_ member: OrderedJSON.Member) -> Bool {
        switch member.value {
        case .string(let text): LikelySecret.isSecret(member.name, text)
        case .number, .array: LikelySecret.isName(member.name)
        case .object, .null, .bool: false
        }
    }

    /// Masks the parts of a multipart body that have the name of a secret.
    private func maskingParts(_ text: String) -> String {
        guard let end = text.firstRange(of: "\r\n"), text.hasPrefix("--") else { return text }
        let boundary = text[..<end.lowerBound]
        let parts = text.split(separator: boundary, omittingEmptySubsequences: false).map { part -> String in
            guard let head = part.firstRange(of: "\r\n\r\n"), let name = Self.name(in: part[..<head.lowerBound]),
                LikelySecret.isSecret(name, String(part[head.upperBound...]))
            else { return String(part) }
            return part[..<head.upperBound] + Self.mask + "\r\n"
        }
        return parts.joined(separator: String(boundary))
    }

    /// The name of a form field, as its `Content-Disposition` has it.
    private static func name(in head: Substring) -> String? {
        guard let start = head.firstRange(of: " name=\"") else { return nil }
        return String(head[start.upperBound...].prefix { $0 != "\"" })
    }
}

extension OrderedJSON {
    /// The texts of a value and of all that is in it.
    fileprivate var texts: [String] {
        switch self {
        case .string(let text), .number(let text): [text]
        case .array(let elements): elements.flatMap(\.texts)
        case .object(let members): members.flatMap(\.value.texts)
        case .null, .bool: []
        }
    }
}
