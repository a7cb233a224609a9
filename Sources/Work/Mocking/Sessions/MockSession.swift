import ReqcliDefinitions
import ReqcliText

/// The state of one session: choices, turns and counts. Sessions separate tests that run at the same time.
struct MockSession: Sendable {
    static let longestName = 100

    /// The variants that a client has chosen, by endpoint.
    var choices: [String: String] = [:]
    /// The number of responses that each variant has given, by names such as `user.feed=empty`.
    private(set) var turns: [String: Int] = [:]
    /// The requests of each endpoint.
    private(set) var calls: [String: CallCount] = [:]
    private(set) var total = 0
    /// The problems of the requests so far.
    private(set) var complaints = Complaints()
    /// The differences between variants and the responses of another server.
    private(set) var drifts: [String] = []
    /// Whether an earlier session of this name was removed. If so, this session has only the later requests.
    let isRest: Bool
    /// The number of this session's last use. All uses of all sessions are counted together.
    fileprivate var lastUse: Int

    init(lastUse: Int = 0, isRest: Bool = false) {
        self.lastUse = lastUse
        self.isRest = isRest
    }

    struct CallCount: Sendable {
        var all = 0
        /// The number of requests without a problem.
        var valid = 0

        mutating func add(isValid: Bool) {
            all += 1
            if isValid { valid += 1 }
        }

        static func += (sum: inout CallCount, other: CallCount) {
            sum.all += other.all
            sum.valid += other.valid
        }
    }

    /// Takes the next turn of a variant, and returns the number of the response to give, from 0.
    mutating func takeTurn(_ stub: String) -> Int {
        func next(_ count: inout Int) -> Int {
            count += 1
            return count - 1
        }
        return next(&turns[stub, default: 0])
    }

    mutating func count(_ answer: MockAnswer) {
        total += 1
        if let endpoint = answer.endpoint {
            calls[endpoint.id, default: CallCount()].add(isValid: answer.problems.isEmpty)
        }
        complaints.add(answer)
    }

    mutating func addComplaint(_ answer: MockAnswer, _ reason: Wording) {
        complaints.add(answer, reason)
    }

    /// Adds the counts, problems and differences of another session, but not its choices and turns.
    fileprivate mutating func add(_ other: MockSession) {
        total += other.total
        for (endpoint, count) in other.calls { calls[endpoint, default: CallCount()] += count }
        complaints.add(other.complaints)
        for drift in other.drifts { addDrift(drift) }
    }

    mutating func addDrift(_ text: String) {
        if drifts.count < Self.mostDrifts, !drifts.contains(text) { drifts.append(text) }
    }

    private static let mostDrifts = 100

    mutating func forgetTurns(_ isForgotten: (String) -> Bool) { turns = turns.filter { !isForgotten($0.key) } }

    fileprivate var hasChoices: Bool { !choices.isEmpty }

    /// Forgets everything.
    mutating func reset() { self = MockSession(lastUse: lastUse) }
}

/// All sessions: the standard session, up to 1,000 others with choices, and up to 1,000 others without. If there are more of one
/// kind, the session of this kind that was unused for longest is removed. The two kinds have separate limits, so that no client
/// can remove the choices of a test by using many names. The counts of removed sessions are kept as a sum.
struct MockSessions {
    private let limit: Int
    /// The session of requests that name none. Nearly every request is in it, so it is found without a search.
    private var standard = MockSession()
    private var others: [String: MockSession] = [:]
    /// The number of other sessions that have choices.
    private var chosenCount = 0
    private var uses = 0
    /// The sum of the requests of removed sessions.
    private(set) var gone = MockSession()
    private var goneNames = GoneNames()

    init(limit: Int = 1000) { self.limit = limit }

    /// A session, if it exists.
    func known(_ name: String) -> MockSession? { name == IncomingRequest.standardSession ? standard : others[name] }

    /// A session, or a new one if it doesn't exist yet.
    func session(_ name: String) -> MockSession { known(name) ?? MockSession(isRest: goneNames.contains(name)) }

    /// The variant that was chosen for an endpoint.
    func choice(of name: String, for endpoint: String) -> String? {
        name == IncomingRequest.standardSession ? standard.choices[endpoint] : others[name]?.choices[endpoint]
    }

    /// All sessions: the standard session, and the others in the order of their names.
    var all: [MockSession] { [standard] + others.sorted { $0.key < $1.key }.map(\.value) }

    /// A session. It is created when it is first changed.
    subscript(name: String) -> MockSession {
        get { session(name) }
        _modify {
            if name == IncomingRequest.standardSession {
                yield &standard
                return
            }
            if others[name] == nil { makeRoom(withChoices: false, for: 1) }
            uses += 1
            var session = others.removeValue(forKey: name) ?? MockSession(isRest: goneNames.contains(name))
            session.lastUse = uses
            let hadChoices = session.hasChoices
            defer {
                let hasChoices = session.hasChoices
                others[name] = session
                if hasChoices != hadChoices {
                    chosenCount += hasChoices ? 1 : -1
                    makeRoom(withChoices: hasChoices, for: 0)
                }
            }
            yield &session
        }
    }

    /// Removes sessions of one kind, with choices or without, until there is room for `more` further sessions of this kind.
    private mutating func makeRoom(withChoices hasChoices: Bool, for more: Int) {
        while (hasChoices ? chosenCount : others.count - chosenCount) + more > limit,
            let (name, session) = others.filter({ $0.value.hasChoices == hasChoices })
                .min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            gone.add(session)
            if session.total > 0 || session.isRest || !session.drifts.isEmpty { goneNames.insert(name) }
            if hasChoices { chosenCount -= 1 }
            others[name] = nil
        }
    }

    mutating func forgetTurns(_ isForgotten: (String) -> Bool) {
        standard.forgetTurns(isForgotten)
        for name in others.keys { others[name]?.forgetTurns(isForgotten) }
    }
}

/// The names of removed sessions, as hashes: at least the last 50,000, in about 2 MB.
private struct GoneNames {
    private static let limit = 50_000

    private var newer: Set<Int> = []
    private var older: Set<Int> = []

    func contains(_ name: String) -> Bool {
        if newer.isEmpty { return false }
        let hash = name.hashValue
        return newer.contains(hash) || older.contains(hash)
    }

    mutating func insert(_ name: String) {
        if newer.count >= Self.limit { (newer, older) = ([], newer) }
        newer.insert(name.hashValue)
    }
}

extension IncomingRequest {
    /// The session of requests that name no session.
    package static let standardSession = "default"
    /// The name of the header that chooses a session.
    package static let sessionHeader = "X-Reqcli-Session"
    /// The start of a path that names a session. This start and the name are not part of the endpoint's path.
    private static let sessionPath = "/__reqcli/s/"

    var hasValidSession: Bool {
        // Nearly all requests are in the standard session, so it is compared first.
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
