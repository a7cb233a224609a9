import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

extension ControlAPI {
    /// The settings of a run that the server's page shows.
    package struct PageSettings: Sendable {
        /// Whether the exit status depends on the calls.
        let isVerified: Bool
        let expectations: [CallExpectation]
        /// A phrase that says which requests are passed on to another server; nil if none are.
        let proxying: String?

        package init(isVerified: Bool, expectations: [CallExpectation], proxying: String?) {
            self.isVerified = isVerified
            self.expectations = expectations
            self.proxying = proxying
        }
    }

    /// The newest requests of all sessions, and the state of the run. The page asks for them again and again, so the reply is
    /// small: without headers and bodies, and without requests before the newest ones.
    func news(_ request: ControlRequest) throws(ControlReply) -> Outcome {
        let news = engine.news(after: try request.number("after") ?? 0)
        let complaints = engine.complaints(expecting: page?.expectations ?? [])
        return .reply(
            ControlReply(
                200,
                .object([
                    "last": .int(news.last), "changes": .int(news.changes),
                    "requests": .array(news.entries.map(\.summary)),
                    "verify": .object([
                        "asked": .bool(page?.isVerified ?? false),
                        "problems": .array(complaints.map { .string($0.description) }),
                    ]),
                    "proxying": page?.proxying.map { .string($0) },
                    "recorded": news.recorded.count == 0
                        ? nil
                        : .object([
                            "count": .int(news.recorded.count),
                            "last": .array(news.recorded.last.map { .string($0) }),
                        ]),
                    "readOnly": isControlled ? nil : .bool(true),
                ])))
    }

    /// A request of an endpoint with the given params.
    func example(_ request: ControlRequest) throws(ControlReply) -> Outcome {
        var id = ""
        var values: [(name: String, text: String)] = []
        for member in try request.object() {
            switch (member.name, member.value) {
            case ("endpoint", .string(let text)): id = text
            case ("params", .object(let params)):
                for param in params {
                    guard case .array(let elements) = param.value else {
                        values.append((param.name, param.value.plainText))
                        continue
                    }
                    values += elements.map { (param.name, $0.plainText) }
                }
            default:
                throw .problem(
                    400,
                    "\"example\" takes {\"endpoint\": \"ID\", \"params\": {\"NAME\": \"VALUE\"}}; found \(member.name.quoted)"
                )
            }
        }
        try known(id)
        let prepared: PreparedRequest?
        do throws(Failure) { prepared = try engine.example(of: id, values) } catch {
            throw .problem(400, "this request cannot be made", error.diagnostics.map(\.explained))
        }
        guard let prepared else { throw .problem(404, "\(id) is not served any more") }
        return .show(prepared)
    }
}

extension IncomingRequest {
    /// Whether a web page makes the request, and not a program or a user who has typed the URL.
    package var isOfPage: Bool {
        !headers(named: "Origin").isEmpty || headers(named: "Sec-Fetch-Site").contains { $0.lowercased() != "none" }
    }

    /// Whether a page of this server makes the request. Browsers let no page choose these headers.
    var isOfOwnPage: Bool {
        headers(named: "Origin").allSatisfy(isOwn)
            && headers(named: "Sec-Fetch-Site").allSatisfy { $0.lowercased() == "same-origin" }
    }

    /// Whether an origin is that of this server, by the name that the client uses for it.
    package func isOwn(origin: String) -> Bool { host.map { origin.lowercased() == "http://\($0)" } ?? false }
}

extension Diagnostic {
    /// The message with the advice.
    fileprivate var explained: String { hint.map { "\(message): \($0)" } ?? message }
}
