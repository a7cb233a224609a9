import ReqcliBasics
package import ReqcliText

extension Workspace {
    /// Reads an environment and everything it extends, left to right. Each file is read once.
    package func environment(_ name: String) -> Diagnosed<Lookup<EnvironmentChain>> {
        if let missing = missing(environment: name) { return Diagnosed(.missing(missing)) }
        var diagnostics: [Diagnostic] = []
        let layers = ExtendsWalk.layers(of: name, reporting: &diagnostics) { name, reference, diagnostics in
            definition(of: name, from: reference, reporting: &diagnostics)
        }
        if diagnostics.contains(where: { $0.severity == .error }) { return Diagnosed(.broken, diagnostics) }
        let chain = EnvironmentChain(name: name, layers: layers)
        let tooLong = VariableRules.tooLong(chain)
        return Diagnosed(tooLong.isEmpty ? .found(chain) : .broken, diagnostics + tooLong)
    }

    /// The problem if an environment doesn't exist; nil if the environment exists, or if a folder can't be read.
    package func missing(environment name: String) -> NotFound? {
        let entries = environmentEntries(named: name)
        return entries.value.isEmpty && entries.diagnostics.isEmpty ? unknownEnvironment(name) : nil
    }

    private func definition(
        of name: String, from reference: Place?, reporting diagnostics: inout [Diagnostic]
    ) -> EnvironmentDefinition? {
        let entries = environmentEntries(named: name)
        diagnostics += entries.diagnostics
        guard let entry = entries.value.first else {
            if entries.diagnostics.isEmpty {
                diagnostics.append(unknownEnvironment(name).diagnostic(.environmentUnknown, at: reference))
            }
            return nil
        }
        diagnostics += entries.value.dropFirst().map { clash("environment", name, entry, $0) }
        let loaded = load(environmentFile: entry)
        diagnostics += loaded.diagnostics
        return loaded.value
    }

    /// The error for two files that define the same environment, or the same scenario.
    private func clash(_ kind: String, _ name: String, _ first: Entry, _ second: Entry) -> Diagnostic {
        Diagnostic(
            code: .idClash,
            "the \(kind) \"\(name)\" is defined twice: in \(shown(first.path)) and in \(shown(second.path))",
            at: nil, fileName: shown(second.path), hint: "keep one of the two files")
    }

    package func clashes(_ entries: [Entry], of kind: String) -> [Diagnostic] {
        var first: [String: Entry] = [:]
        return entries.compactMap { entry in
            if let earlier = first[entry.id] { return clash(kind, entry.id, earlier, entry) }
            first[entry.id] = entry
            return nil
        }
    }

    package func unknownEnvironment(_ name: String) -> NotFound { .environment(name, among: environmentNames) }

    package var environmentNames: [String] {
        var names: [String] = []
        for entry in environmentEntries().value where names.last != entry.id { names.append(entry.id) }
        return names
    }
}

extension NotFound {
    static func environment(_ name: String, among names: [String]) -> NotFound {
        environment(name, question: NearNames.question(for: name, among: names), list: environmentList(names))
    }

    static func environment(_ name: String, question: String?, list: String) -> NotFound {
        NotFound(
            message: "there is no environment \"\(name)\"", hint: question.map { "\($0) \(list)" } ?? list)
    }

    static func environmentList(_ names: [String]) -> String {
        names.isEmpty ? "the workspace has no environments" : "available: \(names.listed)"
    }
}

/// Walks from an environment to everything it extends. The walk uses no recursion, because the depth of the recursion would
/// depend on the files.
enum ExtendsWalk {
    /// The layers of an environment, bases first. A base that several layers share is included only once, at its first
    /// occurrence.
    static func layers(
        of name: String, reporting diagnostics: inout [Diagnostic],
        definition: (_ name: String, _ reference: Place?, _ diagnostics: inout [Diagnostic]) -> EnvironmentDefinition?
    ) -> [EnvironmentDefinition] {
        var layers: [EnvironmentDefinition] = []
        var path: [(environment: EnvironmentDefinition, nextBase: Int)] = []
        var met: Set<String> = [name]
        var open: Set<String> = []

        func enter(_ name: String, from reference: Place?, _ diagnostics: inout [Diagnostic]) {
            guard let environment = definition(name, reference, &diagnostics) else { return }
            path.append((environment, 0))
            open.insert(name)
        }

        enter(name, from: nil, &diagnostics)
        while let (environment, nextBase) = path.last {
            guard nextBase < environment.extends.count else {
                layers.append(environment)
                open.remove(environment.name)
                path.removeLast()
                continue
            }
            path[path.count - 1].nextBase += 1
            let base = environment.extends[nextBase]
            if open.contains(base.value) {
                let names = path.map(\.environment.name)
                let circle = Array(names.drop { $0 != base.value }) + [base.value]
                diagnostics.append(.extendsCycle(circle, at: base.place))
            } else if met.insert(base.value).inserted {
                if met.count > Limits.bases + 1 {
                    diagnostics.append(.tooManyBases(of: name, at: path[0].environment.extends.first?.place))
                    return layers
                }
                enter(base.value, from: base.place, &diagnostics)
            }
        }
        return layers
    }

    /// The chains of all environments, and problems for environments that extend too many others. An environment is not reported
    /// if it extends a reported environment.
    static func chains(of environments: [EnvironmentDefinition]) -> ([EnvironmentChain], problems: [Diagnostic]) {
        let definitions = Dictionary(environments.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let ordered = ReferenceGraph(environments.map { ($0.name, $0.extends) }).basesFirst
        var chains: [String: EnvironmentChain] = [:]
        var tooMany: Set<String> = []
        var problems: [Diagnostic] = []
        for name in ordered {
            if definitions[name]?.extends.contains(where: { tooMany.contains($0.value) }) == true {
                tooMany.insert(name)
                continue
            }
            var met: [Diagnostic] = []
            let layers = layers(of: name, reporting: &met) { name, _, _ in definitions[name] }
            let own = met.filter { $0.code == .extendsCount }
            if own.isEmpty {
                chains[name] = EnvironmentChain(name: name, layers: layers)
            } else {
                tooMany.insert(name)
                problems += own
            }
        }
        return (environments.compactMap { chains[$0.name] }, problems)
    }
}

extension Diagnostic {
    static func extendsCycle(_ names: [String], at place: Place?) -> Diagnostic {
        .cycle(
            .extendsCycle, "environments extend each other", names, at: place,
            hint: "remove one of these environments from \"extends\"")
    }
}

extension Diagnostic {
    fileprivate static func tooManyBases(of name: String, at place: Place?) -> Diagnostic {
        Diagnostic(
            code: .extendsCount, "\"\(name)\" extends more than \(Limits.bases) environments", at: place,
            hint: "merge some of these environments")
    }
}

extension Diagnostic.Code {
    package static let extendsCycle: Self = "extends.cycle"
    package static let extendsCount: Self = "extends.count"
    package static let environmentUnknown: Self = "environment.unknown"
}
