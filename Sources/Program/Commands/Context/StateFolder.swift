import CommandLineKit
import Exchange
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// A folder of small files that reqcli keeps for the user, outside of every workspace.
///
/// Only the user can read it. A file is replaced as a whole, so that a reader finds either the old or the new content, even if
/// the program is killed meanwhile. Only one process at a time changes the folder.
struct StateFolder: Sendable {
    private let path: String
    /// The state folders around this folder, the outermost first. They are also private to the user.
    private let parents: [String]
    private let files: FileSystem
    private let writing: FileWriting
    private let userID: UInt32

    /// The folder of this name for the user, whether or not it exists.
    ///
    /// - Parameter name: The name of the folder, or a path if the folder is inside another state folder of reqcli: `history/…`.
    /// - Returns: Nil if the user has no home.
    init?(_ name: String, _ context: Context) {
        guard let path = Self.path(name, variable: context.world.variable) else { return nil }
        self.path = path
        parents = name.contains("/") ? [FilePath.parent(path)] : []
        files = context.files
        writing = context.writing
        userID = context.userID
    }

    /// The path of a file or folder that reqcli keeps for a user: below `XDG_STATE_HOME`, else below the home folder. Nil if
    /// neither is known.
    static func path(_ name: String, variable: (String) -> String?) -> String? {
        path(name, below: "XDG_STATE_HOME", or: ".local/state", variable: variable)
    }

    /// The path of a user's file in the folder that a variable names, else in a folder of the home folder.
    static func path(
        _ name: String, below folder: String, or standard: String, variable: (String) -> String?
    ) -> String? {
        if let folder = variable(folder), folder.hasPrefix("/") { return FilePath.join(folder, "reqcli/\(name)") }
        // Relative to a folder that anybody may have made, an agreement would be worth nothing.
        guard let home = variable("HOME"), home.hasPrefix("/") else { return nil }
        return FilePath.join(home, "\(standard)/reqcli/\(name)")
    }

    /// The name for what is kept of one workspace, or of calls outside of any workspace.
    static func key(of workspace: Workspace?, _ files: FileSystem) -> String {
        let root = workspace.map { files.resolve($0.root) ?? $0.root } ?? ""
        return String(SHA256.hash(Array(root.utf8)).hex.prefix(32))
    }

    /// The content of a file; nil if the file doesn't exist, or if another user has made it.
    func read(_ name: String, upTo limit: Int = 1 << 20) -> [UInt8]? {
        let file = FilePath.join(path, name)
        guard files.owner(path) == userID, files.owner(file) == userID else { return nil }
        return try? files.read(file, limit)
    }

    /// The names of the files, sorted. Unfinished files are left out.
    func names() -> [String] { ((try? files.names(path)) ?? []).filter { $0.utf8.first != UInt8(ascii: ".") } }

    /// The names of files that a process didn't finish because it was killed, and of files that another process is writing.
    func unfinishedNames() -> [String] {
        ((try? files.names(path)) ?? []).filter { $0.hasPrefix(".") && $0.hasSuffix(PartialFile.suffix) }
    }

    /// Changes files while no other process does.
    func change(_ work: (Changes) throws(WritingProblem) -> Void) throws(WritingProblem) {
        let (changes, unlock) = try locked()
        defer { unlock() }
        try work(changes)
    }

    /// Keeps all other processes from changing files until `unlock` is called.
    private func locked() throws(WritingProblem) -> (changes: Changes, unlock: @Sendable () -> Void) {
        for folder in parents + [path] { try writing.makePrivateFolder(folder) }
        return (Changes(path: path, writing: writing), writing.lockFolder(path))
    }

    /// Keeps other processes from locking the same name until `unlock` is called. Nil while another process has it locked.
    ///
    /// The lock is a file of that name in the folder.
    func tryLocked(
        _ name: String
    ) throws(WritingProblem) -> (changes: Changes, unlock: @Sendable () -> Void)? {
        for folder in parents + [path] { try writing.makePrivateFolder(folder) }
        guard let unlock = writing.tryLockFile(FilePath.join(path, name)) else { return nil }
        return (Changes(path: path, writing: writing), unlock)
    }

    /// The changes that are possible under the lock.
    struct Changes {
        fileprivate let path: String
        fileprivate let writing: FileWriting

        func write(_ name: String, _ bytes: [UInt8]) throws(WritingProblem) {
            try writing.writeFile(FilePath.join(path, name), bytes, .privateReplacement)
        }

        func remove(_ name: String) { writing.remove(FilePath.join(path, name)) }
    }
}
