import Foundation
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
@_spi(Generated) import RequestBuilding

/// The fields of an endpoint's requests that hold secrets: secret params, secrets, secret captures, and the API key of `auth`.
///
/// All requests of an endpoint share one object. Most endpoints have no such object, so their requests take no extra time.
final class SecretFields: Sendable {
    /// The names of query items.
    let query: Set<String>
    /// The names of headers, in lowercase.
    let headers: Set<String>
    /// The names of form fields, of JSON members, and of the parts of a form.
    let body: Set<String>
    /// The patterns of the headers with a secret.
    let headerItems: [RequestPattern.Item]
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
    /// - Parameters:
    ///   - keys: The API keys that requests may carry.
    ///   - otherKeys: The API keys of other endpoints, which a client may send to this one by mistake. Such a key is ignored if
    ///     this endpoint has a query item or a header of the same name.
    ///   - isSecret: Whether a gap has a secret.
    init?(
        _ segments: [TextPattern], query items: [RequestPattern.Item], headers fields: [RequestPattern.Item],
        _ content: RequestPattern.Content, _ choices: [String: RequestPattern.Choice], keys: [APIKey],
        otherKeys: Set<APIKey>, isSecret: @escaping (OpenValue) -> Bool
    ) {
        let own = (query: Set(items.map(\.name)), headers: Set(fields.map { $0.name.lowercased() }))
        let keys =
            keys
            + otherKeys.filter { key in
                key.place == .query ? !own.query.contains(key.name) : !own.headers.contains(key.name.lowercased())
            }
        var finder = SecretFinder(choices: choices, isSecret: isSecret)
        let inPath = segments.filter { finder.has($0) }
        let query = finder.names(of: items).union(keys.filter { $0.place == .query }.map(\.name))
        // `Authorization` and `Cookie` are always masked, so they are left out here.
        let others = fields.filter { !["authorization", "cookie"].contains($0.name.lowercased()) }
        let inHeaders = finder.names(of: others)
        headerItems = others.filter { inHeaders.contains($0.name) }
        let headers = inHeaders.union(keys.filter { $0.place == .header }.map(\.name))
        finder.read(content)
        openItems = items.filter { $0.openName != nil && $0.texts.contains { finder.has($0) } }
        isInBody = !finder.secret.isEmpty
        if inPath.isEmpty, query.isEmpty, headers.isEmpty, openItems.isEmpty, !isInBody { return nil }
        self.headers = Set(headers.map { $0.lowercased() })
        // A client may put a secret into the wrong part of its request. So a secret's name counts in every part, except where the
        // endpoint uses the name for something else.
        self.query = query.union(finder.secret.subtracting(items.map(\.name)))
        body = query.union(finder.secret).subtracting(finder.plain)
        gaps = finder.gaps
    }

    /// The fields of several endpoints.
    init(_ all: [SecretFields]) {
        query = all.reduce(into: []) { $0.formUnion($1.query) }
        headers = all.reduce(into: []) { $0.formUnion($1.headers) }
        body = all.reduce(into: []) { $0.formUnion($1.body) }
        headerItems = all.flatMap(\.headerItems)
        openItems = all.flatMap(\.openItems)
        gaps = all.reduce(into: []) { $0.formUnion($1.gaps) }
        isInBody = all.contains(where: \.isInBody)
    }

    /// The fields that are secret by their names for all endpoints.
    ///
    /// - Parameter names: The names of secret query items, headers, and members of a body.
    init(keys: Set<APIKey>, names: Set<String>) {
        query = names.union(keys.filter { $0.place == .query }.map(\.name))
        headers = Set((names + keys.filter { $0.place == .header }.map(\.name)).map { $0.lowercased() })
        body = names
        headerItems = []
        openItems = []
        gaps = []
        isInBody = false
    }

    func has(_ gap: OpenValue) -> Bool { gaps.contains(gap) }

    func has(_ text: TextPattern) -> Bool { text.pieces.contains { $0.value.map(has) ?? false } }
}

