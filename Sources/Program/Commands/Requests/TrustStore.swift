import Exchange
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// The user's agreements, one per line in a separate file.
struct TrustStore {
    let path: String
    let files: FileSystem

    /// The path of a user's file.
    static func path(variable: (String) -> String?) -> String? { StateFolder.path("trusted", variable: variable) }

    /// The number of agreements for a workspace.
    func count(for workspace: Workspace) -> Int {
        let root = files.resolve(workspace.root) ?? workspace.root
        guard let bytes = try? files.read(path, 1 << 20) else { return 0 }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).count { line in
            let file = SourceFile(name: "trusted", bytes: Array(line.utf8))
            return JSONDocument.read(file).validRoot?["workspace"]?.string == root
        }
    }

    func holds(_ agreement: Agreement) -> Bool {
        guard let bytes = try? files.read(path, 1 << 20) else { return false }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).contains {
            $0 == agreement.line
        }
    }
}

/// An agreement of the user. It contains everything that must stay the same for the agreement to be valid.
///
/// - The workspace, by the real path of its root.
/// - A program: its words, and the real path and content (SHA-256) of each file inside the workspace that a word names.
/// - A file outside the workspace: its path as it is written, and its real path.
/// - A kept login: the endpoint's id, and for how long it is kept.
struct Agreement: Equatable {
    /// The largest program that is hashed. No larger programs are expected in a workspace.
    private static let largestProgram = 256 << 20

    /// The agreement's line in the file of agreements.
    let line: String

    /// Makes the agreement to a request.
    ///
    /// - Parameter searchPath: `PATH`, in which a program without a slash is looked for.
    init(to request: TrustRequest, by workspace: String, files: FileSystem, searchPath: String) {
        var members: KeyValuePairs<String, OrderedJSON?>
        let root = files.resolve(workspace) ?? workspace
        switch request {
        case .file(let written, let real):
            members = ["workspace": .string(root), "read": .string(written), "file": .string(real)]
        case .keptLogin(let id, let duration):
            members = ["workspace": .string(root), "keep": .string(id), "for": .string(duration.text)]
        case .program(let words):
            let paths = words.enumerated().compactMap { index, word in
                index > 0 || word.contains("/")
                    ? FilePath.tidy(FilePath.join(workspace, word)) : Self.search(word, searchPath, files)
            }
            let own = paths.compactMap { Self.fingerprint($0, workspace, root, files) }
            members = [
                "workspace": .string(root), "run": .array(words.map { .string($0) }), "files": .array(own),
            ]
        }
        line = OrderedJSON.object(members).compact
    }

    /// The path of a program that is named without a slash.
    private static func search(_ name: String, _ searchPath: String, _ files: FileSystem) -> String? {
        searchPath.split(separator: ":").lazy.map { FilePath.join(String($0), name) }
            .first { files.kind($0) == .file }
    }

    /// The hash of a file inside the workspace; nil for other paths.
    private static func fingerprint(
        _ path: String, _ workspace: String, _ root: String, _ files: FileSystem
    ) -> OrderedJSON? {
        guard files.kind(path) == .file, let real = files.resolve(path),
            FilePath.isInside(path, workspace) || FilePath.isInside(real, root)
        else { return nil }
        let hash = (try? files.read(real, largestProgram)).map { SHA256.hash($0).hex }
        return .array([.string(real), .string(hash ?? "unreadable")])
    }
}
