package import SourceText

/// Files that definitions name exist, and those of stubs are where they may be.
enum FileRules {
    static func check(_ census: Census) -> [Diagnostic] {
        census.endpoints.flatMap { endpoint -> [Diagnostic] in
            let layers = [endpoint.definition.request] + endpoint.definition.environments.map(\.value)
            let named = layers.flatMap { bodyFiles($0) + tlsFiles($0.layer) }
            let variants = endpoint.definition.stubs?.variants.map(\.value) ?? []
            return named.compactMap { missing($0, census.workspace) }
                + variants.flatMap(stubFiles).compactMap { census.workspace.problem(ofStubFile: $0) }
        } + census.environments.flatMap { tlsFiles($0.layer) }.compactMap { missing($0, census.workspace) }
    }

    private static func bodyFiles(_ layer: EndpointLayer) -> [TextTemplate] {
        switch layer.body?.value.value?.content {
        case .file(let path): [path]
        case .multipart(let parts):
            parts.compactMap { if case .file(let path) = $0.value.source { path } else { nil } }
        default: []
        }
    }

    private static func tlsFiles(_ layer: RequestLayer) -> [TextTemplate] { layer.tls?.value.value?.texts ?? [] }

    private static func stubFiles(_ variant: StubVariant) -> [Located<String>] {
        var files: [Located<String>] = []
        if case .file(let path) = variant.body { files.append(path) }
        for case .written(let step) in variant.sequence ?? [] { files += stubFiles(step) }
        return files
    }

    private static func missing(_ template: TextTemplate, _ workspace: Workspace) -> Diagnostic? {
        // A path with placeholders, or in the home folder, is another one on every call and machine.
        guard let path = template.literal, !path.hasPrefix("~"), workspace.files.kind(workspace.path(path)) == nil
        else {
            return nil
        }
        return Diagnostic(
            code: .fileMissing, "there is no file \"\(path)\"", at: template.place,
            hint: "paths are seen from the workspace's root")
    }
}

extension Workspace {
    /// What is wrong with a file that a stub names: it must exist below `stubs/`, links followed.
    package func problem(ofStubFile name: Located<String>) -> Diagnostic? {
        let inside = "stubs/\(name.value)"
        guard let resolved = files.resolve(path(inside)), let stubs = files.resolve(path("stubs")) else {
            return Diagnostic(code: .fileMissing, "there is no file \"\(inside)\"", at: name.place)
        }
        guard resolved.hasPrefix(stubs + "/") else {
            return Diagnostic(
                code: .valueInvalid, "\"\(inside)\" leads out of stubs/", at: name.place,
                hint: "a stub's file stays below stubs/")
        }
        guard files.kind(resolved) == .file else {
            return Diagnostic(code: .fileMissing, "\"\(inside)\" is not a regular file", at: name.place)
        }
        return nil
    }
}
