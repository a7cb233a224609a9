package import SourceText

/// An endpoint together with what its file says around it. It never changes and is handed around a lot, so it is shared.
package final class LocatedEndpoint: Sendable {
    package let id: String
    package let definition: EndpointDefinition
    package let defaults: GroupDefaults?
    package let group: String?
    package let file: SourceFile
    /// Its params, those of its group included; its own come first.
    package let parameters: [Named<Parameter>]
    package let needs: [Named<Need>]

    init(
        id: String, definition: EndpointDefinition, defaults: GroupDefaults?, group: String?, file: SourceFile
    ) {
        self.id = id
        self.definition = definition
        self.defaults = defaults
        self.group = group
        self.file = file
        parameters = Self.merged(
            definition.parameters, defaults?.parameters, without: definition.removedParameters)
        needs = Self.merged(definition.needs, defaults?.needs, without: definition.removedNeeds)
    }

    /// The same endpoint with some of its needs alone.
    package func needing(_ isNeeded: (_ alias: String) -> Bool) -> LocatedEndpoint {
        var definition = definition
        var defaults = defaults
        definition.needs.removeAll { !isNeeded($0.name) }
        defaults?.needs.removeAll { !isNeeded($0.name) }
        return LocatedEndpoint(id: id, definition: definition, defaults: defaults, group: group, file: file)
    }

    package var tags: [String] { definition.tags ?? defaults?.tags ?? [] }

    private static func merged<Value>(
        _ own: [Named<Value>], _ inherited: [Named<Value>]?, without removed: Set<String>
    ) -> [Named<Value>] {
        guard let inherited, !inherited.isEmpty else { return own }
        let hidden = removed.union(own.map(\.name))
        return own + inherited.filter { !hidden.contains($0.name) }
    }

    package var method: String { method(in: nil) }

    /// With what it says for an environment alone.
    package func method(in environment: String?) -> String {
        overlay(environment)?.method?.value ?? definition.request.method?.value ?? "GET"
    }

    /// The path as its file writes it.
    package func path(in environment: String?) -> String {
        let setting = overlay(environment)?.path ?? definition.request.path
        return setting?.value.value?.source ?? ""
    }

    private func overlay(_ environment: String?) -> EndpointLayer? {
        environment.flatMap { definition.environments[named: $0] }
    }
}
