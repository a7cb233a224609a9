import CommandLineKit
import Exchange
import Foundation
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// The calls that `send` has made in one workspace, or outside any workspace. Each call is in a separate file.
///
/// A file's name is the number of the call and its environment: `12-staging`. Each new call gets a higher number than all calls
/// that are still kept.
struct History: Sendable {
    /// The number of calls of an environment that are kept.
    static let capacity = 100
    /// The maximum size of a kept body, in bytes.
    static let largestBody = 1 << 20
    /// The maximum size of a file. No entry is larger, because the sizes of its heads and its body are limited.
    private static let largestFile = 32 << 20
    private static let largestNumber = 999_999_999

    private let folder: StateFolder

    /// Nil if the user has no home folder.
    ///
    /// - Parameter workspace: Nil for calls outside of any workspace.
    init?(of workspace: Workspace?, _ context: Context) {
        guard let folder = StateFolder("history/\(StateFolder.key(of: workspace, context.files))", context) else {
            return nil
        }
        self.folder = folder
    }

    /// A call that is kept.
    struct Kept: Sendable {
        let number: Int
        /// The name of the environment; empty for a call without an environment.
        let environment: String

        fileprivate var name: String { environment.isEmpty ? "\(number)" : "\(number)-\(environment)" }

        fileprivate init(number: Int, environment: String) {
            self.number = number
            self.environment = environment
        }

        /// Nil if the file of this name is not an entry.
        fileprivate init?(name: String) {
            let bytes = name.utf8
            let end = bytes.firstIndex { !$0.isDigit } ?? bytes.endIndex
            guard let number = Int(name[..<end]), (1...History.largestNumber).contains(number), bytes.first != .zero
            else { return nil }
            guard end < bytes.endIndex else {
                self.init(number: number, environment: "")
                return
            }
            let environment = name[bytes.index(after: end)...]
            guard bytes[end] == .minus, !environment.isEmpty else { return nil }
            self.init(number: number, environment: String(environment))
        }
    }

    /// The calls, oldest first.
    ///
    /// - Parameter environment: Nil for the calls of all environments.
    func calls(in environment: String? = nil) -> [Kept] {
        folder.names().compactMap { Kept(name: $0) }
            .filter { environment == nil || $0.environment == environment }
            .sorted { $0.number < $1.number }
    }

    /// The names of files that are not entries.
    var foreignFiles: [String] { folder.names().filter { Kept(name: $0) == nil } }

    /// The kept data of a call; nil if its file is damaged, or has just been removed.
    func entry(_ call: Kept) -> HistoryEntry? {
        folder.read(call.name, upTo: Self.largestFile).flatMap { HistoryEntry(file: $0) }
    }

    /// Whether the file of a call still exists.
    func holds(_ call: Kept) -> Bool { folder.names().contains(call.name) }

    /// Keeps a call, and removes the oldest calls of its environment to make room.
    func add(_ entry: HistoryEntry) throws(WritingProblem) {
        let bytes = entry.file
        try folder.change { changes throws(WritingProblem) in
            let calls = calls()
            let last = calls.last?.number ?? 0
            guard last < Self.largestNumber else { throw WritingProblem("there are no call numbers left") }
            try changes.write(Kept(number: last + 1, environment: entry.environment).name, bytes)
            let others = calls.filter { $0.environment == entry.environment }
            for old in others.dropLast(Self.capacity - 1) { changes.remove(old.name) }
        }
    }

    /// Removes the calls of one environment, or all calls if `environment` is nil. Returns the number of removed calls.
    func clear(_ environment: String?) throws(WritingProblem) -> Int {
        guard !calls(in: environment).isEmpty else { return 0 }
        var count = 0
        try folder.change { changes throws(WritingProblem) in
            let calls = calls(in: environment)
            count = calls.count
            for call in calls { changes.remove(call.name) }
        }
        return count
    }
}

