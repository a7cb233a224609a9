package import ReqcliText

/// Checks that files named in definitions exist, and that stub files are below `stubs/`.
enum FileRules {
    static func check(_ definitionIndex: DefinitionIndex) -> [Diagnostic] {
        let workspace = definitionIndex.workspace
        let parameters = definitionIndex.files.flatMap { $0.defaults?.parameters ?? [] }
        let files = definitionIndex.flatMapLayers { $0.tls?.set?.texts ?? [] }
        return files.compactMap { problem($0, workspace) } + defaultFiles(parameters, workspace)
            + definitionIndex.endpoints.flatMap { problems($0.definition, workspace) }
    }

    private static func problems(_ endpoint: EndpointDefinition, _ workspace: Workspace) -> [Diagnostic] {
        let stubs = endpoint.stubs?.variants.flatMap(\.value.withWrittenSteps) ?? []
        return (endpoint.flatMapLayers(bodyFiles) + givenFiles(endpoint)).compactMap { problem($0, workspace) }
            + defaultFiles(endpoint.parameters, workspace)
            + stubs.compactMap { stub in
                if case .file(let path) = stub.body { workspace.problem(ofStubFile: path) } else { nil }
            }
    }

    private static func bodyFiles(_ layer: EndpointLayer) -> [TextTemplate] {
        switch layer.body?.set?.content {
        case .file(let path): [path]
        case .multipart(let parts):
            parts.compactMap { $0.value.source?.filePath }
        case .graphQL(let operation): [operation.document?.filePath].compactMap(\.self)
        default: []
        }
    }

    /// Checks the default values of params of type `file`.
    private static func defaultFiles(_ parameters: [Named<Parameter>], _ workspace: Workspace) -> [Diagnostic] {
        parameters.compactMap { parameter in
            guard parameter.value.kind == .file, let path = parameter.value.defaultValue,
                case .string(let text) = path.value
            else { return nil }
            return problem(text, at: path.place, workspace)
        }
    }

    /// The values that an endpoint's checks give to file params.
    private static func givenFiles(_ endpoint: EndpointDefinition) -> [TextTemplate] {
        let names = Set(endpoint.parameters.filter { $0.value.kind == .file }.map(\.name))
        if names.isEmpty { return [] }
        return endpoint.checks.flatMap(\.parameters).filter { names.contains($0.name) }.flatMap(\.value.texts)
    }

    /// The problem with a path; nil for a path with placeholders, because such a path is different for each call.
    private static func problem(_ template: TextTemplate, _ workspace: Workspace) -> Diagnostic? {
        template.literal.flatMap { problem($0, at: template.place, workspace) }
    }

    static func problem(_ path: String, at place: Place, _ workspace: Workspace) -> Diagnostic? {
        // A path in the home folder differs between machines.
        guard !path.hasPrefix("~") else { return nil }
        switch workspace.files.kind(workspace.path(path)) {
        case .file: return nil
        case nil:
            return Diagnostic(
                code: .fileMissing, "there is no file \"\(path)\"", at: place,
                hint: "paths are relative to the workspace's root")
        case .directory, .other:
            return Diagnostic(code: .fileMissing, "\"\(path)\" is not a regular file", at: place)
        }
    }
}

extension Workspace {
    /// The problem with a stub's file, which must exist below `stubs/` after links are followed.
    package func problem(ofStubFile name: Located<String>) -> Diagnostic? {
        let inside = "stubs/\(name.value)"
        guard let resolved = files.resolve(path(inside)), let stubs = files.resolve(path("stubs")) else {
            return Diagnostic(code: .fileMissing, "there is no file \"\(inside)\"", at: name.place)
        }
        guard resolved.hasPrefix(stubs + "/"), FilePath.isInside(stubs, files.resolve(root) ?? root) else {
            return Diagnostic(
                code: .valueInvalid, "\"\(inside)\" leads to a place outside stubs/", at: name.place,
                hint: "a stub's file must be below stubs/")
        }
        guard files.kind(resolved) == .file else {
            return Diagnostic(code: .fileMissing, "\"\(inside)\" is not a regular file", at: name.place)
        }
        return nil
    }
}
