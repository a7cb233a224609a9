import ReqcliBasics
import ReqcliText

/// The access tokens that a process has used, and the tasks that get new ones. Each token is asked for only once, however many
/// requests need it at the same time.
final class TokenMemory: Sendable {
    typealias Renewal = Task<Result<StoredToken?, Failure>, Never>

    private struct State {
        var known: [String: StoredToken] = [:]
        var running: [String: (number: Int, rejected: String?, task: Renewal)] = [:]
        var count = 0
        var failures: [String: (failure: Failure, time: Double)] = [:]
        var replacements: [String: (token: String, time: Double)] = [:]
    }

    /// The seconds for which a server that gave no token is not asked again, so that not every case of a run waits for it.
    private static let pause: Double = 10
    /// The seconds after which a token that replaced a rejected one may be replaced, too.
    private static let trial: Double = 60

    private let state = Mutex(State())

    subscript(_ key: String) -> StoredToken? {
        get { state.withLock { $0.known[key] } }
        set { state.withLock { $0.known[key] = newValue } }
    }

    /// The task that gets a token in place of the rejected one. Those who need the same token get its result.
    func renewal(
        _ key: String, _ rejected: String?, _ work: @escaping @Sendable () async -> Result<StoredToken?, Failure>
    ) -> Renewal {
        state.withLock { state in
            let last = state.running[key]
            if let last, last.rejected == rejected { return last.task }
            state.count += 1
            let number = state.count
            let task = Renewal {
                _ = await last?.task.value
                let result = await work()
                self.ended(key, number)
                return result
            }
            state.running[key] = (number, rejected, task)
            return task
        }
    }

    private func ended(_ key: String, _ number: Int) {
        state.withLock { if $0.running[key]?.number == number { $0.running[key] = nil } }
    }

    /// Notes that the server gave no token.
    func note(_ failure: Failure, _ key: String, at now: Double) {
        state.withLock { $0.failures[key] = (failure, now) }
    }

    /// The reason why the server gave no token a moment ago.
    func failure(_ key: String, at now: Double) -> Failure? {
        state.withLock { $0.failures[key] }.flatMap { abs(now - $0.time) < Self.pause ? $0.failure : nil }
    }

    /// Notes that a token replaced one that was rejected.
    func note(replacement token: String, _ key: String, at now: Double) {
        state.withLock { $0.replacements[key] = (token, now) }
    }

    /// Whether a rejected token has itself replaced a rejected one a moment ago. One more would hardly be better.
    func isReplacement(_ token: String, _ key: String, at now: Double) -> Bool {
        state.withLock { $0.replacements[key] }.map { $0.token == token && abs(now - $0.time) < Self.trial } ?? false
    }
}
