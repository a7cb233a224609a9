import ReqcliAssembly
import ReqcliDefinitions

extension LocatedEndpoint {
    /// Whether the endpoint or its group names the host of its requests.
    func hasServer(in environment: String) -> Bool {
        layers(in: environment).contains { $0.baseURL != nil || $0.host != nil }
    }

    /// The names of the headers that the endpoint or its group sets, in lowercase.
    func headerNames(in environment: String) -> Set<String> {
        let layers = [definition.environments[named: environment]?.layer, definition.request.layer, defaults?.layer]
        return Set(layers.compactMap(\.self).flatMap { $0.headers.map { $0.name.lowercased() } })
    }

    func pathIsSegmented(in environment: String) -> Bool {
        let path = definition.environments[named: environment]?.path ?? definition.request.path
        if case .segments? = path?.set { return true }
        return false
    }

    /// Whether a part of a request may be missing if the part consists only of this gap.
    func mayLack(_ gap: OpenValue?, _ choices: [String: RequestPattern.Choice]) -> Bool {
        guard case .parameter(let name)? = gap else { return false }
        if let choice = choices[name] {
            return choice.otherwise == nil && choice.parameter.map { mayLack(.parameter($0), choices) } ?? false
        }
        guard let parameter = parameters[named: name] else { return false }
        return parameter.defaultValue == nil && !parameter.isRequired
    }
}