extension History {
    /// The last two calls of an endpoint, the older one first.
    func lastTwo(of endpoint: String) throws(Failure) -> [(call: Kept, entry: HistoryEntry)] {
        var found: [(call: Kept, entry: HistoryEntry)] = []
        for call in calls().reversed() {
            guard let entry = entry(call), entry.endpoint == endpoint else { continue }
            found.insert((call, entry), at: 0)
            if found.count == 2 { return found }
        }
        throw Failure(
            .usage, code: .historyMissing,
            "the history has \(found.isEmpty ? "no call" : "only one call") of \(endpoint)", hint: Self.advice)
    }

    /// The call with this number; the last call if the number is nil.
    func entry(number: Int?) throws(Failure) -> (call: Kept, entry: HistoryEntry) {
        let calls = calls()
        guard let call = number == nil ? calls.last : calls.first(where: { $0.number == number }) else {
            throw Failure(
                .usage, code: .historyMissing,
                number.map { "there is no call \($0) in the history" } ?? "the history is empty",
                hint: calls.isEmpty ? Self.advice : "run \"reqcli history\" to list the calls")
        }
        guard let entry = entry(call) else {
            throw Failure(
                .usage, code: .historyMissing, "cannot read call \(call.number) of the history",
                hint: "\"reqcli history clear\" removes all calls")
        }
        return (call, entry)
    }

    /// The advice on how to turn the history up.
    static let advice =
        "calls at a terminal are kept, and all calls with their responses if reqcli.json has \"history\": true, or if \(variable)=1 is set"
    static let variable = "REQCLI_HISTORY"

    /// The parts of a call that are kept.
    enum Extent: Equatable {
        /// The words of the call and the status, of calls that a person makes at a terminal.
        case words
        /// The words, the heads and the body, of every call.
        case whole
    }

    /// Whether no history of any workspace exists yet.
    static func isNew(_ context: Context) -> Bool {
        StateFolder.path("history", variable: context.world.variable).map { context.files.kind($0) == nil } ?? false
    }
}

extension Context {
    /// Whether a person seems to make the calls of a command.
    ///
    /// - Parameter mayAsk: False with `--no-input`.
    func isAtTerminal(mayAsk: Bool = true) -> Bool { mayAsk && terminal.canAsk }

    /// The parts of its calls that `send` keeps; nil if it keeps no calls. Calls are never kept in CI, or if the environment's policy forbids it.
    /// Otherwise, the variable decides, and without the variable, `reqcli.json`. If neither says anything, only the words of calls
    /// at a terminal are kept, because a response may hold personal data.
    ///
    /// - Parameter isAtTerminal: Whether a person makes the call.
    func historyExtent(
        in workspace: () -> Workspace?, _ environment: EnvironmentChain, isAtTerminal: Bool
    ) throws(Failure) -> History.Extent? {
        if isInCI || environment.policy?.allowsHistory == false { return nil }
        let words: History.Extent? = isAtTerminal ? .words : nil
        switch try Self.keepsHistory(setVariable(History.variable)) {
        case let isOn?: return isOn ? .whole : nil
        // Ignores errors in `reqcli.json`, because the code that needs its other settings reports them.
        case nil:
            let standard: History.Extent? =
                try Self.keepsHistory(configured(History.variable)).map { $0 ? .whole : nil } ?? words
            guard let settings = workspace()?.loadSettings() else { return standard }
            // If the file is broken, its setting for the history is unknown, so nothing is kept.
            if settings.diagnostics.contains(where: { $0.severity == .error }) { return nil }
            return settings.value.history.map { $0 ? .whole : nil } ?? standard
        }
    }

    private static func keepsHistory(_ text: String?) throws(Failure) -> Bool? {
        switch text {
        case nil: return nil
        case "1": return true
        case "0": return false
        case let text?:
            throw Failure(
                .usage, code: .usageInvalid, "\(History.variable) takes 1 or 0; found \"\(text)\"",
                hint: "set the variable to 1 or 0, or unset it")
        }
    }
}

extension Diagnostic.Code {
    static let historyMissing: Self = "history.missing"
    static let historyUnwritten: Self = "history.unwritten"
}
