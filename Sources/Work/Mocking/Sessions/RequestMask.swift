import ReqcliBasics
import ReqcliDefinitions
import ReqcliRedaction
package import ReqcliText

/// Hides what is secret in requests that are shown: credentials, tokens, and the values of secret params.
package struct RequestMask: Sendable {
    static let mask = "***"
    private let secrets: RequestSecrets?

    init(_ secrets: RequestSecrets?) { self.secrets = secrets }

    /// The approximate memory of the mask in bytes.
    var size: Int { secrets?.size ?? 0 }

    /// The mask for requests that belong to no endpoint.
    package static let none = RequestMask(nil)

    package func path(of request: IncomingRequest) -> String {
        guard let secrets else { return LikelySecret.masking(request.path) }
        var parts = request.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        // If the path begins with a slash, the first part is empty and is not a segment.
        let first = request.path.hasPrefix("/") ? 1 : 0
        for index in secrets.segments where parts.indices.contains(first + index) { parts[first + index] = Self.mask }
        return text(parts.joined(separator: "/"))
    }

    /// The path and the query, with secrets masked.
    package func target(of request: IncomingRequest) -> String {
        guard let query = request.rawQuery else { return path(of: request) }
        let items = query.split(separator: "&", omittingEmptySubsequences: false).map {
            item($0, secrets?.fields.query)
        }
        return LikelySecret.masking(path(of: request) + "?" + items.joined(separator: "&"))
    }

    /// The item of a query or a form in its original encoding, with its value masked if it is secret.
    ///
    /// - Parameter names: The names of secret items.
    private func item(_ text: Substring, _ names: Set<String>?) -> String {
        guard let field = IncomingRequest.fields(String(text)).first, isSecret(field, names) else {
            return secrets?.masking(String(text)) ?? String(text)
        }
        return text.prefix { $0 != "=" } + "=" + Self.mask
    }

    private func isSecret(_ field: IncomingRequest.Field, _ names: Set<String>?) -> Bool {
        names?.contains(field.name) == true || LikelySecret.isSecret(field.name, field.value)
    }

    func query(of request: IncomingRequest) -> [IncomingRequest.Field] {
        request.query.map { field in
            let isSecret = isSecret(field, secrets?.fields.query)
            return IncomingRequest.Field(
                secrets?.masking(field.name) ?? field.name, isSecret ? Self.mask : text(field.value))
        }
    }

    func headers(of request: IncomingRequest) -> [IncomingRequest.Field] {
        request.headers.map { field in
            let isSecret =
                LikelySecret.isHeader(field.name) || secrets?.fields.headers.contains(field.name.lowercased()) == true
            return IncomingRequest.Field(field.name, isSecret ? Self.mask : text(field.value))
        }
    }

    package func session(of request: IncomingRequest) -> String {
        request.session == IncomingRequest.standardSession ? request.session : text(request.session)
    }

    /// Masks the secrets in any text, such as a message that quotes the request.
    package func text(_ text: String) -> String {
        let masked = LikelySecret.masking(text)
        return secrets?.masking(masked) ?? masked
    }

    /// Masks the secrets in a message of reqcli that quotes the request. The request's known secrets are masked only in the
    /// quotes.
    package func text(_ wording: Wording) -> String {
        LikelySecret.masking((secrets?.masking(wording) ?? wording).text)
    }

    /// Masks the secrets in any text.
    ///
    /// - Parameter isCut: Whether the text ends early, perhaps within a secret.
    private func text(_ text: String, isCut: Bool) -> String {
        guard isCut, secrets != nil else { return self.text(text) }
        // With this mark at the end of the text, masking also recognises the start of a secret before the mark.
        let masked = self.text(text + "…")
        return masked.hasSuffix("…") ? String(masked.dropLast()) : masked
    }

    // MARK: Bodies

    /// The body as JSON if it is JSON, else as a text.
    func body(of request: IncomingRequest) -> OrderedJSON? {
        if request.body.isEmpty { return nil }
        if secrets?.hidesBody == true { return .string(Self.mask) }
        let text = String(decoding: request.body, as: UTF8.self)
        if let json = OrderedJSON(parsing: text) { return masking(json) }
        let type = request.mediaType
        if type?.isForm == true {
            return .string(
                text.split(separator: "&", omittingEmptySubsequences: false).map { item($0, secrets?.fields.body) }
                    .joined(separator: "&"))
        }
        if type?.isMultipart == true {
            // Masks the whole body if its parts can't be read, because the place of a password is not known.
            guard let form = MultipartText(request) else { return .string(Self.mask) }
            return .string(self.text(form.replacing(mask), isCut: request.isCut))
        }
        return .string(self.text(text, isCut: request.isCut))
    }

    private func masking(_ value: OrderedJSON) -> OrderedJSON {
        switch value {
        case .object(let members):
            .object(
                members.map { member in
                    OrderedJSON.Member(
                        secrets?.masking(member.name) ?? member.name,
                        isSecret(member) ? .string(Self.mask) : masking(member.value))
                })
        case .array(let elements): .array(elements.map(masking))
        case .string(let text): .string(self.text(text))
        case .number(let text): secrets?.has(text) == true ? .string(Self.mask) : value
        case .null, .bool: value
        }
    }

    private func isSecret(_ member: OrderedJSON.Member) -> Bool {
        let isNamed = secrets?.fields.body.contains(member.name) == true
        return switch member.value {
        case .string(let text): isNamed || LikelySecret.isSecret(member.name, text)
        case .number, .array: isNamed || LikelySecret.isName(member.name)
        case .object, .bool: isNamed
        case .null: false
        }
    }

    /// The mask, if the part is a secret by its name; nil for any other part.
    private func mask(_ part: MultipartText.Part) -> String? {
        let isSecret = secrets?.fields.body.contains(part.name) == true || LikelySecret.isSecret(part.name, part.value)
        return isSecret ? Self.mask : nil
    }
}
