import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// The files of the user's access tokens. A file that others could have read or made is an error, never ignored.
struct TokenStore: Sendable {
    static let folderName = "tokens"

    private let folder: StateFolder
    private let path: String
    private let context: Context

    /// Nil if the user has no home, or in CI, where nothing is kept.
    init?(_ context: Context) {
        guard !context.isInCI, let folder = StateFolder(Self.folderName, context),
            let path = StateFolder.path(Self.folderName, variable: context.world.variable)
        else { return nil }
        self.folder = folder
        self.path = path
        self.context = context
    }

    func path(of key: String) -> String { FilePath.join(path, "\(key).json") }

    func read(_ key: String) throws(Failure) -> StoredToken? {
        let file = path(of: key)
        guard try isPrivate(path), try isPrivate(file) else { return nil }
        let bytes: [UInt8]
        do throws(FileProblem) {
            bytes = try context.files.read(file, 1 << 20)
        } catch {
            // Another process has just logged out.
            if error.kind == .missing { return nil }
            throw refusal(file, error.reason)
        }
        if let token = StoredToken(bytes) { return token }
        throw refusal(file, "it has no token")
    }

    /// The keys of all tokens.
    func keys() -> [String] {
        folder.names().compactMap { $0.hasSuffix(".json") ? String($0.dropLast(5)) : nil }
    }

    /// Waits until no other process changes tokens, and keeps others waiting until `unlock` is called.
    func lock() throws(Failure) -> (changes: StateFolder.Changes, unlock: @Sendable () -> Void) {
        do throws(WritingProblem) { return try folder.locked() } catch { throw Self.failure(error) }
    }

    func write(_ token: StoredToken, _ key: String, _ changes: StateFolder.Changes) throws(Failure) {
        do throws(WritingProblem) {
            try changes.write("\(key).json", token.bytes)
        } catch { throw Self.failure(error) }
    }

    func remove(_ key: String, _ changes: StateFolder.Changes) { changes.remove("\(key).json") }

    private static func failure(_ problem: WritingProblem) -> Failure {
        Failure(.outputFailed, code: .outputFailed, "cannot keep the token: \(own: problem.reason)")
    }

    /// Whether the path exists. Throws if the path isn't the user's alone.
    private func isPrivate(_ path: String) throws(Failure) -> Bool {
        guard let access = context.files.access(path) else { return false }
        if access.isLink { throw refusal(path, "it is a link") }
        guard access.owner == context.userID else { throw refusal(path, "it belongs to another user") }
        guard access.mode & 0o077 == 0 else {
            throw refusal(path, "others can open it (its mode is 0\(String(access.mode & 0o777, radix: 8)))")
        }
        return true
    }

    private func refusal(_ path: String, _ reason: String) -> Failure {
        Failure(
            .broken, code: .tokenFileUnsafe, "cannot use \(path): \(own: reason)",
            hint: "remove it; if others could read it, revoke the token at its server")
    }
}

extension Diagnostic.Code {
    static let tokenFileUnsafe: Self = "token.file"
    static let tokenMissing: Self = "token.missing"
    static let tokenRefused: Self = "token.refused"
}
