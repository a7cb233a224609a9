import Checking
package import CommandLineKit
import HTTPWire
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliMocking
package import ReqcliText
import RequestBuilding

/// Responds to HTTP requests with the stubs of the endpoints.
package struct ServeCommand: Command {
    static let words = Argument(
        rest: "SELECTOR|COMMAND", .text("SELECTOR|COMMAND", completing: .selector),
        "The endpoints that are served (default: all); after --, a command to run with the server's URL")
    static let port = Option<Int?>(
        "port", short: "p", .integer("N", in: 0...65535), "The port; 0 chooses a free port",
        otherwise: "the environment's port if its host is this machine, else 8080")
    static let host = Option<String?>(
        "host", .text("ADDRESS"), "Listen on this address; 0.0.0.0 accepts connections from other machines",
        otherwise: "127.0.0.1 and [::1]")
    static let unixSocket = Option<String?>(
        "unix-socket", .file("PATH"), "Listen on this Unix socket instead of a port")
    static let allowHost = Option<[String]>(
        repeated: "allow-host", .hostName,
        "Accept this name in the Host header, in addition to localhost and IP addresses")
    static let stub = Option<[String]>(
        repeated: "stub", .text("[SELECTOR=]VARIANT", completing: .variant),
        "Respond with this stub variant, even if its \"when\" is not met; the last --stub for an endpoint counts")
    static let rest = Option<String?>(
        "rest", .text("ENDPOINT[=VARIANT]", completing: .endpoint),
        "Respond with the stubs of this endpoint to requests that match no endpoint")
    static let strict = Flag("strict", "Respond with 400 to requests that don't match the definition of their endpoint")
    static let validate = Toggle(
        "validate", "Compare requests with the definition of their endpoint", otherwise: "on")
    static let delay = Option<DelayRange>(
        "delay", .delay, default: DelayRange(range: .zero ... .zero), "Add this delay to each response")
    static let maxBody = Option(
        "max-body", .byteCount, default: ByteCount(RequestLimits().body),
        "Respond with 413 to a request with a larger body"
    )
    static let cors = Option<[String]>(
        repeated: "cors", .origin, "Let pages of this origin read responses; '*' means all origins")
    static let sharing = Flag("no-cors", "Don't let pages of other origins read responses")
    static let expect = Option<[CallExpectation]>(
        repeated: "expect", .callExpectation,
        "With --verify: the calls that must arrive; without a number, at least one")
    static let verify = Flag(
        "verify",
        "At the end, exit with 1 if a call was unknown, wrong or missing, or if a sequence of responses ran out")
    static let control = Toggle(
        "control", "Serve the control API below /__reqcli/, by which tests choose variants and read requests",
        otherwise: "on")
    static let remoteControl = Flag(
        "remote-control", "Let other machines use the control API, too; they need the token")
    static let noPage = Flag("no-page", "Don't serve the page for browsers at /__reqcli/page")
    static let json = SharedOptions.json(
        "Print one JSON object per line: for the start, for each request and for the end")
    static let untilEnd = Flag(
        "until-eof", "End when standard input is closed, which also happens when a test process is killed")
    static let poll = Flag("poll", "Check for changed files twice a second, as network shares and some containers need")
    static let grace = Option<Duration>(
        "grace", .bound, default: .seconds(5), "At the end, wait this long for unfinished responses")

    package static let spec = CommandSpec(
        "serve", "Run an HTTP server that responds with stubs",
        examples: [
            Example("All endpoints at http://localhost:8080", "reqcli serve"),
            Example("With a variant chosen for an endpoint", "reqcli serve --stub user.feed=empty"),
            Example("Reject wrong requests", "reqcli serve --strict --port 0"),
            Example("For a test, which reads the URL from the first line", "reqcli serve --port 0 --json --until-eof"),
            Example("For a phone in the same network", "reqcli serve --host 0.0.0.0"),
            Example(
                "Record the responses of a server as stub variants", "reqcli serve --proxy-to staging --record"),
            Example(
                "In CI: fail if a call was unknown, wrong or missing",
                "reqcli serve --port 0 --verify --expect user.create=1 -- npm test"),
        ],
        arguments: ArgumentList(words),
        options: [
            OptionGroup("Address", port, host, unixSocket, allowHost).ruled(by: [.excludes(unixSocket, port, host)]),
            OptionGroup(
                "Responses", stub, rest, strict, validate, delay, maxBody, cors, sharing, RequestOptions.seed,
                RequestOptions.time
            )
            .ruled(by: [.excludes(strict, no: validate), .atMostOne(cors, sharing)]),
            ProxyOptions.group,
            OptionGroup("Tests", expect, verify, control, remoteControl)
                .ruled(by: [.needs(expect, verify), .excludes(remoteControl, no: control)]),
            OptionGroup("Run", noPage, json, untilEnd, poll, grace),
            OptionGroup("Environment", SharedOptions.environment),
        ],
        sections: [
            Selector.section,
            TextSection(
                "The end",
                """
                The server ends at Ctrl-C, SIGTERM or POST /__reqcli/stop, when the command after -- ends, or, with \
                --until-eof, when standard input ends. The command gets the variables REQCLI_URL and REQCLI_TOKEN. A second \
                signal ends the server at once.
                """),
            TextSection(
                "Which endpoint",
                """
                A request goes to the endpoint with the same method and path. A literal segment of a path wins over a param. \
                Between endpoints with the same path, the query and the body decide. An unknown path gets 404, with the \
                nearest endpoints; an endpoint without variants gets 501. Such responses are application/problem+json.
                """),
            TextSection(
                "Which variant",
                """
                The first of these that names a variant:

                  the request's header X-Reqcli-Stub: NAME
                  the choice of its session, by the control API or typed: user.feed=empty
                  --stub
                  the endpoint in the environment's "stubs"
                  the first variant whose "when" is met
                  "*" in the environment's "stubs", else "default", else the first variant without "when"

                The header X-Reqcli-Stub of each response names the endpoint and the variant.
                """),
            TextSection(
                "Changes",
                """
                A saved file of the workspace is used at once. While it has errors, its last version without errors is used. \
                Connections stay open, chosen variants stay chosen, and sequences of unchanged variants continue.
                """),
            TextSection(
                "Sessions",
                """
                Each session has its own chosen variants, sequences and counts, so that tests can run at the same time. A test chooses its session with \
                the base URL http://localhost:8080/__reqcli/s/NAME, or with the header X-Reqcli-Session.
                """),
        ],
        exitStatuses: [
            .success.meaning("ended as requested; or the status of the command after --, if it is not 0"),
            .expectationFailed.meaning("--verify failed"),
            .usage.meaning("wrong usage, or the address cannot be used"), .broken,
            .outputFailed.meaning("the log or a recording cannot be written"), .interrupted,
        ],
        essentials: ["port", "host", "stub", "env", "strict", "delay", "cors", "proxy-to", "record", "json"],
        page: "reference/serve.md")

    let arguments: ParsedArguments
    let selectors: [Selector]
    /// The words after `--`.
    let command: [String]

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        let words = arguments[Self.words]
        command = Array(words.dropFirst(arguments.countBeforeEnd))
        selectors = try words.prefix(arguments.countBeforeEnd).map { (word) throws(UsageError) in
            guard !word.isEmpty, word != "tag:" else {
                throw UsageError(
                    "a selector is an id, a group, a pattern or tag:NAME; found \"\(TerminalText.harmless(word))\"",
                    command: Self.spec.name)
            }
            return Selector(word)
        }
    }

    package func run(in context: Context) async throws(Failure) -> ExitStatus {
        try await ServeRun(self, context).run()
    }
}

