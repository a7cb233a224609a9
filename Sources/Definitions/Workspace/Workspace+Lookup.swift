import NearNames
package import SourceText

/// An endpoint together with what its file says around it.
package struct LocatedEndpoint: Sendable {
    package let id: String
    package let definition: EndpointDefinition
    package let defaults: GroupDefaults?
    package let group: String?
    package let file: SourceFile

    /// Its params, those of its group included; its own come first.
    package var parameters: [Named<Parameter>] {
        definition.parameters + (defaults?.parameters ?? []).filter { definition.parameters[named: $0.name] == nil }
    }

    package var needs: [Named<Need>] {
        definition.needs + (defaults?.needs ?? []).filter { definition.needs[named: $0.name] == nil }
    }

    package var tags: [String] {
        (defaults?.tags ?? []) + definition.tags.filter { !(defaults?.tags.contains($0) ?? false) }
    }

    package var method: String { definition.request.method?.value ?? "GET" }
}

extension EndpointFile {
    package var located: [LocatedEndpoint] {
        endpoints.map { id, definition, defaults in
            let group: String? = if case .group = content { self.id } else { nil }
            return LocatedEndpoint(id: id, definition: definition, defaults: defaults, group: group, file: source)
        }
    }
}

/// Something named on the command line, or in a file, that isn't there.
package struct NotFound: Error, Equatable {
    package let message: String
    package let hint: String?

    package init(message: String, hint: String?) {
        self.message = message
        self.hint = hint
    }
}

/// What came of looking for something by name.
package enum Lookup<Value: Sendable>: Sendable {
    case found(Value)
    /// The files that hold it are broken.
    case broken
    case missing(NotFound)
}

extension Workspace {
    /// Finds an endpoint; reads only the files that may define it, unless there is none: then all, for near names.
    package func endpoint(_ id: String) -> Listed<Lookup<LocatedEndpoint>> {
        let loaded = entries(thatMayDefine: id).map { ($0, load(endpointFile: $0)) }
        let problems = loaded.flatMap(\.1.diagnostics)
        let found = loaded.compactMap(\.1.value).flatMap(\.located).filter { $0.id == id }
        if found.count > 1 { return Listed(.broken, problems + clashes(found)) }
        if problems.contains(where: { $0.severity == .error }) { return Listed(.broken, problems) }
        if let endpoint = found.first { return Listed(.found(endpoint), problems) }
        return Listed(.missing(unknownEndpoint(id)), problems)
    }

    private func unknownEndpoint(_ id: String) -> NotFound {
        let ids = endpointEntries().value.flatMap { load(endpointFile: $0).value?.located.map(\.id) ?? [] }
        let group = ids.filter { $0.hasPrefix(id + ".") }
        if !group.isEmpty {
            return NotFound(
                message: "\"\(id)\" is a group, not an endpoint",
                hint: "it holds \(group.map { "\"\($0)\"" }.joined(separator: ", "))")
        }
        return NotFound(
            message: "there is no endpoint \"\(id)\"",
            hint: NearNames.question(for: id, among: ids) ?? "run \"reqcli list\" to see them")
    }

    /// Two files for one id: an error that names both.
    package func clashes(_ endpoints: [LocatedEndpoint]) -> [Diagnostic] {
        Dictionary(grouping: endpoints, by: \.id).filter { $0.value.count > 1 }.sorted { $0.key < $1.key }.flatMap {
            id, all in
            all.dropFirst().map { other in
                Diagnostic(
                    code: .idClash, "the endpoint \"\(id)\" is defined twice", at: other.definition.place,
                    hint: "rename one of them",
                    notes: all.first.map { [Diagnostic.Note("it is also defined here", at: $0.definition.place)] } ?? []
                )
            }
        }
    }
}
