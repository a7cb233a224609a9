import ReqcliBasics
import ReqcliDefinitions
package import ReqcliRedaction
package import ReqcliText

/// The secrets in one request, whether the request is valid or not, and how the request is shown without them: in the journal, in
/// the log, in messages about it, and in a recorded response.
package final class RequestMask: Sendable {
    /// The most values that are searched for one by one.
    package static let limit = 1000
    static let mask = "***"

    /// The mask for requests that can't have secrets of an endpoint. Values that look like secrets are masked nevertheless.
    package static let none = RequestMask(nil, [], [], hidesBody: false, areTooMany: false)

    /// The fields that hold secrets; nil if there are none.
    private let fields: SecretFields?
    /// The numbers of the path's segments that hold a secret.
    private let segments: Set<Int>
    /// The secret values; incomplete if `areTooMany`.
    package let values: [Redactor.Secret]
    /// Whether the body may have a secret in a place that isn't known.
    private let hidesBody: Bool
    /// Whether there are so many values that a search for all of them would take long. In that case, everything quoted from the
    /// request is masked.
    package let areTooMany: Bool
    /// The values in the forms for masking and searching, computed when something is shown for the first time. Computing them
    /// takes longer than a request.
    private let knownForms = LazyReference<Forms>()

    private final class Forms: Sendable {
        let redactor: Redactor
        let values: Set<String>

        init(_ secrets: [Redactor.Secret]) {
            redactor = Redactor(secrets)
            values = Set(secrets.map(\.value))
        }
    }

    init(
        _ fields: SecretFields?, _ segments: Set<Int>, _ values: [Redactor.Secret], hidesBody: Bool, areTooMany: Bool
    ) {
        self.fields = fields
        self.segments = segments
        self.values = values
        self.hidesBody = hidesBody || areTooMany
        self.areTooMany = areTooMany
    }

    private var forms: Forms { knownForms.value ?? knownForms.keep(Forms(values)) }

    /// The approximate memory of the secrets in bytes, once something was shown.
    var size: Int { values.reduce(0) { $0 + 8 * ($1.label.utf8.count + $1.value.utf8.count) + 256 } }

    // MARK: Texts

    /// The text with a mask in place of each secret that its endpoint names.
    private func masking(_ text: String) -> String {
        if areTooMany { return Self.mask }
        return values.isEmpty ? text : forms.redactor.masking(text, with: Self.mask)
    }

    /// The wording, with masks in the parts that quote the request.
    func masking(_ wording: Wording) -> Wording {
        if areTooMany { return wording.replacingQuotes(with: Self.mask) }
        return values.isEmpty ? wording : forms.redactor.masking(wording, with: Self.mask)
    }

    /// Masks the secrets in any text, such as a message that quotes the request.
    package func text(_ text: String) -> String { masking(LikelySecret.masking(text)) }

    /// Masks the secrets in a message of reqcli that quotes the request. The request's known secrets are masked only in the
    /// quotes.
    package func text(_ wording: Wording) -> String { LikelySecret.masking(masking(wording).text) }

    /// Masks the secrets in any text.
    ///
    /// - Parameter isCut: Whether the text ends early, perhaps within a secret.
    private func text(_ text: String, isCut: Bool) -> String {
        guard isCut, fields != nil else { return self.text(text) }
        // With this mark at the end of the text, masking also recognises the start of a secret before the mark.
        let masked = self.text(text + "…")
        return masked.hasSuffix("…") ? String(masked.dropLast()) : masked
    }

    // MARK: The parts of a request

    /// Whether a value must not be shown, because of its endpoint, its name or its shape.
    private func isSecret(_ name: String, _ value: OrderedJSON, in part: IncomingRequest.Part) -> Bool {
        if value == .null { return false }
        return fields?.pattern(of: name, in: part) != nil || part.isLikelySecret(name, value)
    }

    private func isSecret(_ field: IncomingRequest.Field, in part: IncomingRequest.Part) -> Bool {
        isSecret(field.name, .string(field.value), in: part)
    }

    package func path(of request: IncomingRequest) -> String {
        guard fields != nil else { return LikelySecret.masking(request.path) }
        var parts = request.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        // If the path begins with a slash, the first part is empty and is not a segment.
        let first = request.path.hasPrefix("/") ? 1 : 0
        for index in segments where parts.indices.contains(first + index) { parts[first + index] = Self.mask }
        return text(parts.joined(separator: "/"))
    }

    /// The path and the query, with secrets masked.
    package func target(of request: IncomingRequest) -> String {
        guard let query = request.rawQuery else { return path(of: request) }
        return LikelySecret.masking(path(of: request) + "?" + items(query, in: .query))
    }

    /// The items of a query or a form in their original encoding, with the values masked that are secret.
    private func items(_ text: String, in part: IncomingRequest.Part) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { item in
            guard let field = IncomingRequest.fields(String(item)).first, isSecret(field, in: part) else {
                return masking(String(item))
            }
            return item.prefix { $0 != "=" } + "=" + Self.mask
        }.joined(separator: "&")
    }

    func query(of request: IncomingRequest) -> [IncomingRequest.Field] {
        request.query.map { field in
            IncomingRequest.Field(
                masking(field.name), isSecret(field, in: .query) ? Self.mask : text(field.value))
        }
    }

    func headers(of request: IncomingRequest) -> [IncomingRequest.Field] {
        request.headers.map { field in
            IncomingRequest.Field(field.name, isSecret(field, in: .headers) ? Self.mask : text(field.value))
        }
    }

    package func session(of request: IncomingRequest) -> String {
        request.session == IncomingRequest.standardSession ? request.session : text(request.session)
    }

    /// The body as JSON if it is JSON, else as a text.
    func body(of request: IncomingRequest) -> OrderedJSON? {
        if request.body.isEmpty { return nil }
        if hidesBody { return .string(Self.mask) }
        let text = String(decoding: request.body, as: UTF8.self)
        if let json = OrderedJSON(parsing: text) { return masking(json) }
        if request.mediaType?.isForm == true { return .string(items(text, in: .body)) }
        if request.mediaType?.isMultipart == true {
            // Masks the whole body if its parts can't be read, because the place of a password is not known.
            guard let form = MultipartText(request.body) else { return .string(Self.mask) }
            let masked = form.replacing { isSecret($0.field, in: .body) ? Self.mask : nil }
            return .string(self.text(masked, isCut: request.isCut))
        }
        return .string(self.text(text, isCut: request.isCut))
    }

    private func masking(_ json: OrderedJSON) -> OrderedJSON {
        json.replacing(renaming: masking) { name, value in
            if let name, isSecret(name, value, in: .body) { return .string(Self.mask) }
            switch value {
            case .string(let text): return .string(self.text(text))
            case .number(let text): return areTooMany || forms.values.contains(text) ? .string(Self.mask) : value
            case .object, .array, .null, .bool: return nil
            }
        }
    }
}
