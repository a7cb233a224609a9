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

    mutating func count(_ request: IncomingRequest, _ answer: MockAnswer) {
        total += 1
        if let endpoint = answer.endpoint {
            calls[endpoint.id, default: CallCount()].add(isValid: answer.problems.isEmpty)
        }
        complaints.add(request, answer)
    }

    mutating func addComplaint(_ request: IncomingRequest, _ answer: MockAnswer, _ reason: String) {
        complaints.add(request, answer, reason)
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

    private var sessions: [MockSession] = []
    /// The places of the sessions, by their names.
    private var places: [String: Int] = [:]
    /// The name that was looked for last: nearly all requests have the one of the request before.
    private var last = (name: "", place: -1)
    private var uses = 0

    private mutating func place(of name: String) -> Int? {
        if last.place >= 0, last.name == name { return last.place }
        guard let place = places[name] else { return nil }
        last = (name, place)
        return place
    }

    /// A session that exists.
    func known(_ name: String) -> MockSession? { places[name].map { sessions[$0] } }

    /// The variant that was chosen for an endpoint.
    mutating func choice(of name: String, for endpoint: String) -> String? {
        guard let place = place(of: name) else { return nil }
        return sessions[place].choices[endpoint]
    }

    /// All sessions, in the order of their names.
    var all: [(name: String, session: MockSession)] {
        places.sorted { $0.key < $1.key }.map { (name: $0.key, session: sessions[$0.value]) }
    }

    /// A session, which begins with its first use.
    subscript(name: String) -> MockSession {
        get { known(name) ?? MockSession() }
        _modify {
            uses += 1
            let place = place(of: name) ?? begin(name)
            sessions[place].lastUse = uses
            yield &sessions[place]
        }
    }

    private mutating func begin(_ name: String) -> Int {
        var place = sessions.count
        if place >= Self.limit, let oldest = places.min(by: { sessions[$0.value].lastUse < sessions[$1.value].lastUse })
        {
            place = oldest.value
            places[oldest.key] = nil
            sessions[place] = MockSession()
        } else {
            sessions.append(MockSession())
        }
        places[name] = place
        last = (name, place)
        return place
    }

    mutating func forgetTurns(_ isForgotten: (String) -> Bool) {
        for place in sessions.indices { sessions[place].forgetTurns(isForgotten) }
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
