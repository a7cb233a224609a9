import ReqcliAssembly
import ReqcliDefinitions
import ReqcliFunctions
import ReqcliText
import RequestBuilding

/// The fields of an endpoint's requests that hold secrets: secret params, secrets, secret captures, and the API key of `auth`.
///
/// All requests of an endpoint share one object. Most endpoints have no such object, so their requests take no extra time.
final class SecretFields: Sendable {
    /// The patterns of values by the names of their fields. Of several values with a name, all have the pattern of the first one
    /// that holds a secret. The empty pattern stands for a value that is secret as a whole.
    typealias Patterns = [String: TextPattern]

    private let query: Patterns
    /// The names are in lowercase.
    private let headers: Patterns
    /// The names are those of form fields, of JSON members, and of the parts of a form.
    private let body: Patterns
    /// The query items that have gaps in their names, and a secret in their names or values.
    let openItems: [RequestPattern.Item]
    /// Whether the endpoint has a secret in its body.
    let isInBody: Bool
    /// The gaps that have secrets.
    private let gaps: Set<OpenValue>

    /// A header or a query item that `auth` names.
    struct APIKey: Hashable {
        let place: Credentials.APIKeyPlace
        let name: String
    }

    /// Nil if no request of the endpoint can hold a secret.
    ///
    /// - Parameter headers: All headers, including those that are not compared.
    init?(
        of endpoint: LocatedEndpoint, _ segments: [TextPattern], query items: [RequestPattern.Item],
        headers: [RequestPattern.Item], _ content: RequestPattern.Content,
        _ choices: [String: RequestPattern.Choice], by maker: RequestPattern.Maker
    ) {
        let names = (query: Set(items.map(\.name)), headers: Set(headers.map { $0.name.lowercased() }))
        // A client may send the key of another endpoint to this one by mistake. That key is ignored if this endpoint has a query
        // item or a header of the same name.
        let keys =
            endpoint.apiKeys(in: maker.calls.environment)
            + maker.keys.filter { key in
                key.place == .query ? !names.query.contains(key.name) : !names.headers.contains(key.name.lowercased())
            }
        // `Authorization` and `Cookie` are always masked, so they are left out here.
        let headers = headers.filter { !["authorization", "cookie"].contains($0.name.lowercased()) }
        let fields = content.fields
        let texts = segments + (items + headers).flatMap(\.texts) + fields.map(\.text)
        let gaps = Set(texts.flatMap(\.gaps).filter { endpoint.isSecret($0, maker.calls, choices) })
        func has(_ text: TextPattern) -> Bool { text.gaps.contains(where: gaps.contains) }
        func patterns(_ fields: [(name: String, text: TextPattern)]) -> Patterns {
            Patterns(fields.filter { has($0.text) }.map { ($0.name, $0.text) }, uniquingKeysWith: { first, _ in first })
        }
        let inQuery = patterns(items.flatMap { item in item.values.map { (item.name, $0) } })
            .adding(keys.filter { $0.place == .query }.map(\.name))
        self.headers = patterns(headers.flatMap { item in item.values.map { (item.name.lowercased(), $0) } })
            .adding(keys.filter { $0.place == .header }.map { $0.name.lowercased() })
        let inBody = patterns(fields)
        openItems = items.filter { $0.openName != nil && $0.texts.contains(where: has) }
        isInBody = !inBody.isEmpty
        if !segments.contains(where: has), inQuery.isEmpty, openItems.isEmpty, self.headers.isEmpty, !isInBody {
            return nil
        }
        self.gaps = gaps
        // A client may put a secret into the wrong part of its request. So a secret's name counts in every part, except where the
        // endpoint uses the name for something else.
        query = inQuery.adding(inBody.keys.filter { !names.query.contains($0) })
        var plain = Set(fields.filter { !has($0.text) }.map(\.name))
        // Form fields are shown by their names, so all fields of a name are masked. JSON members are known by their places.
        if !content.isJSON { plain.subtract(inBody.keys) }
        body = inBody.adding(inQuery.keys).filter { !plain.contains($0.key) }
    }

