import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText

/// The variables and secrets of an environment, for finding what placeholders stand for.
final class FlowScope {
    let environment: EnvironmentChain
    private var valuesOfVariables: [String: Set<FlowingValue>] = [:]
    private var textsOfVariables: [String: [String]] = [:]

    /// The limits for the texts that a template may stand for. Texts beyond the limits count as one text.
    private static let mostTexts = 256
    private static let longestText = 4096

    /// The beginning of a variable without a value in the name of a server.
    private static let open = "{{?"

    init(_ environment: EnvironmentChain) { self.environment = environment }

    /// Whether a server has no placeholder for a variable without a value. Nothing can be sent to a server that has one.
    static func isKnown(_ server: String) -> Bool { !server.contains(open) }

    // MARK: Values

    /// The values that placeholders of an endpoint stand for.
    func values(of placeholders: [Placeholder], in endpoint: LocatedEndpoint) -> Set<FlowingValue> {
        let parameters = Set(endpoint.parameters.map(\.name))
        var values: Set<FlowingValue> = []
        for placeholder in placeholders {
            switch placeholder {
            case .name(let name) where parameters.contains(name):
                values.insert(.parameter(name, of: endpoint.id))
            case .capture(let alias, let name):
                guard let id = endpoint.needs[named: alias]?.endpoint?.value else { continue }
                values.insert(.capture(name, of: id))
            default: values.formUnion(self.values(of: placeholder))
            }
        }
        return values
    }

    /// The values that a placeholder of an environment stands for.
    private func values(of placeholder: Placeholder) -> Set<FlowingValue> {
        switch placeholder {
        case .name(let name): return values(ofVariable: name)
        case .secret(let name):
            guard let source = environment.secret(name)?.set else { return [] }
            return [FlowingValue(source, name: name)]
        case .processVariable(let name): return [.processVariable(name)]
        case .capture, .generated, .computed: return []
        }
    }

    private func values(ofVariable name: String) -> Set<FlowingValue> {
        if let known = valuesOfVariables[name] { return known }
        valuesOfVariables[name] = []  // A variable that refers to itself has no value.
        guard let value = environment.variable(name)?.set else { return [] }
        var values = value.placeholders.reduce(into: Set<FlowingValue>()) { $0.formUnion(self.values(of: $1.value)) }
        if LikelySecret.isIn(.object([OrderedJSON.Member(name, value.source)])), case .string(let text)? = value.literal
        {
            values.insert(.literal(text, name: name))
        }
        valuesOfVariables[name] = values
        return values
    }

    // MARK: Servers

    /// The servers of a request, each as scheme, host and port. A placeholder without a value stays in them.
    func servers(of request: EffectiveRequest, _ endpoint: LocatedEndpoint) -> Set<String> {
        let server = request.server
        let hosts = server.host.map { texts(of: $0, endpoint) }
        let ports = server.port.map { port -> [String] in
            if case .text(let template) = port { texts(of: template, endpoint) } else { [port.source.compact] }
        }
        var origins: [ServerOrigin] = []
        if let base = server.base {
            origins = texts(of: base, endpoint).map(ServerOrigin.init)
        } else if hosts != nil {
            origins = [ServerOrigin("https://")]
        }
        if let scheme = server.scheme { for index in origins.indices { origins[index].scheme = scheme } }
        if let hosts { origins = origins.flatMap { origin in hosts.map { origin.with(host: $0) } } }
        if let ports { origins = origins.flatMap { origin in ports.map { origin.with(port: $0) } } }
        var servers = Set(origins.map(\.text))
        // A proxy can read requests that aren't encrypted.
        if !servers.isEmpty, let proxy = request.proxy {
            servers.formUnion(texts(of: proxy.url, endpoint).filter { !$0.isEmpty }.map { ServerOrigin($0).text })
        }
        return servers
    }

    /// The servers that a variable contains as URLs.
    func servers(ofVariable name: String) -> Set<String> {
        Set(texts(of: .name(name), nil).filter { $0.contains("://") }.map { ServerOrigin($0).text })
    }

    /// All texts that a template may stand for. A param stands for its default, its examples and the values that it allows.
    private func texts(of template: TextTemplate, _ endpoint: LocatedEndpoint?) -> [String] {
        var texts = [""]
        for piece in template.pieces {
            let next: [String] =
                switch piece {
                case .literal(let text): [text]
                case .placeholder(let placeholder): self.texts(of: placeholder.value, endpoint)
                }
            texts =
                texts.count * next.count > Self.mostTexts
                ? [texts.joined(separator: " ") + next.joined(separator: " ")]
                : texts.flatMap { text in next.map { String((text + $0).prefix(Self.longestText)) } }
        }
        return texts
    }

    private func texts(of placeholder: Placeholder, _ endpoint: LocatedEndpoint?) -> [String] {
        guard case .name(let name) = placeholder else { return ["{{\(placeholder.text)}}"] }
        if let endpoint, let parameter = endpoint.parameters[named: name] {
            let samples =
                [parameter.defaultValue, parameter.example].compactMap(\.self) + (parameter.allowed ?? [])
            let texts = samples.map { sample in
                if case .string(let text) = sample.value { text } else { sample.value.compact }
            }
            return texts.isEmpty ? ["{{\(name) of \(endpoint.id)}}"] : texts
        }
        if let known = textsOfVariables[name] { return known }
        let open = ["\(Self.open)\(name)}}"]
        textsOfVariables[name] = open
        guard let value = environment.variable(name)?.set else { return open }
        let own = value.texts
        let texts = own.isEmpty ? [value.source.compact] : own.flatMap { self.texts(of: $0, nil) }
        textsOfVariables[name] = texts
        return texts
    }
}

/// Scheme, host and port of a URL.
private struct ServerOrigin {
    var scheme = ""
    private var host = ""
    private var port = ""

    init(_ url: String) {
        var rest = url.lowercased()[...]
        if let mark = rest.firstRange(of: "://") {
            scheme = String(rest[..<mark.lowerBound])
            rest = rest[mark.upperBound...]
        }
        // Slashes in placeholders don't end the host, since names have no slashes.
        let authority = rest.prefix { !"/?#\\".contains($0) }
        let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        let colon = place.lastIndex(of: ":").flatMap { colon in place[colon...].contains("]") ? nil : colon }
        host = String(place[..<(colon ?? place.endIndex)])
        if let colon { port = String(place[place.index(after: colon)...]) }
    }

    func with(host: String) -> ServerOrigin {
        var origin = self
        origin.host = host.lowercased()
        return origin
    }

    func with(port: String) -> ServerOrigin {
        var origin = self
        origin.port = port
        return origin
    }

    var text: String {
        let isUsual = port.isEmpty || port == (scheme == "https" ? "443" : scheme == "http" ? "80" : "")
        return "\(scheme)://\(host)\(isUsual ? "" : ":" + port)"
    }
}
