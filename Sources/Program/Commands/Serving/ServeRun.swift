import CommandLineKit
import Foundation
import HTTPWire
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliMocking
import ReqcliServing
import ReqcliText
import StubServing

/// A run of `serve`, from the files to the exit status.
struct ServeRun {
    private let options: ServeCommand
    private let arguments: ParsedArguments
    private let context: Context
    private let log: ServeLog

    init(_ options: ServeCommand, _ context: Context) {
        self.options = options
        arguments = options.arguments
        self.context = context
        let isJSON = options.arguments[ServeCommand.json]
        log = ServeLog(isJSON ? context.output : context.messages, isJSON: isJSON, clock: context.world.clock)
    }

    private var isJSON: Bool { arguments[ServeCommand.json] }

    func run() async throws(Failure) -> ExitStatus {
        try context.refuseFewDescriptors(for: "a server")
        let workspace = try context.open(arguments)
        // The watch begins first, so that a file that is saved while the files are read isn't missed.
        let saves = try saves(of: workspace)
        let reloading = Reloading(source, workspace, context, log)
        let content = try reloading.begin()
        try refuseUnknownExpectations(content.served)
        let address = address(content)
        let proxying = try Proxying(arguments, workspace, isForOthers: address.isForOthers, context)
        let engine = MockEngine(
            content.served, world: context.world(ChosenValues(arguments)), options: engineOptions(proxying))
        let loop: EventLoop
        do throws(ListenProblem) { loop = try EventLoop() } catch { throw Failure(error) }
        let token = try token
        let hasPage = address.isLoopback && !arguments[ServeCommand.noPage]
        let api = ControlAPI(
            engine, token: token.text, isControlled: isControlled, page: hasPage ? page(proxying) : nil)
        let control = ServerControl(
            engine, isControlled || hasPage ? api : nil, isRemote: arguments[ServeCommand.remoteControl], loop: loop)
        var responder = responder(engine, control)
        if hasPage { responder.page = ServedPage.path }
        let relay = proxying?.relay(for: responder, log, clock: context.world.clock, loop: loop)
        if let relay { responder.passOn = { relay.pass($0, $1) } }
        let server = try listen(address, responder, control, relay, loop)
        let ends = ServeEnds()
        control.begin(
            ServerControl.Actions(
                refuse: { server.refuse(for: $0) }, stop: { loop.run { ends.add(.asked) } },
                settle: relay?.answers.whenSettled))
        defer { control.end() }
        let typed = isForTyping ? TypedChoices(engine, context) : nil
        let status = try await serve(ends, server, control) { () throws(Failure) in
            report(content.served)
            announce(
                server, content, isControlled ? token.text : nil, page: hasPage ? link(to: server, token) : nil, typed,
                proxying)
            warn(address)
            log.start()
            saves.start { reloading.reload($0, engine) }
            typed?.start()
            return try program(server, isControlled ? token.text : nil)
        }
        saves.stop()
        // The grace period may be short, but it is meant for clients. Saving recorded responses gets at least 5 seconds.
        await relay?.end(within: max(arguments[ServeCommand.grace], .seconds(5)))
        return conclude(engine, isRecorded: relay?.answers.hasFailed != true, status)
    }

    // MARK: Before the start

    private func saves(of workspace: Workspace) throws(Failure) -> LiveReload {
        do throws(SystemError) {
            return try LiveReload(workspace, byInotify: !arguments[ServeCommand.poll])
        } catch {
            throw Failure(.outputFailed, code: .watchFailed, "cannot watch \(workspace.root): \(error.text)")
        }
    }

    /// Whether standard input is free for typed choices.
    private var isForTyping: Bool { options.command.isEmpty && !isJSON && !arguments[ServeCommand.untilEnd] }

    private var source: ServedSource {
        ServedSource(
            selection: Selection(options.selectors), environment: arguments[SharedOptions.environment],
            stubs: arguments[ServeCommand.stub], rest: arguments[ServeCommand.rest],
            isStrict: arguments[ServeCommand.strict])
    }

    private func engineOptions(_ proxying: Proxying?) -> MockEngine.Options {
        var options = MockEngine.Options()
        options.proxying = proxying?.mode ?? .nothing
        options.isStrict = arguments[ServeCommand.strict]
        options.validates = arguments[ServeCommand.validate] ?? true
        return options
    }

    private func responder(_ engine: MockEngine, _ control: ServerControl) -> WorkspaceResponder {
        var responder = WorkspaceResponder(
            engine, rules, StubReplies(delay: arguments[ServeCommand.delay].range), clock: context.world.clock,
            hostAdvice: "; --allow-host accepts it")
        if !log.isDiscarded { responder.note = { [log] in log.add(LoggedRequest($0)) } }
        responder.control = { control.reply($0, $1) }
        return responder
    }

