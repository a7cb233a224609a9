import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

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

    /// The keys of all tokens, including those in files that a killed process didn't finish.
    func keys() -> [String] {
        let names = folder.names().filter { $0.hasSuffix(".json") }.map { $0.dropLast(".json".count) }
        let unfinished = folder.unfinishedNames().compactMap { $0.dropFirst().split(separator: ".").first }
        return Set(names + unfinished).map(String.init).sorted()
    }

    /// Whether there is a file of this key, also one that can't be used.
    func hasFile(_ key: String) -> Bool { context.files.access(path(of: key)) != nil }

    /// Waits until no other process changes this token, and keeps others waiting until `unlock` is called.
    func lock(
        _ key: String
    ) async throws(Failure) -> (changes: StateFolder.Changes, unlock: @Sendable () -> Void) {
        var waited = Duration.zero
        var pause = Duration.milliseconds(10)
        while waited < Self.patience {
            do throws(WritingProblem) {
                if let locked = try folder.tryLocked("\(key).lock") { return locked }
            } catch {
                throw Self.failure(error)
            }
            try? await context.world.clock.sleep(pause)
            waited += pause
            pause = min(pause * 2, .milliseconds(250))
        }
        throw Failure(
            .timedOut, code: .tokenMissing,
            "another process has been changing the token for \(own: Self.patience.text)",
            hint: "end the process that holds the lock \(own: FilePath.join(path, "\(key).lock"))")
    }

    /// How long to wait for another process: longer than a server may take.
    private static let patience = Duration.seconds(60)

    func write(_ token: StoredToken, _ key: String, _ changes: StateFolder.Changes) throws(Failure) {
        do throws(WritingProblem) {
            try changes.write("\(key).json", token.bytes)
        } catch { throw Self.failure(error) }
    }

    /// Removes the file of a token, and those that killed processes didn't finish.
    func remove(_ key: String, _ changes: StateFolder.Changes) {
        changes.remove("\(key).json")
        for name in folder.unfinishedNames() where name.hasPrefix(".\(key).json.") { changes.remove(name) }
        changes.remove("\(key).lock")
    }

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
