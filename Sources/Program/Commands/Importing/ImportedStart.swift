import Importing
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// The files that an import adds to a folder that isn't a workspace yet, as `init` does: settings, the schemas for editors, and a
/// `.gitignore`. Files that exist stay as they are.
struct ImportedStart {
    let parts: [StarterWorkspace.Part]

    /// Nil if the folder is a workspace already.
    ///
    /// - Parameter environment: The environment that commands use from now on.
    init?(_ workspace: Workspace, environment: String?, _ context: Context) {
        let files = context.files
        // A link to a missing file isn't free either.
        func isFree(_ name: String) -> Bool {
            do throws(FileProblem) { _ = try files.read(workspace.path(name), 1) } catch {
                return error.kind == .missing
            }
            return false
        }
        guard isFree("endpoints") else { return nil }
        var parts: [StarterWorkspace.Part] = []
        if isFree("schema") { parts.append(StarterWorkspace.schemas) }
        let needsIgnoring = !DotEnvFile(in: workspace.root, files).isIgnored
        if needsIgnoring, isFree(DotEnvFile.ignoreFile) { parts.append(StarterWorkspace.ignored) }
        if isFree(Workspace.settingsFile) {
            let schema = isFree("schema") ? OrderedJSON.string("schema/settings.schema.json") : nil
            let settings = OrderedJSON.object(["$schema": schema, "environment": environment.map { .string($0) }])
            parts.append(
                StarterWorkspace.Part(
                    Workspace.settingsFile, environment.map { "makes \($0) the current environment" } ?? "settings",
                    text: settings.pretty))
        }
        self.parts = parts
        setsEnvironment = environment != nil && isFree(Workspace.settingsFile)
    }

    /// Whether the settings name the environment that commands use.
    let setsEnvironment: Bool

    /// Whether git ignores `.env` from now on.
    var ignoresDotEnv: Bool { parts.contains { $0.name == DotEnvFile.ignoreFile } }

    var files: [StarterWorkspace.File] { parts.flatMap(\.files) }

    /// A new file of the import, with the schema that editors check it against.
    func referring(_ file: ImportMerge.File) -> ImportMerge.File {
        let folders = ["endpoints": "endpoint", "environments": "environment"]
        let start = Array("{\n".utf8)
        guard file.before == nil, parts.contains(where: { $0.name == StarterWorkspace.schemas.name }),
            let folder = file.path.split(separator: "/").first, let kind = folders[String(folder)],
            file.after.starts(with: start)
        else { return file }
        let up = String(repeating: "../", count: file.path.utf8.count { $0 == UInt8(ascii: "/") })
        let line = "  \"$schema\": \"\(up)schema/\(kind).schema.json\",\n"
        return ImportMerge.File(
            path: file.path, before: nil, after: start + line.utf8 + file.after.dropFirst(start.count))
    }
}
