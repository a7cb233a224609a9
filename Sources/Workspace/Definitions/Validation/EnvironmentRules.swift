import ReqcliText
import RequestBuilding

/// Validates `extends` in environment files, and references to environments in other files.
enum EnvironmentRules {
    static func check(_ definitionIndex: DefinitionIndex) -> [Diagnostic] {
        let unknown = UnknownEnvironments(definitionIndex)
        let extended = definitionIndex.environments.flatMap(\.extends)
        let overlays = definitionIndex.endpoints.flatMap(\.definition.environments).map {
            Located($0.name, at: $0.namePlace)
        }
        let chosen = definitionIndex.settings.environment.map { [$0] } ?? []
        return circles(definitionIndex) + definitionIndex.chainProblems
            + (extended + overlays + chosen).compactMap(unknown.problem)
            + definitionIndex.flatMapLayers(warnings)
            + definitionIndex.environments.flatMap { stubs($0, definitionIndex) }
    }

    private static func circles(_ definitionIndex: DefinitionIndex) -> [Diagnostic] {
        ReferenceGraph(definitionIndex.environments.map { ($0.name, $0.extends) }).cycles().map {
            .extendsCycle($0.names, at: $0.place)
        }
    }

    private static func warnings(_ layer: RequestLayer) -> [Diagnostic] {
        cachePolicy(layer) + redirectCredentials(layer)
    }

    private static func redirectCredentials(_ layer: RequestLayer) -> [Diagnostic] {
        let redirects = layer.redirects?.set
        guard let entry = redirects?[TransferSetting.redirectCredentials.name],
            case .setting(let change) = entry.change, change.value != nil
        else { return [] }
        return [
            Diagnostic(
                .warning, code: .credentialsToAnyHost,
                "redirects may send credentials and secrets to any host", at: entry.place,
                hint: "remove \"credentials\", unless you trust each of these hosts")
        ]
    }

    private static func cachePolicy(_ layer: RequestLayer) -> [Diagnostic] {
        guard let setting = layer.cachePolicy, let policy = setting.set,
            policy.rawValue.hasPrefix("returnCache")
        else {
            return []
        }
        return [
            Diagnostic(
                .warning, code: .cachePolicyUnsupported,
                "reqcli has no cache yet, so \"\(policy.rawValue)\" has nothing to return",
                at: setting.place,
                hint: policy == .returnCacheDataDontLoad
                    ? "requests with this policy fail" : "requests with this policy are always sent")
        ]
    }

    private static func stubs(_ environment: EnvironmentDefinition, _ definitionIndex: DefinitionIndex) -> [Diagnostic]
    {
        (environment.stubs?.set ?? []).compactMap { stub -> Diagnostic? in
            guard let name = stub.value.set else { return nil }
            let variant = Located(name, at: stub.value.place)
            if stub.name == "*" { return AllVariantNames(definitionIndex).unknown(variant) }
            switch definitionIndex.endpoint(stub.name) {
            case .uncertain: return nil
            case .missing: return definitionIndex.unknownEndpoint(Located(stub.name, at: stub.namePlace))
            case .found(let endpoint):
                return VariantNames(endpoint).unknown(variant)
            }
        }
    }
}

/// Reports names of environments that don't exist.
private struct UnknownEnvironments {
    private let known: NameIndex
    private let list: String

    init(_ definitionIndex: DefinitionIndex) {
        known = definitionIndex.environmentNames
        list = NotFound.environmentList(known.names)
    }

    func problem(_ name: Located<String>) -> Diagnostic? {
        if known.contains(name.value) { return nil }
        return NotFound.environment(name.value, question: known.question(for: name.value), list: list)
            .diagnostic(.environmentUnknown, at: name.place)
    }
}
