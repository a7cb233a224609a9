import Definitions

/// What keeps tests apart that run at the same time: choices, turns and counts.
struct MockSession: Sendable {
    static let longestName = 100

    /// The variants that somebody has chosen, by endpoint.
    var choices: [String: String] = [:]
    /// The number of responses that each variant has given, by `user.feed=empty`.
    private(set) var turns: [String: Int] = [:]
    /// The requests of each endpoint.
    private(set) var calls: [String: CallCount] = [:]
    private(set) var total = 0
    /// What is wrong with the requests so far.
    private(set) var complaints = Complaints()
    /// How variants differ from what another server has responded.
    private(set) var drifts: [String] = []
    /// The number of all uses of sessions before the last one of this.
    fileprivate var lastUse: Int

    init(lastUse: Int = 0) { self.lastUse = lastUse }

    struct CallCount: Sendable {
        var all = 0
        /// Those without a problem.
        var valid = 0

        mutating func add(isValid: Bool) {
            all += 1
            if isValid { valid += 1 }
        }
    }

    /// The number of the response that a variant gives now, from 0.
    mutating func takeTurn(_ stub: String) -> Int {
        func next(_ count: inout Int) -> Int {
            count += 1
            return count - 1
        }
        return next(&turns[stub, default: 0])
    }

    mutating func count(_ entry: JournalEntry, _ answer: MockAnswer) {
        total += 1
        if let endpoint = answer.endpoint {
            calls[endpoint.id, default: CallCount()].add(isValid: answer.problems.isEmpty)
        }
        complaints.add(entry, answer)
    }

    mutating func addDrift(_ text: String) {
        if drifts.count < Self.mostDrifts, !drifts.contains(text) { drifts.append(text) }
    }

    private static let mostDrifts = 100

    mutating func forgetTurns(_ isForgotten: (String) -> Bool) { turns = turns.filter { !isForgotten($0.key) } }

    /// Forgets everything.
    mutating func reset() { self = MockSession(lastUse: lastUse) }
}

/// Up to 1,000 sessions; of more, the one that was unused for longest goes.
struct MockSessions {
    private static let limit = 1000

    private var sessions: [String: MockSession] = [:]
    private var uses = 0

    /// A session that exists.
    func known(_ name: String) -> MockSession? { sessions[name] }

    /// All sessions, in the order of their names.
    var all: [(name: String, session: MockSession)] {
        sessions.sorted { $0.key < $1.key }.map { (name: $0.key, session: $0.value) }
    }

    /// A session, which begins with its first use.
    subscript(name: String) -> MockSession {
        get { sessions[name] ?? MockSession() }
        _modify {
            uses += 1
            if let index = sessions.index(forKey: name) {
                sessions.values[index].lastUse = uses
                yield &sessions.values[index]
            } else {
                if sessions.count >= Self.limit,
                    let oldest = sessions.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
                {
                    sessions[oldest] = nil
                }
                yield &sessions[name, default: MockSession(lastUse: uses)]
            }
        }
    }

    mutating func forgetTurns(_ isForgotten: (String) -> Bool) {
        for name in sessions.keys { sessions[name]?.forgetTurns(isForgotten) }
    }
}

extension IncomingRequest {
    /// The session of requests that name none.
    package static let standardSession = "default"
    /// The name of the header that chooses a session.
    package static let sessionHeader = "X-Reqcli-Session"
    /// Before the name of a session in the path, which is then no part of the path of the endpoint.
    private static let sessionPath = "/__reqcli/s/"

    var hasValidSession: Bool {
        // Nearly all requests are in this one.
        session == Self.standardSession || Name.isValid(session) && session.utf8.count <= MockSession.longestName
    }

    /// The path without the name of a session, and the name if there is one.
    package static func takingSession(outOf path: String) -> (path: String, session: String?) {
        guard path.hasPrefix(sessionPath) else { return (path, nil) }
        let rest = path.dropFirst(sessionPath.count)
        let name = rest.prefix { $0 != "/" }
        let path = rest.dropFirst(name.count)
        return (path.isEmpty ? "/" : String(path), String(name))
    }
}
