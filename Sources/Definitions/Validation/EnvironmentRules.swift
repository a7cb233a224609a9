import NearNames
import SourceText

/// Environments: what they extend, and what names them.
enum EnvironmentRules {
    static func check(_ census: Census) -> [Diagnostic] {
        var problems: [Diagnostic] = []
        for environment in census.environments {
            problems += census.workspace.environment(environment.name).diagnostics
            problems += cachePolicy(environment.layer)
            problems += stubs(environment, census)
            problems += variableCycles(environment)
        }
        for file in census.files {
            if case .group(let group) = file.content, let defaults = group.defaults {
                problems += cachePolicy(defaults.layer)
            }
        }
        for endpoint in census.endpoints {
            problems += cachePolicy(endpoint.definition.request.layer)
            for overlay in endpoint.definition.environments {
                problems += cachePolicy(overlay.value.layer)
                if !census.environmentNames.contains(overlay.name) {
                    problems.append(unknown(overlay.name, at: overlay.namePlace, census))
                }
            }
        }
        if let name = census.settings.environment, !census.environmentNames.contains(name.value) {
            problems.append(unknown(name.value, at: name.place, census))
        }
        return problems
    }

    private static func unknown(_ name: String, at place: Place, _ census: Census) -> Diagnostic {
        let missing = census.workspace.unknownEnvironment(name)
        return Diagnostic(code: .environmentUnknown, missing.message, at: place, hint: missing.hint)
    }

    private static func cachePolicy(_ layer: RequestLayer) -> [Diagnostic] {
        guard let setting = layer.cachePolicy, let policy = setting.value.value,
            policy.rawValue.hasPrefix("returnCache")
        else {
            return []
        }
        return [
            Diagnostic(
                .warning, code: .cachePolicyUnsupported,
                "there is no cache yet: \"\(policy.rawValue)\" has nothing to return",
                at: setting.place,
                hint: policy == .returnCacheDataDontLoad ? "requests with it fail" : "requests with it are always sent")
        ]
    }

    private static func stubs(_ environment: EnvironmentDefinition, _ census: Census) -> [Diagnostic] {
        (environment.stubs?.value.value ?? []).compactMap { stub -> Diagnostic? in
            if stub.name == "*" { return nil }
            guard let endpoint = census.endpoint(stub.name) else {
                return Diagnostic(
                    code: .endpointUnknown, "there is no endpoint \"\(stub.name)\"", at: stub.namePlace,
                    hint: NearNames.question(for: stub.name, among: census.endpointIDs))
            }
            return StubRules.unknownVariant(stub.value, of: endpoint.definition.stubs, endpoint.id)
        }
    }

    /// Variables that stand for each other would never come to an end.
    private static func variableCycles(_ environment: EnvironmentDefinition) -> [Diagnostic] {
        let uses = Dictionary(
            environment.variables.map { variable in
                let placeholders = variable.value.value.value?.placeholders ?? []
                return (
                    variable.name, placeholders.compactMap { if case .name(let name) = $0.value { name } else { nil } }
                )
            }, uniquingKeysWith: { first, _ in first })
        return environment.variables.compactMap { variable in
            Cycle.path(from: variable.name) { uses[$0] ?? [] }.map { path in
                Diagnostic(
                    code: .variableCycle,
                    "variables stand for each other in a circle: \(path.joined(separator: " → "))",
                    at: variable.namePlace)
            }
        }
    }
}

/// Looks for a way from a thing back to itself.
enum Cycle {
    /// The things on that way, the first one at both ends; nil if there is none.
    static func path(from start: String, next: (String) -> [String]) -> [String]? {
        var stack = [[start]]
        var seen: Set<String> = []
        while let path = stack.popLast(), let last = path.last {
            for following in next(last).reversed() {
                if following == start { return path + [start] }
                if seen.insert(following).inserted { stack.append(path + [following]) }
            }
        }
        return nil
    }
}
