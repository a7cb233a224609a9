import NearNames
package import SourceText

/// An environment and all that it builds on: the layers from the first to the last, the environment itself at the end.
package struct EnvironmentChain: Sendable {
    package let name: String
    package let layers: [EnvironmentDefinition]

    package init(name: String, layers: [EnvironmentDefinition]) {
        self.name = name
        self.layers = layers
    }

    /// The variables in force, each with the environment that has the last word on it.
    package var variables: [Named<Setting<ValueTemplate>>] { lastOf(layers.flatMap(\.variables)) }

    package var secrets: [Named<Setting<SecretSource>>] { lastOf(layers.flatMap(\.secrets)) }

    package var policy: Policy? { layers.compactMap(\.policy).last?.value.value }

    package var stubs: [Named<Located<String>>]? { layers.compactMap(\.stubs).last?.value.value }

    private func lastOf<Value>(_ all: [Named<Setting<Value>>]) -> [Named<Setting<Value>>] {
        var result: [Named<Setting<Value>>] = []
        for item in all {
            result.removeAll { $0.name == item.name }
            if item.value.value.value != nil { result.append(item) }
        }
        return result
    }
}

extension Workspace {
    /// Reads an environment and what it extends, left to right, each file once.
    package func environment(_ name: String) -> Listed<Lookup<EnvironmentChain>> {
        var reading = ChainReading(workspace: self)
        guard !environmentEntries(named: name).isEmpty else { return Listed(.missing(unknownEnvironment(name))) }
        reading.visit(name, from: nil, path: [])
        if reading.diagnostics.contains(where: { $0.severity == .error }) {
            return Listed(.broken, reading.diagnostics)
        }
        return Listed(.found(EnvironmentChain(name: name, layers: reading.layers)), reading.diagnostics)
    }

    package func unknownEnvironment(_ name: String) -> NotFound {
        let names = environmentNames
        let list = names.isEmpty ? "the workspace has none" : "there are \(names.joined(separator: ", "))"
        let question = NearNames.question(for: name, among: names)
        return NotFound(
            message: "there is no environment \"\(name)\"", hint: question.map { "\($0); \(list)" } ?? list)
    }

    package var environmentNames: [String] {
        var names: [String] = []
        for entry in environmentEntries().value where names.last != entry.id { names.append(entry.id) }
        return names
    }
}

private struct ChainReading {
    let workspace: Workspace
    var layers: [EnvironmentDefinition] = []
    var diagnostics: [Diagnostic] = []
    private var done: Set<String> = []

    init(workspace: Workspace) { self.workspace = workspace }

    mutating func visit(_ name: String, from reference: Place?, path: [String]) {
        if path.contains(name) {
            diagnostics.append(
                Diagnostic(
                    code: .extendsCycle,
                    "environments extend each other in a circle: \((path + [name]).joined(separator: " → "))",
                    at: reference))
            return
        }
        // A base that two environments share comes once, where it is met first.
        guard done.insert(name).inserted else { return }
        let entries = workspace.environmentEntries(named: name)
        guard let entry = entries.first else {
            let missing = workspace.unknownEnvironment(name)
            diagnostics.append(
                Diagnostic(code: .environmentUnknown, missing.message, at: reference, hint: missing.hint))
            return
        }
        if let other = entries.dropFirst().first {
            diagnostics.append(
                Diagnostic(
                    code: .idClash,
                    "the environment \"\(name)\" is defined twice: \(workspace.shown(entry.path)) and \(workspace.shown(other.path))",
                    at: nil, fileName: workspace.shown(other.path), hint: "keep one of the two files"))
        }
        let loaded = workspace.load(environmentFile: entry)
        diagnostics += loaded.diagnostics
        guard let environment = loaded.value else { return }
        for base in environment.extends { visit(base.value, from: base.place, path: path + [name]) }
        layers.append(environment)
    }
}

extension Diagnostic.Code {
    package static let extendsCycle: Self = "extends.cycle"
    package static let environmentUnknown: Self = "environment.unknown"
}