    /// The fields of several endpoints.
    init(_ all: [SecretFields]) {
        func merged(_ part: (SecretFields) -> Patterns) -> Patterns {
            all.reduce(into: [:]) { $0.merge(part($1)) { first, _ in first } }
        }
        query = merged(\.query)
        headers = merged(\.headers)
        body = merged(\.body)
        openItems = all.flatMap(\.openItems)
        gaps = all.reduce(into: []) { $0.formUnion($1.gaps) }
        isInBody = all.contains(where: \.isInBody)
    }

    /// The fields that are secret by their names for all endpoints.
    ///
    /// - Parameter names: The names of secret query items, headers, and members of a body.
    init(keys: Set<APIKey>, names: Set<String>) {
        body = Patterns().adding(names)
        query = body.adding(keys.filter { $0.place == .query }.map(\.name))
        headers = Patterns().adding((names + keys.filter { $0.place == .header }.map(\.name)).map { $0.lowercased() })
        (openItems, gaps, isInBody) = ([], [], false)
    }

    func has(_ gap: OpenValue) -> Bool { gaps.contains(gap) }

    func has(_ text: TextPattern) -> Bool { text.pieces.contains { $0.value.map(has) ?? false } }

    /// The pattern of the values of a field that holds secrets; nil for any other field.
    func pattern(of name: String, in part: IncomingRequest.Part) -> TextPattern? {
        switch part {
        case .query: query[name]
        case .headers: headers[name.lowercased()]
        case .body: body[name]
        }
    }
}

extension SecretFields.Patterns {
    /// The patterns, with further names whose values are secret as a whole.
    fileprivate func adding(_ names: some Sequence<String>) -> Self {
        names.reduce(into: self) { $0[$1] = $0[$1] ?? TextPattern("") }
    }
}

// MARK: - What is secret

extension LocatedEndpoint {
    /// The API keys that the endpoint or its environment names. Each one counts, even if another layer overrides it.
    func apiKeys(in environment: EnvironmentChain) -> [SecretFields.APIKey] {
        (environment.layers.map(\.layer) + layers(in: environment.name)).flatMap { layer -> [SecretFields.APIKey] in
            switch layer.auth?.set?.credentials {
            case .apiKey(let place, let name, _): [SecretFields.APIKey(place: place, name: name.value)]
            case .signature(let signature):
                signature.carriers.map { SecretFields.APIKey(place: $0.place, name: $0.name) }
            default: []
            }
        }
    }

    /// The headers or the query items that carry the signature of the endpoint's requests.
    func signatureItems(
        _ place: Credentials.APIKeyPlace, in environment: EnvironmentChain
    ) -> [RequestPattern.Item] {
        let auth = (environment.layers.map(\.layer) + layers(in: environment.name)).compactMap(\.auth).last
        guard case .signature(let signature)? = auth?.set?.credentials else { return [] }
        return signature.carriers.filter { $0.place == place && $0.name != AWSSignature.tokenHeader }.map { carrier in
            RequestPattern.Item(
                name: carrier.name, values: [TextPattern(StandIn.text(for: .secret(RequestWord.signature)))])
        }
    }

    /// Whether a gap holds a secret.
    ///
    /// - Parameter choices: The endpoint's `$switch` values. Such a value is secret if one of its cases is.
    func isSecret(
        _ gap: OpenValue, _ calls: OpenCalls, _ choices: [String: RequestPattern.Choice] = [:]
    ) -> Bool {
        switch gap {
        case .secret: return true
        case .parameter(let name):
            guard let choice = choices[name] else { return parameters[named: name]?.isSecret ?? false }
            let values = choice.cases.map(\.value) + [choice.otherwise].compactMap(\.self)
            return values.flatMap(\.texts).flatMap { TextPattern($0).gaps }.contains { isSecret($0, calls, choices) }
        case .capture(let alias, let name):
            let needed = needs.first { $0.name == alias }.flatMap(calls.needed)
            // A capture that can't be read may be a secret.
            return needed?.definition.captures[named: name]?.isSecret ?? true
        case .variable, .generated, .processVariable: return false
        // In the start of a URL it isn't known what the value is made of.
        case .computed(_, let values): return values.isEmpty || values.contains { isSecret($0, calls, choices) }
        }
    }
}