/// Finds the fields of one endpoint that hold secrets.
private struct SecretFinder {
    let choices: [String: RequestPattern.Choice]
    let isSecret: (OpenValue) -> Bool
    private(set) var gaps: Set<OpenValue> = []
    /// The names of the body's fields that hold a secret.
    private(set) var secret: Set<String> = []
    /// The names of the body's fields that hold something else.
    private(set) var plain: Set<String> = []

    init(choices: [String: RequestPattern.Choice], isSecret: @escaping (OpenValue) -> Bool) {
        self.choices = choices
        self.isSecret = isSecret
    }

    mutating func has(_ text: TextPattern) -> Bool {
        let found = text.gaps.filter(has)
        gaps.formUnion(found)
        return !found.isEmpty
    }

    /// A `$switch` is a secret if one of its cases is.
    private func has(_ gap: OpenValue) -> Bool {
        guard case .parameter(let name) = gap, let choice = choices[name] else { return isSecret(gap) }
        return (choice.cases.map(\.value) + [choice.otherwise].compactMap(\.self)).contains { value in
            value.texts.contains { TextPattern($0).gaps.contains(where: has) }
        }
    }

    mutating func names(of items: [RequestPattern.Item]) -> Set<String> {
        var names: Set<String> = []
        for item in items {
            for value in item.values where has(value) { names.insert(item.name) }
        }
        return names
    }

    mutating func read(_ content: RequestPattern.Content) {
        switch content {
        case .form(let items), .multipart(let items): read(items)
        case .json(let value), .graphQL(let value): read(value, in: "")
        case .text(let text): if has(text) { secret.insert("") }
        case .none, .other: break
        }
    }

    private mutating func read(_ items: [RequestPattern.Item]) {
        let names = names(of: items)
        secret.formUnion(names)
        plain.formUnion(Set(items.map(\.name)).subtracting(names))
    }

    /// Sorts the names of members by whether their values hold a secret.
    ///
    /// - Parameter name: The name of the member that has the value.
    private mutating func read(_ value: OrderedJSON, in name: String) {
        switch value {
        case .string(let text): if has(TextPattern(text)) { secret.insert(name) } else { plain.insert(name) }
        case .array(let elements): for element in elements { read(element, in: name) }
        case .object(let members): for member in members { read(member.value, in: member.name) }
        case .number, .bool, .null: plain.insert(name)
        }
    }
}

// MARK: - What is secret

extension LocatedEndpoint {
    /// The API keys that the endpoint or its environment names. Each one counts, even if another layer overrides it.
    func apiKeys(in environment: EnvironmentChain) -> [SecretFields.APIKey] {
        (environment.layers.map(\.layer) + layers(in: environment.name)).compactMap { layer in
            guard case .apiKey(let place, let name, _)? = layer.auth?.set?.credentials else { return nil }
            return SecretFields.APIKey(place: place, name: name.value)
        }
    }

    func isSecret(_ gap: OpenValue, _ calls: OpenCalls) -> Bool {
        switch gap {
        case .secret: return true
        case .parameter(let name): return parameters[named: name]?.isSecret ?? false
        case .capture(let alias, let name):
            let needed = needs.first { $0.name == alias }.flatMap(calls.needed)
            // A capture that can't be read may be a secret.
            return needed?.definition.captures[named: name]?.isSecret ?? true
        case .variable, .generated, .processVariable: return false
        }
    }
}

extension PreparedRequest {
    /// The parts of a multipart body. A file counts as a gap, so that any content fits.
    var formParts: [IncomingRequest.Field] {
        let file = Data(StandIn.text(for: .generated(.uuid)).utf8)
        let bytes = (body?.pieces ?? []).flatMap { piece in if case .data(let data) = piece { data } else { file } }
        let parts = MultipartText(bytes)?.parts ?? []
        return parts.map { IncomingRequest.Field($0.name, $0.value) }
    }
}