// MARK: - Values of options

/// A delay, or a range from which a random delay is chosen for each response.
struct DelayRange: Sendable {
    let range: ClosedRange<Duration>
}

extension ValueSpec where Value == DelayRange {
    static let delay = ValueSpec(
        "DURATION", expected: "a duration such as 200ms, or a range such as 200ms..400ms",
        text: { $0.range.lowerBound.text }
    ) { (text) throws(InvalidValue) in
        let parts = text.split(separator: "..", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let lower = DurationText.parse(parts[0]), let upper = DurationText.parse(parts.last ?? ""), lower <= upper
        else { throw InvalidValue() }
        return DelayRange(range: lower...upper)
    }
}

extension ValueSpec where Value == String {
    /// An origin as browsers send it, in lowercase.
    fileprivate static let origin = ValueSpec(
        "ORIGIN", expected: "an origin such as http://localhost:5173, or *", text: { $0 }
    ) { (text) throws(InvalidValue) in
        let origin = text.lowercased()
        // Pages that are files, and some apps, have the origin `null`.
        if origin == "*" || origin == "null" { return origin }
        let pattern = /[a-z][a-z0-9+.\-]*:\/\/(?:[a-z0-9._\-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?/
        guard let match = origin.wholeMatch(of: pattern), match.output.1.map({ UInt16($0) != nil }) ?? true else {
            throw InvalidValue()
        }
        return origin
    }

    fileprivate static let hostName = ValueSpec(
        "NAME", expected: "a name such as app.example, without scheme, port and path", text: { $0 }
    ) { (text) throws(InvalidValue) in
        guard text.wholeMatch(of: /[A-Za-z0-9._\-]+/) != nil else { throw InvalidValue() }
        return text.lowercased()
    }
}

extension ValueSpec where Value == CallExpectation {
    static let callExpectation = ValueSpec(
        "ENDPOINT[=N|N..M]", expected: "an endpoint with a number of calls, such as user.create=1 or user.feed=1..3",
        completion: .endpoint, text: { $0.endpoint }
    ) { (text) throws(InvalidValue) in
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard Name.isValidID(String(parts[0])) else { throw InvalidValue() }
        guard parts.count > 1 else { return CallExpectation(String(parts[0])) }
        guard let count = CallExpectation.count(parts[1]) else { throw InvalidValue() }
        return CallExpectation(String(parts[0]), count)
    }
}
