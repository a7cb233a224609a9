package import ReqcliText

/// Checks that files named in definitions exist, and that stub files are below `stubs/`.
enum FileRules {
    static func rule(_ definitionIndex: DefinitionIndex) -> MentionRule {
        let workspace = definitionIndex.workspace
        var problems: [Diagnostic?] = []
        return MentionRule { mention, _ in
            switch mention {
            case .file(let path): problems.append(problem(path, workspace))
            case .stubFile(let path): problems.append(workspace.problem(ofStubFile: path))
            default: break
            }
        } problems: {
            problems.compactMap(\.self)
        }
    }

    /// The problem with a path; nil for a path with placeholders, because such a path is different for each call.
    private static func problem(_ template: TextTemplate, _ workspace: Workspace) -> Diagnostic? {
        template.literal.flatMap { problem($0, at: template.place, workspace) }
    }

    private static func problem(_ path: String, at place: Place, _ workspace: Workspace) -> Diagnostic? {
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