    private var rules: BrowserRules {
        let origins = arguments[ServeCommand.cors]
        let sharing: BrowserRules.Sharing =
            arguments[ServeCommand.sharing]
            ? .nobody : origins.contains("*") ? .everybody : origins.isEmpty ? .thisMachine : .origins(origins)
        return BrowserRules(sharing: sharing, allowedHosts: arguments[ServeCommand.allowHost])
    }

    private var isControlled: Bool { arguments[ServeCommand.control] ?? true }

    private func page(_ proxying: Proxying?) -> ControlAPI.PageSettings {
        ControlAPI.PageSettings(
            isVerified: arguments[ServeCommand.verify], expectations: arguments[ServeCommand.expect],
            proxying: proxying?.description)
    }

    /// The token of the control API, and whether the user has given it.
    private var token: (text: String, isGiven: Bool) {
        get throws(Failure) {
            guard isControlled, let token = context.setVariable("REQCLI_TOKEN") else {
                let digits = (0..<16).map { _ in String(Int.random(in: 0x100...0x1FF), radix: 16).dropFirst() }
                return (digits.joined(), false)
            }
            guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw Failure(.usage, code: .usageInvalid, "REQCLI_TOKEN has characters that a header cannot contain")
            }
            return (token, true)
        }
    }

    private func refuseUnknownExpectations(_ served: ServedEndpoints) throws(Failure) {
        let problems = arguments[ServeCommand.expect].compactMap { served.complaint(about: $0.endpoint) }
        guard problems.isEmpty else {
            throw Failure(
                .usage, problems.map { Diagnostic(code: .endpointUnknown, "--expect: \($0)", at: nil) })
        }
    }

    private func address(_ content: ServedSource.Content) -> ListenAddress {
        if let path = arguments[ServeCommand.unixSocket] { return .unixSocket(path: path) }
        let port = UInt16(arguments[ServeCommand.port] ?? content.port ?? 8080)
        return arguments[ServeCommand.host].map { .address($0, port: port) } ?? .loopback(port: port)
    }

    private func listen(
        _ address: ListenAddress, _ responder: WorkspaceResponder, _ control: ServerControl, _ relay: ProxyRelay?,
        _ loop: EventLoop
    ) throws(Failure) -> Server {
        var limits = ServerLimits()
        limits.request.body = arguments[ServeCommand.maxBody].bytes
        var calls = ServerHandler(loop, upTo: limits.request.wholeBody) { responder.reply(to: $0) }
        calls.refusal = { responder.reply(to: $0, $1) }
        calls.refusalOfBody = { responder.refusalOfBody($0) }
        calls.clientLeft = {
            control.clientLeft($0)
            relay?.clientLeft($0)
        }
        if let relay {
            calls.clientTook = { relay.clientTook($0) }
            calls.takesBody = { relay.taking($0, responder) }
            calls.bodyCame = { relay.bodyCame($0, $1) }
        }
        do throws(ListenProblem) {
            return try Server(on: [address], loop: loop, limits: limits, handler: calls)
        } catch {
            throw Failure(error, hint: address.hint(for: error))
        }
    }

    // MARK: The start

    /// Warns about faults in the stubs that this server can't produce.
    private func report(_ served: ServedEndpoints) {
        let impossible = served.impossibleFaults
        guard !impossible.isEmpty else { return }
        let list = impossible.prefix(3).joined(separator: ", ") + (impossible.count > 3 ? " and others" : "")
        context.report(
            .warning, code: .faultImpossible,
            "a server cannot refuse a connection that it has accepted; stub variants that reset the connection instead: \(list)"
        )
    }

    private func announce(
        _ server: Server, _ content: ServedSource.Content, _ token: String?, page: String?, _ typed: TypedChoices?,
        _ proxying: Proxying?
    ) {
        let count = content.served.endpoints.count
        if isJSON {
            let ready = OrderedJSON.object([
                "event": "ready", "url": .string(server.urls.first ?? ""), "port": .int(Int(server.port)),
                "token": token.map { .string($0) }, "page": page.map { .string($0) },
                "pid": .int(Int(ProcessInfo.processInfo.processIdentifier)),
            ])
            context.output.write(ready.compact + "\n")
        } else {
            // If there is a command, standard output belongs to it.
            let output = options.command.isEmpty ? context.output : context.messages
            output.write(server.urls.joined(separator: "\n") + "\n")
            let hint = typed?.hint ?? ""
            let base = content.served.basePath.map { "; all paths begin with \(TerminalText.harmless($0))" } ?? ""
            let others = proxying.map { "; \($0.description)" } ?? ""
            context.messages.write(
                "\(count) \(count == 1 ? "endpoint" : "endpoints") of \(content.environment), from stubs\(base)\(others)\(hint)\n"
            )
            if let page, options.command.isEmpty { context.messages.write("page for a browser: \(page)\n") }
        }
    }

    /// The link to the page. The token is part of the link, unless it is a secret of the user.
    private func link(to server: Server, _ token: (text: String, isGiven: Bool)) -> String {
        (server.urls.first ?? "") + ServedPage.path + (token.isGiven ? "" : "#\(token.text)")
    }

    /// Warns that other machines can call the server.
    private func warn(_ address: ListenAddress) {
        guard address.isForOthers else { return }
        let rest =
            !isControlled
            ? ""
            : arguments[ServeCommand.remoteControl]
                ? ", and control the server if they have the token" : "; the control API answers only this machine"
        context.report(.warning, code: .servedToOthers, "all machines in this network can call these stubs\(rest)")
    }

    private func program(_ server: Server, _ token: String?) throws(Failure) -> ServedProgram? {
        guard !options.command.isEmpty else { return nil }
        var variables = ["REQCLI_URL": server.urls.first ?? ""]
        if let token { variables["REQCLI_TOKEN"] = token }
        return try ServedProgram(
            options.command, variables, hasInput: !arguments[ServeCommand.untilEnd], hasOutput: !isJSON)
    }

    // MARK: The end

    /// Serves until something ends it.
    ///
    /// - Parameter start: Announces that the server is ready. From then on, a signal ends it in order.
    private func serve(
        _ ends: ServeEnds, _ server: Server, _ control: ServerControl, _ start: () throws(Failure) -> ServedProgram?
    ) async throws(Failure) -> ExitStatus {
        if arguments[ServeCommand.untilEnd] { ends.addWhenInputEnds() }
        let grace = arguments[ServeCommand.grace]
        let interruption = Interruption()
        let result = await interruption.givingUp({ ends.add(.signal(interruption.received ?? SIGTERM)) }) {
            () async -> Result<ExitStatus, Failure> in
            let program: ServedProgram?
            do throws(Failure) { program = try start() } catch {
                await server.stop(grace: .zero)
                return .failure(error)
            }
            program?.whenEnded { ends.add(.programEnded($0)) }
            let end = await ends.next()
            control.end()
            async let stopped: Void = server.stop(grace: grace)
            var status = ExitStatus.success
            if case .programEnded(let own) = end {
                status = own
            } else if let program {
                status = await program.end(by: end.signal, within: grace, ends)
            }
            await stopped
            return .success(status)
        }
        return try result.get()
    }

    /// Reports the problems with the calls, and returns the exit status.
    ///
    /// - Parameter isRecorded: False if files couldn't be written.
    private func conclude(_ engine: MockEngine, isRecorded: Bool, _ status: ExitStatus) -> ExitStatus {
        let isVerified = arguments[ServeCommand.verify]
        let lines = isVerified ? engine.complaints(expecting: arguments[ServeCommand.expect]).map(\.description) : []
        let isWritten = isRecorded && !log.hasFailed
        let own: ExitStatus = !lines.isEmpty ? .expectationFailed : isWritten ? status : .outputFailed
        let end = status.code == 0 ? own : status
        if isJSON {
            log.addEvent([
                "event": "end", "requests": .int(engine.requestCount),
                "verified": isVerified ? .bool(lines.isEmpty) : nil,
                "problems": lines.isEmpty ? nil : .array(lines.map { .string($0) }),
                "status": .int(Int(end.code)),
            ])
        }
        log.end()
        if !isJSON {
            let isColoured = context.isColoured(.error)
            for line in lines {
                context.messages.write(
                    Styled("✗ ", .red) + Styled(TerminalText.harmless(line) + "\n"), inColour: isColoured)
            }
        }
        return end
    }
}

extension ListenAddress {
    /// Whether other machines may reach this address.
    fileprivate var isForOthers: Bool {
        guard case .address(let text, _) = self else { return false }
        return text != "::1" && !text.hasPrefix("127.")
    }

    /// Whether browsers of this machine, and no others, may reach this address.
    fileprivate var isLoopback: Bool {
        if case .unixSocket = self { false } else { !isForOthers }
    }

    /// The advice for an address that can't be listened on.
    fileprivate func hint(for problem: ListenProblem) -> String? {
        if case .unixSocket = self {
            return problem.isTaken ? "end the other program, or choose another path" : "choose another path"
        }
        return problem.isTaken ? "end the other program, or choose another port: --port 0 takes a free one" : nil
    }
}

extension Failure {
    fileprivate init(_ problem: ListenProblem, hint: String? = nil) {
        self.init(.usage, code: .addressUnusable, problem.reason, hint: hint)
    }
}

extension Diagnostic.Code {
    fileprivate static let addressUnusable: Self = "address.unusable"
    fileprivate static let servedToOthers: Self = "serve.network"
    fileprivate static let faultImpossible: Self = "serve.fault"
}
