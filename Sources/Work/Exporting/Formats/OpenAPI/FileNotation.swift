import ReqcliAssembly
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// Writes endpoints and environments in the notation of their files, as an addition to an OpenAPI description.
///
/// The notation is under ``OpenAPIDocument/notationKey``, since OpenAPI can't express everything that the files say. References
/// to other endpoints, and to files that the description doesn't contain, are left out.
struct FileNotation {
    /// The roots of the files that were read so far, by the name of the file.
    private var roots: [String: JSONValue] = [:]

    // MARK: Endpoints

    /// The endpoint in the notation of its file.
    ///
    /// - Parameters:
    ///   - variants: The stub variants, with their bodies.
    ///   - security: Replaces credentials by the names of secrets.
    mutating func endpoint(
        _ request: OpenRequest, _ address: OpenAPIAddress, _ variants: [StubReader.Response],
        _ security: inout OpenAPISecurityWriter
    ) -> OrderedJSON {
        let endpoint = request.endpoint
        let (defaults, own) = sources(of: endpoint)
        let layers = [defaults, own, own?["environments"]?[request.environment.name]].compactMap(\.self)
        func last(_ key: String) -> OrderedJSON? {
            layers.last { $0[key] != nil }?[key].map { OrderedJSON($0) }.flatMap { $0 == .null ? nil : $0 }
        }
        let headers = Self.merged("headers", layers) { $0.lowercased() }
        let expect = last("expect")?.objectMembers?.filter { !["snapshot", "openapi"].contains($0.name) }
        let stubs = variants.map { OrderedJSON.Member($0.name, Self.variant($0)) }
        var params = Self.params(own, defaults)
        var captures = CaptureNames(request)
        let members: KeyValuePairs<String, OrderedJSON?> = [
            "method": request.method == "GET" ? nil : .string(request.method),
            "baseURL": address.serverTemplate.map { .string($0) },
            "path": .string(address.template),
            "query": Self.merged("query", layers) { $0 }.flatMap { $0 == .object([]) ? nil : $0 },
            "headers": headers.flatMap { $0 == .object([]) ? nil : $0 },
            "auth": security.notation(of: request),
            "body": last("body"),
            "expect": expect.flatMap { $0.isEmpty ? nil : .object($0) },
            "response": last("response"),
        ]
        let texts = members.map { key, value in (key, value?.mappingTexts { captures.replaced(in: $0) }) }
        params += captures.params.filter { param in !params.contains { $0.name == param.name } }
        let head: KeyValuePairs<String, OrderedJSON?> = [
            "description": endpoint.definition.summary.map { .string($0) },
            "tags": endpoint.tags.isEmpty ? nil : .array(endpoint.tags.map { .string($0) }),
            "params": params.isEmpty ? nil : .object(params),
        ]
        let all =
            head.map { ($0, $1) } + texts + [("stubs", stubs.isEmpty ? nil : .object(["variants": .object(stubs)]))]
        return .object(all.compactMap { name, value in value.map { OrderedJSON.Member(name, $0) } })
    }

    /// The defaults of the endpoint's group, and the endpoint itself.
    private mutating func sources(of endpoint: LocatedEndpoint) -> (defaults: JSONValue?, own: JSONValue?) {
        let root = roots[endpoint.file.name] ?? JSONDocument.read(endpoint.file).root
        roots[endpoint.file.name] = root
        guard let group = endpoint.group else { return (nil, root) }
        return (root?["defaults"], root?["endpoints"]?[String(endpoint.id.dropFirst(group.count + 1))])
    }

    /// The members of an object, or the items of a query that is text.
    private static func items(of value: OrderedJSON) -> [OrderedJSON.Member] {
        guard case .string(let query) = value else { return value.objectMembers ?? [] }
        return QueryItem.grouped(query).map { name, values in
            let all = values.map { OrderedJSON.string($0) }
            return OrderedJSON.Member(name, all.count == 1 ? all[0] : .array(all))
        }
    }

    /// The value of a key in several layers, whose members are merged by their names.
    private static func merged(
        _ key: String, _ layers: [JSONValue], by form: (String) -> String
    ) -> OrderedJSON? {
        var result: OrderedJSON?
        for value in layers.compactMap({ $0[key] }) {
            guard value.kind == .object else {
                result = value.kind == .null ? nil : OrderedJSON(value)
                continue
            }
            var members = result.map(items) ?? []
            for member in value.members {
                let new = OrderedJSON.Member(member.name, OrderedJSON(member.value))
                if let index = members.firstIndex(where: { form($0.name) == form(new.name) }) {
                    members[index] = new
                } else {
                    members.append(new)
                }
            }
            result = .object(members)
        }
        return result
    }

