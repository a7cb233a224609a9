import Assembly
import Checking
package import CommandLineKit
import Definitions
import Foundation
import Glibc
import HTTPWire
import Mocking
import RequestBuilding
import Serving
import SourceText
import TerminalText

/// Answers requests as the endpoints' stubs say, over HTTP.
package struct ServeCommand: Command {
    static let selectors = Selector.argument("The endpoints that are served (default: all)")
    static let port = Option<Int?>(
        "port", .integer("N", in: 0...65535), "The port; 0 is a free one",
        otherwise: "the environment's port if its host is this machine, else 8080")
    static let host = Option<String?>(
        "host", .text("ADDRESS"), "Take connections at this address; 0.0.0.0 takes them from other machines",
        otherwise: "127.0.0.1 and [::1]")
    static let unixSocket = Option<String?>("unix-socket", .file("PATH"), "Take connections at this socket instead")
    static let stub = Option<[String]>(
        repeated: "stub", .text("[ENDPOINT=]VARIANT", completing: .variant),
        "Respond with this stub variant, whatever its \"when\" says; a later one wins, one with an ENDPOINT always")
    static let strict = Flag("strict", "Refuse requests that differ from what their endpoint describes with 400")
    static let validate = Toggle(
        "validate", "Report how requests differ from what their endpoint describes", otherwise: "on")
    static let delay = Option<DelayRange>(
        "delay", .delay, default: DelayRange(range: .zero ... .zero), "Wait this much longer before each response")
    static let cors = Option<[String]>(
        repeated: "cors", .text("ORIGIN"), "Let pages of this origin read responses; '*' means all origins")
    static let sharing = Flag("no-cors", "Let no page of another origin read responses")
    static let allowHost = Option<[String]>(
        repeated: "allow-host", .text("NAME"), "Accept this name in Host, beside localhost and addresses")
    static let untilEnd = Flag("until-eof", "End when standard input closes, as it does when a test is killed")
    static let grace = Option<Duration>(
        "grace", .bound, default: .seconds(5), "At the end, wait this long for responses under way")
    static let json = SharedOptions.json("Print an object for the start and for each request, one a line")

    package static let spec = CommandSpec(
        "serve", "Answer requests with stubs, as an HTTP server",
        examples: [
            Example("All endpoints at http://localhost:8080", "reqcli serve"),
            Example("With a variant chosen for an endpoint", "reqcli serve --stub user.feed=empty"),
            Example("Refuse wrong requests", "reqcli serve --strict --port 0"),
            Example("For a test, which reads the URL from the first line", "reqcli serve --port 0 --json --until-eof"),
            Example("For a phone in the same network", "reqcli serve --host 0.0.0.0"),
        ],
        arguments: ArgumentList(selectors),
        options: [
            OptionGroup("Address", port, host, unixSocket, allowHost),
            OptionGroup("Responses", stub, strict, validate, delay, cors, sharing),
            OptionGroup("Run", json, untilEnd, grace),
            OptionGroup("Environment", SharedOptions.environment),
        ],
        sections: [
            Selector.section,
            TextSection(
                "The end",
                """
                Ctrl-C, SIGTERM or, with --until-eof, the end of standard input end the server with exit status 0.
                """),
            TextSection(
                "Which endpoint",
                """
                A request is for the endpoint whose method and path it has: literal segments come before params, and \
                among endpoints of one path, query and body decide. An unknown path is 404, with the nearest endpoints; \
                an endpoint without variants is 501. Such responses are application/problem+json.
                """),
            TextSection(
                "Which variant",
                """
                  the request's header X-Reqcli-Stub: NAME
                  --stub
                  the endpoint in the environment's "stubs"
                  the first variant whose "when" holds
                  "*" in the environment's "stubs", else "default", else the first variant without "when"

                Each response has X-Reqcli-Stub with the endpoint and the variant.
                """),
        ],
        exitStatuses: [
            .success, .usage.meaning("wrong usage, or the address cannot be used"), .broken,
        ])

    private let arguments: ParsedArguments

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        try arguments.refuseTogether([Self.cors.spec, Self.sharing.spec])
        try arguments.refuseTogether([Self.unixSocket.spec, Self.port.spec])
        try arguments.refuseTogether([Self.unixSocket.spec, Self.host.spec])
    }

    package func run(in context: Context) async throws(Failure) -> ExitStatus {
        let workspace = try context.open(arguments)
        let environment = try context.environment(flag: arguments[SharedOptions.environment], in: workspace)
        let endpoints = try Selection(arguments[Self.selectors]).endpoints(of: workspace)
            .valueOrThrow(reportingWarningsTo: context)
        let maker = RequestPattern.Maker(workspace, in: environment, world: context.world, version: Program.version)
        let engine = try engine(maker, endpoints, workspace, environment, context.world)
        try report(engine.indistinguishable, context)
        let log = ServeLog(isJSON: arguments[Self.json], clock: context.world.clock)
        let handler = StubHandler(
            engine: engine, rules: rules, delay: arguments[Self.delay].range, log: log,
            reportsProblems: arguments[Self.validate] ?? true)
        let server = try listen(handler, maker)
        await wait(server, log, context) { announce(server, endpoints.count, environment.name, context) }
        return .success
    }

    private func engine(
        _ maker: RequestPattern.Maker, _ endpoints: [LocatedEndpoint], _ workspace: Workspace,
        _ environment: EnvironmentChain, _ world: World
    ) throws(Failure) -> MockEngine {
        var patterns: [RequestPattern] = []
        for endpoint in endpoints { patterns.append(try maker.pattern(of: endpoint)) }
        let stubs = try StubChoice(arguments[Self.stub], in: workspace)
        let own = environment.stubs ?? []
        return try MockEngine(
            patterns, of: workspace, variables: endpoints.first.map(maker.variables) ?? [:], world: world,
            chosen: { stubs.name(for: $0) ?? own[named: $0.id]?.value }, rest: own[named: "*"]?.value,
            isStrict: arguments[Self.strict])
    }

    private func report(
        _ pairs: [(first: LocatedEndpoint, second: LocatedEndpoint)], _ context: Context
    ) throws(Failure) {
        let problems = pairs.map { first, second in
            Diagnostic(
                arguments[Self.strict] ? .error : .warning, code: .endpointsAlike,
                "no request can tell \(second.id) from \(first.id), which responds", at: second.definition.place,
                hint: "change a path, or leave one of them out with a selector",
                notes: [Diagnostic.Note("the other one", at: first.definition.place)])
        }
        if arguments[Self.strict], !problems.isEmpty { throw Failure(.broken, problems) }
        context.report(problems)
    }

    private var rules: BrowserRules {
        let origins = arguments[Self.cors]
        let sharing: BrowserRules.Sharing =
            arguments[Self.sharing]
            ? .nobody : origins.contains("*") ? .everybody : origins.isEmpty ? .thisMachine : .origins(origins)
        return BrowserRules(sharing: sharing, allowedHosts: arguments[Self.allowHost].map { $0.lowercased() })
    }

    // MARK: Running

    private func listen(_ handler: StubHandler, _ maker: RequestPattern.Maker) throws(Failure) -> Server {
        var serverHandler = ServerHandler { handler.reply($0) }
        serverHandler.refusal = { handler.reply(to: $0) }
        do throws(ListenProblem) {
            return try Server(on: [address(maker)], loop: EventLoop(), handler: serverHandler)
        } catch {
            throw Failure(
                .usage, code: .addressUnusable, error.reason,
                hint: error.isTaken ? "end the other program, or choose another port: --port 0 takes a free one" : nil)
        }
    }

    private func address(_ maker: RequestPattern.Maker) -> ListenAddress {
        if let path = arguments[Self.unixSocket] { return .unixSocket(path: path) }
        let port = UInt16(arguments[Self.port] ?? maker.localPort ?? 8080)
        return arguments[Self.host].map { .address($0, port: port) } ?? .loopback(port: port)
    }

    private func announce(_ server: Server, _ count: Int, _ environment: String, _ context: Context) {
        if arguments[Self.json] {
            let ready = OrderedJSON.object([
                OrderedJSON.Member("event", .string("ready")),
                OrderedJSON.Member("url", .string(server.urls.first ?? "")),
                OrderedJSON.Member("port", .int(Int(server.port))),
                OrderedJSON.Member("pid", .int(Int(ProcessInfo.processInfo.processIdentifier))),
            ])
            context.output.write(ready.compact + "\n")
            return
        }
        context.output.write(server.urls.joined(separator: "\n") + "\n")
        context.messages.write("\(count) \(count == 1 ? "endpoint" : "endpoints") of \(environment), from stubs\n")
        if server.urls.count > 1 {
            context.report(
                .warning, code: .servedToOthers, "whoever is on this network can call these stubs")
        }
    }

    /// Serves until a signal or the end of standard input.
    ///
    /// - Parameter announce: Says that the server is ready, which is when a signal ends it in order.
    private func wait(_ server: Server, _ log: ServeLog, _ context: Context, _ announce: () -> Void) async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        if arguments[Self.untilEnd] {
            Thread.detachNewThread {
                var bytes = [UInt8](repeating: 0, count: 4096)
                while Glibc.read(0, &bytes, bytes.count) > 0 {}
                end.finish()
            }
        }
        let output = arguments[Self.json] ? context.output : context.messages
        let writing = Task { await log.write(to: output) }
        await Interruption().givingUp({ end.finish() }) {
            announce()
            for await _ in ends {}
            await server.stop(grace: arguments[Self.grace])
        }
        log.end()
        await writing.value
    }
}

/// A time, or a range of which each response draws one.
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

extension Diagnostic.Code {
    fileprivate static let endpointsAlike: Self = "endpoints.alike"
    fileprivate static let addressUnusable: Self = "address.unusable"
    fileprivate static let servedToOthers: Self = "serve.network"
}
