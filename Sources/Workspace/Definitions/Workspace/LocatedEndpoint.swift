package import ReqcliText

/// An endpoint together with what it inherits from its group, and from the environment in which it is used. The type is a class,
/// because an endpoint never changes and is passed around often.
package final class LocatedEndpoint: Sendable {
    package let id: String
    package let definition: EndpointDefinition
    package let defaults: GroupDefaults?
    package let group: String?
    package let file: SourceFile
    /// The environment in which the endpoint is used; nil if the endpoint is only read.
    package let environment: EnvironmentChain?
    /// The params of the endpoint and of its group; the endpoint's own params come first.
    package let parameters: [Named<Parameter>]
    package let needs: [Named<Need>]

    init(
        id: String, definition: EndpointDefinition, defaults: GroupDefaults?, group: String?, file: SourceFile,
        environment: EnvironmentChain? = nil, needing isNeeded: (_ alias: String) -> Bool = { _ in true }
    ) {
        self.id = id
        self.definition = definition
        self.defaults = defaults
        self.group = group
        self.file = file
        self.environment = environment
        parameters = Self.merged(
            definition.parameters, defaults?.parameters, without: definition.removedParameters)
        let own = Self.merged(definition.needs, defaults?.needs, without: definition.removedNeeds)
        // An endpoint that the environment needs can't need itself.
        let shared = environment.flatMap { $0.needs(id) ? nil : $0.needs }
        let removed = definition.removedNeeds.union(defaults?.removedNeeds ?? [])
        needs = Self.merged(own, shared, without: removed).filter { isNeeded($0.name) }
    }

    /// The file name of endpoints that are typed on the command line. The name of a real file always contains a folder, so the
    /// names can't be confused.
    private static let commandLine = "command line"

    /// Whether the endpoint was typed on the command line and is not in a file.
    package var isTyped: Bool { file.name == Self.commandLine }

    /// An endpoint that sets nothing, for a request that is typed on the command line.
    package convenience init(typed id: String, in environment: EnvironmentChain?) {
        let file = SourceFile(name: Self.commandLine, text: "{}")
        let place = Place(file, 0..<2)
        self.init(
            id: id, definition: EndpointDefinition(place: place), defaults: nil, group: nil, file: file,
            environment: environment)
    }

    /// The endpoint as it is used in an environment.
    package func inside(_ environment: EnvironmentChain?) -> LocatedEndpoint {
        LocatedEndpoint(
            id: id, definition: definition, defaults: defaults, group: group, file: file, environment: environment)
    }

    /// The endpoint with another definition, which the source file contains alone.
    ///
    /// - Returns: Nil, with the problems, if the source is not an endpoint.
    package func defined(by source: SourceFile) -> Diagnosed<LocatedEndpoint?> {
        let document = JSONDocument.read(source, syntax: .commented)
        guard let root = document.validRoot else { return Diagnosed(nil, document.diagnostics) }
        var decoding = Decoding(subject: source.name)
        let definition = EndpointDefinition.table.decode(root, &decoding)
        let endpoint = definition.map { definition in
            LocatedEndpoint(
                id: id, definition: definition, defaults: defaults, group: group, file: source, environment: environment
            )
        }
        return Diagnosed(endpoint, decoding.diagnostics.diagnostics)
    }

    private func with(
        _ definition: EndpointDefinition, _ defaults: GroupDefaults?, needing isNeeded: (_ alias: String) -> Bool
    ) -> LocatedEndpoint {
        LocatedEndpoint(
            id: id, definition: definition, defaults: defaults, group: group, file: file, environment: environment,
            needing: isNeeded)
    }

    /// A copy with only some of the entries in `needs`.
    package func needing(_ isNeeded: (_ alias: String) -> Bool) -> LocatedEndpoint {
        with(definition, defaults) { needs[named: $0] != nil && isNeeded($0) }
    }

    /// A copy with these params in place of the params of the endpoint and its group.
    package func taking(_ parameters: [Named<Parameter>]) -> LocatedEndpoint {
        var definition = definition
        var defaults = defaults
        definition.parameters = parameters
        defaults?.parameters = []
        return with(definition, defaults) { needs[named: $0] != nil }
    }

    /// The layers that the endpoint adds to the layers of an environment.
    package func layers(in environment: String) -> [RequestLayer] {
        [defaults?.layer, definition.request.layer, overlay(environment)?.layer].compactMap(\.self)
    }

    /// A copy with these layers in place of the endpoint's layers in an environment.
    package func taking(_ layers: [RequestLayer], in environment: String) -> LocatedEndpoint {
        var definition = definition
        var defaults = defaults
        var layers = layers[...]
        if let layer = defaults == nil ? nil : layers.popFirst() { defaults?.layer = layer }
        if let layer = layers.popFirst() { definition.request.layer = layer }
        if let layer = layers.popFirst() {
            definition.environments = definition.environments.map { overlay in
                guard overlay.name == environment else { return overlay }
                var value = overlay.value
                value.layer = layer
                return Named(overlay.name, at: overlay.namePlace, value)
            }
        }
        return with(definition, defaults) { needs[named: $0] != nil }
    }

    /// The endpoint with only what leads to its server: no path, headers, credentials or body.
    package var server: LocatedEndpoint {
        var definition = definition
        var defaults = defaults
        if let layer = defaults?.layer.server { defaults?.layer = layer }
        definition.request = EndpointLayer(layer: definition.request.layer.server)
        definition.environments = definition.environments.map { overlay in
            Named(overlay.name, at: overlay.namePlace, EndpointLayer(layer: overlay.value.layer.server))
        }
        return with(definition, defaults) { _ in false }
    }

    /// The captures that the endpoint's placeholders name, as written: `login.token`.
    package var usedCaptures: [String] {
        let layers = [definition.request] + definition.environments.map(\.value)
        let shared = environment?.layers.flatMap(\.placeholders) ?? []
        let placeholders = layers.flatMap(\.placeholders) + (defaults?.placeholders ?? []) + shared
        var names: [String] = []
        for case .capture(let alias, let name) in placeholders.map(\.value)
        where needs[named: alias] != nil && !names.contains("\(alias).\(name)") {
            names.append("\(alias).\(name)")
        }
        return names
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

    /// The method in an environment. The endpoint's part for this environment can override the method.
    package func method(in environment: String?) -> String {
        overlay(environment)?.method?.value ?? definition.request.method?.value ?? "GET"
    }

    /// The path in an environment, as written in the file.
    package func path(in environment: String?) -> String {
        let setting = overlay(environment)?.path ?? definition.request.path
        return setting?.set?.source ?? ""
    }

    /// The body in an environment, with its placeholders.
    package func body(in environment: String?) -> Body? {
        (overlay(environment)?.body ?? definition.request.body)?.set
    }

    /// The place of the endpoint's GraphQL operation; nil if it sends none.
    package func graphQLPlace(in environment: String?) -> Place? {
        body(in: environment).flatMap { $0.isGraphQL ? $0.place : nil }
    }

    private func overlay(_ environment: String?) -> EndpointLayer? {
        environment.flatMap { definition.environments[named: $0] }
    }
}