    /// The params of the endpoint, and then those of its group. A secret param has no value.
    private static func params(_ own: JSONValue?, _ defaults: JSONValue?) -> [OrderedJSON.Member] {
        let own = own?["params"].map { Array($0.members) } ?? []
        let names = Set(own.map(\.name))
        let inherited = (defaults?["params"].map { Array($0.members) } ?? []).filter { !names.contains($0.name) }
        return (own + inherited).filter { $0.value.kind != .null }.map { param in
            let members = OrderedJSON(param.value).objectMembers ?? []
            let isSecret = members.contains { $0 == OrderedJSON.Member("secret", true) }
            return OrderedJSON.Member(
                param.name, .object(members.filter { !isSecret || !["default", "example"].contains($0.name) }))
        }
    }

    private static func variant(_ response: StubReader.Response) -> OrderedJSON {
        let (json, text, implied): (OrderedJSON?, OrderedJSON?, String?) =
            switch response.body {
            case .json(let value): (value, nil, "application/json")
            case .text(let value): (nil, .string(value), "text/plain; charset=utf-8")
            case .none: (nil, nil, nil)
            }
        let type = response.contentType == implied ? nil : response.contentType
        return .object([
            "description": response.summary.map { .string($0) },
            "status": response.status == 200 ? nil : .int(response.status),
            "headers": type.map { .object(["Content-Type": .string(TextTemplate.escaped($0))]) },
            "json": json, "text": text,
        ])
    }

    // MARK: Environments

    /// The environment in the notation of its file.
    ///
    /// - Parameters:
    ///   - base: The URL of the server, with its placeholders.
    ///   - auth: The credentials, with the names of secrets.
    ///   - secrets: The names of all secrets that the description uses.
    static func environment(
        _ chain: EnvironmentChain, base: String, auth: OrderedJSON?, secrets: [String]
    ) -> OrderedJSON {
        let variables = chain.variables.compactMap { variable -> OrderedJSON.Member? in
            variable.value.set.map { OrderedJSON.Member(variable.name, $0.source) }
        }
        return .object([
            "name": .string(chain.name), "description": chain.layers.last?.summary.map { .string($0) },
            "baseURL": .string(base), "auth": auth,
            "variables": variables.isEmpty ? nil : .object(variables),
            "secrets": secrets.isEmpty ? nil : .array(secrets.map { .string($0) }),
        ])
    }
}

/// Turns values that other endpoints capture into params, since the description doesn't say which endpoints are sent first.
private struct CaptureNames {
    /// The param for each placeholder of a captured value, such as `login.token`.
    private let all: [String: OrderedJSON.Member]
    /// The params that have replaced placeholders so far, in the order of their first use.
    private(set) var params: [OrderedJSON.Member] = []

    init(_ request: OpenRequest) {
        let found = request.endpoint.usedCaptures.compactMap { placeholder -> (String, OrderedJSON.Member)? in
            let parts = placeholder.split(separator: ".").map(String.init)
            guard let alias = parts.first, let name = parts.last else { return nil }
            let captures = request.needs.first { $0.alias == alias }?.request.endpoint.definition.captures
            let isSecret = captures?[named: name]?.isSecret == true || LikelySecret.isName(name)
            let param = OrderedJSON.object(["type": "string", "secret": isSecret ? true : nil])
            return (placeholder, OrderedJSON.Member(name, param))
        }
        all = Dictionary(found) { first, _ in first }
    }

    mutating func replaced(in text: String) -> String {
        if all.isEmpty || !text.contains("{{") { return text }
        var parts = text.split(separator: "{{", omittingEmptySubsequences: false).map(String.init)
        for index in parts.indices.dropFirst() where !parts[index - 1].hasSuffix("\\") {
            guard let end = parts[index].firstRange(of: "}}"), let param = all[String(parts[index][..<end.lowerBound])]
            else { continue }
            if !params.contains(where: { $0.name == param.name }) { params.append(param) }
            parts[index].replaceSubrange(..<end.lowerBound, with: param.name)
        }
        return parts.joined(separator: "{{")
    }
}
