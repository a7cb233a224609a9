import ReqcliText
@_spi(Generated) import RequestBuilding

/// Validates `extends` in environment files. Also warns about settings of a layer that have no effect, or that let redirects send
/// credentials to any host.
enum EnvironmentRules {
    static func check(_ definitionIndex: DefinitionIndex) -> [Diagnostic] {
        circles(definitionIndex) + definitionIndex.chainProblems + definitionIndex.flatMapLayers(warnings)
            + definitionIndex.environments.compactMap(snapshot)
    }

    /// Snapshots belong to endpoints, whichever environment is used: otherwise, an update in one environment would remove those of
    /// another.
    private static func snapshot(_ environment: EnvironmentDefinition) -> Diagnostic? {
        guard let expectation = environment.expectation, expectation.set?.snapshot != nil else { return nil }
        return Diagnostic(
            code: .valueInvalid, "\"expect\" of an environment can't have a \"snapshot\"", at: expectation.place,
            hint: "write the snapshot to the endpoints or to the \"defaults\" of a group")
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
}
