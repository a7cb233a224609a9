import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
package import RequestBuilding

/// The paths below `/__reqcli/`, with which tests choose responses and ask which calls were received.
package struct ControlAPI: Sendable {
    /// The first segment of the paths of this API. An endpoint must not have a path that begins with this segment.
    package static let root = "__reqcli"

    /// The server's action for a request.
    package enum Outcome: Sendable {
        case reply(ControlReply)
        /// Reply when the calls have been received, or the time is over.
        case wait(endpoint: String, count: Int, timeout: Duration, session: String)
        /// Reply with `verified` once all calls that have ended are completely recorded.
        case verify([CallExpectation], session: String)
        /// Reply, and refuse connections for some time.
        case refuse(Duration)
        /// Reply with a request of an endpoint, for a user who wants to try it.
        case show(PreparedRequest)
        /// Reply, and stop the server.
        case stop
    }

    let engine: MockEngine
    private let token: String
    /// Whether programs may call the API, and whether the server's page may change something.
    let isControlled: Bool
    /// The settings of the run that the server's page shows; nil for a server without a page.
    let page: PageSettings?

    /// Whether the server has a page that uses the API.
    package var hasPage: Bool { page != nil }

    package init(_ engine: MockEngine, token: String, isControlled: Bool = true, page: PageSettings? = nil) {
        self.engine = engine
        self.token = token
        self.isControlled = isControlled
        self.page = page
    }

    /// Whether a path is for this API, and not for an endpoint.
    package static func isFor(_ path: String) -> Bool {
        path.hasPrefix(start) && (path.utf8.count == start.utf8.count || path.hasPrefix(start + "/"))
    }

    private static let start = "/\(root)"

    /// The action for a request to the API.
    ///
    /// - Parameter isAllowed: Whether the client may control the server.
    package func outcome(of request: IncomingRequest, isAllowed: Bool) -> Outcome {
        do throws(ControlReply) {
            return try carryOut(request, isAllowed)
        } catch {
            return .reply(error)
        }
    }

    private func carryOut(_ request: IncomingRequest, _ isAllowed: Bool) throws(ControlReply) -> Outcome {
        guard isAllowed else { throw .problem(403, "the control API only accepts requests from this machine") }
        let isOfPage = request.isOfPage
        if isOfPage {
            guard page != nil, request.isOfOwnPage else {
                throw .problem(403, "web pages must not use the control API")
            }
        } else if !isControlled {
            throw .problem(404, "there is no control API, because of --no-control")
        }
        let name = request.segments.dropFirst().joined(separator: "/")
        if name == "health" { return try Self.health(request) }
        guard request.headers(named: "Authorization").contains(where: isToken) else {
            throw .problem(
                401, "the control API needs the header Authorization: Bearer TOKEN",
                fields: [("WWW-Authenticate", "Bearer realm=\"reqcli\"")])
        }
        guard let call = Self.calls.first(where: { $0.name == name }) else {
            let names = Self.calls.map(\.name).filter { !$0.isEmpty }.joined(separator: ", ")
            throw .problem(404, "the control API has no \(name.quoted); it has health, \(names)")
        }
        guard request.method == call.method else {
            throw .problem(
                405, "\(name.isEmpty ? "this call" : name) takes \(call.method), not \(request.method)",
                fields: [("Allow", call.method)])
        }
        if isOfPage { try refusePage(call) }
        return try call.carryOut(self)(ControlRequest(request, items: call.items))
    }

    private func refusePage(_ call: Call) throws(ControlReply) {
        switch call.pageUse {
        case .reads: break
        case .changes where isControlled: break
        case .changes: throw .problem(403, "the page can change nothing, because of --no-control")
        case .never: throw .problem(403, "the page does not use \(call.name)")
        }
    }

    private static func health(_ request: IncomingRequest) throws(ControlReply) -> Outcome {
        guard ["GET", "HEAD"].contains(request.method) else {
            throw .problem(405, "health takes GET, not \(request.method)", fields: [("Allow", "GET, HEAD")])
        }
        return .reply(.done)
    }

    /// Compares all bytes of the token, so that the duration of the comparison reveals nothing about the token.
    private func isToken(_ header: String) -> Bool {
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return false }
        let given = Array(parts[1].drop { $0 == " " }.utf8)
        let wanted = Array(token.utf8)
        guard given.count == wanted.count else { return false }
        return zip(given, wanted).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    // MARK: Calls

    private struct Call: Sendable {
        let method: String
        let name: String
        /// The query items that the call takes.
        var items: [String] = [sessionItem]
        var pageUse = PageUse.never
        let carryOut: @Sendable (ControlAPI) -> (ControlRequest) throws(ControlReply) -> Outcome
    }

    /// How the server's page may use a call.
    private enum PageUse { case never, reads, changes }

    static let sessionItem = "session"

    private static let calls = [
        Call(method: "GET", name: "", pageUse: .reads, carryOut: overview),
        Call(method: "PUT", name: "stubs", pageUse: .changes, carryOut: choose),
        Call(
            method: "GET", name: "requests", items: [sessionItem, "endpoint", "after", "count"], pageUse: .reads,
            carryOut: requests),
        Call(method: "GET", name: "news", items: ["after"], pageUse: .reads, carryOut: news),
        Call(method: "POST", name: "example", items: [], pageUse: .reads, carryOut: example),
        Call(method: "POST", name: "wait", carryOut: wait),
        Call(method: "POST", name: "verify", carryOut: verify),
        Call(method: "POST", name: "reset", carryOut: reset),
        Call(method: "POST", name: "refuse", items: [], carryOut: refuse),
        Call(method: "POST", name: "stop", items: [], carryOut: { _ in { _ throws(ControlReply) in .stop } }),
    ]

    private func overview(_ request: ControlRequest) throws(ControlReply) -> Outcome {
        .reply(ControlReply(200, engine.overview(of: try request.session())))
    }

    private func choose(_ request: ControlRequest) throws(ControlReply) -> Outcome {
        let session = try request.session()
        var choices: [(pattern: String, variant: String?)] = []
        for member in try request.object() {
            switch member.value {
            case .null: choices.append((member.name, nil))
            case .string(let variant): choices.append((member.name, variant))
            default: throw .problem(400, "\(member.name.quoted) takes the name of a variant or null")
            }
        }
        if let complaint = engine.choose(choices, session: session) { throw .problem(400, complaint) }
        return .reply(.done)
    }

    private func requests(_ request: ControlRequest) throws(ControlReply) -> Outcome {
        let after = try request.number("after") ?? 0
        let count = try request.number("count") ?? .max
        let endpoint = request.item("endpoint")
        if let endpoint { try known(endpoint) }
        let found = engine.requests(of: endpoint, session: try request.session(), after: after)
        return .reply(Self.list(Array(found.prefix(count))))
    }

    /// The reply that lists requests.
    package static func list(_ entries: [JournalEntry]) -> ControlReply {
        ControlReply(200, .object([OrderedJSON.Member("requests", .array(entries.map(\.json)))]))
    }

    private func wait(_ request: ControlRequest) throws(ControlReply) -> Outcome {
        var (endpoint, count, timeout) = ("", 1, Duration.seconds(5))
        for member in try request.object() {
            switch (member.name, member.value) {
            case ("endpoint", .string(let id)): endpoint = id
            case ("count", .number(let text)):
                guard let number = Int(text), number > 0 else {
                    throw .problem(400, "\"count\" takes a number of at least 1")
                }
                count = number
            case ("timeout", .string(let text)):
                guard let duration = DurationText.parse(text), duration <= .seconds(600) else {
                    throw .problem(400, "\"timeout\" takes a duration of at most 10m, such as \"5s\"")
                }
                timeout = duration
            default:
                throw .problem(
                    400,
                    "\"wait\" takes {\"endpoint\": \"ID\", \"count\": 2, \"timeout\": \"5s\"}; found \(member.name.quoted)"
                )
            }
        }
        try known(endpoint)
        return .wait(endpoint: endpoint, count: count, timeout: timeout, session: try request.session())
    }

    private func verify(_ request: ControlRequest) throws(ControlReply) -> Outcome {
        var expectations: [CallExpectation] = []
        for member in try request.object() {
            let text: String
            switch member.value {
            case .string(let range): text = range
            case .number(let number): text = number
            default: text = ""
            }
            guard let count = CallExpectation.count(text) else {
                throw .problem(400, "\(member.name.quoted) takes a number of calls, such as 2 or \"1..3\"")
            }
            try known(member.name)
            expectations.append(CallExpectation(member.name, count))
        }
        return .verify(expectations, session: try request.session())
    }

    /// The reply to a request that verifies the calls of a session.
    package func verified(_ expectations: [CallExpectation], _ session: String) -> ControlReply {
        let lines = engine.complaints(session: session, expecting: expectations)
        return lines.isEmpty
            ? .done : .problem(409, "the received calls are not the expected calls", lines.map(\.description))
    }

    private func reset(_ request: ControlRequest) throws(ControlReply) -> Outcome {
        engine.reset(session: try request.session())
        return .reply(.done)
    }

    private func refuse(_ request: ControlRequest) throws(ControlReply) -> Outcome {
        var time: Duration?
        for member in try request.object() {
            guard member.name == "for", case .string(let text) = member.value else { continue }
            time = DurationText.parse(text)
        }
        guard let time, time <= .seconds(600) else {
            throw .problem(400, "\"refuse\" takes {\"for\": \"3s\"}, with a duration of at most 10m")
        }
        return .refuse(time)
    }

    func known(_ id: String) throws(ControlReply) {
        if let complaint = engine.complaint(aboutEndpoint: id) { throw .problem(400, complaint) }
    }
}
