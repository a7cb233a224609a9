import Calling
package import CommandLineKit
import Rendering
import ReqcliAssembly
import ReqcliDefinitions
package import ReqcliText
import RequestBuilding

/// Prints the request that `send` would send, and sends nothing.
package struct RenderCommand: Command {
    enum Format: String, CaseIterable, Sendable {
        case curl
        case http
        case json
        case har
    }

    static let format = Option(
        "format", short: "f",
        .oneOf(Format.self) {
            switch $0 {
            case .curl: "a command to paste"
            case .http: "the HTTP message as it is sent"
            case .json: "method, URL, headers and body, for programs"
            case .har: "an HTTP archive, for browsers and proxies"
            }
        }, default: .curl, "The output format")
    static let json = SharedOptions.json("Print JSON, like --format json")
    static let shell = Option("shell", .oneOf(Shell.self), default: .sh, "The shell that the command is for")
    static let oneLine = Flag("one-line", "Print the command on one line")
    static let reveal = Flag("reveal", "Print secrets unmasked")
    static let diff = Option(
        "diff", .text("ENV", completing: .environment), "Print only how the request would differ in this environment")

    package static let spec = CommandSpec(
        "render", "Print the request without sending it",
        examples: [
            Example("As a command to paste", "reqcli render user.get"),
            Example("In another environment, with a param", "reqcli render user.feed userID=123 --env staging"),
            Example("Run it in a script", "eval \"$(reqcli render ping --one-line)\""),
            Example("As the HTTP message that is sent", "reqcli render user.create name=Ada --format http"),
            Example("Show what would be different in production", "reqcli render user.get --diff production"),
        ],
        arguments: ArgumentList(RequestOptions.endpoint, RequestOptions.parameters),
        options: [
            OptionGroup("Output", format, json, shell, oneLine, reveal, diff)
                .ruled(by: [.atMostOne(format, json, diff)]),
            OptionGroup("Environment", SharedOptions.environment), RequestOptions.changes,
            OptionGroup("Condition", SendOptions.ifChanged), ConnectionOptions.group, SendOptions.described,
            RequestOptions.values,
        ],
        sections: [
            TextSection(
                "Secrets",
                """
                A secret from an environment variable appears as "${NAME:?}", a secret from a program or a file as "$(…)". The \
                command works, but does not show the secret. A secret in an encoded form is masked, and a note says so.
                """),
            TextSection(
                "Needs",
                """
                render calls no needed endpoints. A captured value appears as "${LOGIN_TOKEN:?}", and a note says how to get \
                the value. To set it yourself, give NAME.CAPTURE=VALUE, such as login.token=VALUE.
                """),
            TextSection("Notes", "stdout has only the command. Notes about what curl can't do go to stderr."),
        ],
        exitStatuses: [.success, .usage, .broken, .outputFailed],
        essentials: ["format", "env", "header", "body", "auth", "one-line", "shell", "reveal", "diff"],
        page: "reference/http.md")

    let arguments: ParsedArguments
    let environment: String?
    let flags: RequestFlags
    let format: Format
    let shell: Shell
    let isOneLine: Bool
    let isRevealing: Bool
    let other: String?

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        environment = arguments[SharedOptions.environment]
        format = arguments[Self.json] ? .json : arguments[Self.format]
        // Only the HTTP message contains the content of the body's files.
        flags = try RequestFlags(arguments, readsBodyFiles: format == .http)
        shell = arguments[Self.shell]
        isOneLine = arguments[Self.oneLine]
        isRevealing = arguments[Self.reveal]
        other = arguments[Self.diff]
        if format != .curl, let flag = arguments.isGiven(Self.shell) ? "--shell" : isOneLine ? "--one-line" : nil {
            throw UsageError("\(flag) can only be used with --format curl", command: Self.spec.name)
        }
    }

    package func run(in context: Context) async throws(Failure) -> ExitStatus {
        let (workspace, chain) = try context.scene(of: flags, arguments)
        if let other, other == chain.name {
            throw Failure(
                .usage, code: .usageInvalid, "--diff names \(other), which is also the environment of the request",
                hint: "name another environment with --diff or --env")
        }
        let session = try context.session(flags.session, isSending: false)
        let assembled = try context.assembleToShow(flags, environment: chain, in: workspace, session: session)
        if let other { return try compare(assembled, with: other, in: workspace, session, context) }
        notePolicy(assembled, context)
        var input = try input(assembled, session.cookies, context)
        if let path = arguments[SendOptions.ifChanged] {
            input.request = try ConditionalRequest(path, output: nil, assembled, context).asking(input.request)
        }
        try input.sign(as: assembled)
        let rendered: Rendered
        do throws(RenderingError) {
            rendered = try render(input, context)
        } catch {
            throw Failure(.broken, code: .renderingFailed, error.description)
        }
        for note in rendered.notes { context.note(note) }
        noteVariablesOfFiles(assembled, context)
        noteCaptures(assembled, context)
        noteControls(rendered.bytes, context)
        context.output.write(rendered.bytes)
        // Adds no line break to an HTTP message, because the line break would be part of the body.
        if format != .http { context.output.write("\n") }
        return .success
    }

    /// The input for the renderer. A printed command reads the cookie jar when it runs. Other formats show the cookies that are
    /// in the jar now.
    private func input(
        _ assembled: AssembledRequest, _ cookies: CookieSession?, _ context: Context
    ) throws(Failure) -> RenderingInput {
        guard let cookies, let file = cookies.file else { return RenderingInput(assembled, isRevealing: isRevealing) }
        guard format == .curl else {
            let shown = try cookies.showing(assembled, isRevealing: isRevealing)
            return RenderingInput(shown, isRevealing: isRevealing)
        }
        var input = RenderingInput(assembled, isRevealing: isRevealing)
        input.cookieJar = CookieJarFile(
            path: file.path, isSaved: file.isJar, cookies: cookies.pairs(for: assembled))
        return input
    }

    /// Reports what the environment's policy says. The policy doesn't forbid printing, but a user who sends the printed request
    /// with another program should know it.
    private func notePolicy(_ assembled: AssembledRequest, _ context: Context) {
        context.warnOfStrayingSecrets(in: assembled)
        let name = assembled.call.environment.name
        switch assembled.policy {
        case .allowed: break
        case .refused(let reason):
            context.report(
                .warning, code: .policyRefused,
                "the environment \(name) does not allow this \(assembled.method): \(reason)")
        case .needsConfirmation:
            context.note(
                "the environment \(name) asks before each \(assembled.method), but the printed request is sent without a question"
            )
        }
    }

    /// Prints a note that names the variables that `send` takes from files. A shell that runs the printed command doesn't read
    /// these files.
    private func noteVariablesOfFiles(_ assembled: AssembledRequest, _ context: Context) {
        guard format == .curl, !isRevealing else { return }
        for case .environmentFile(let variable, let file) in assembled.secrets.map(\.origin) {
            context.note("\(variable) comes from \(file): export it before running this command")
        }
    }

    private func noteCaptures(_ assembled: AssembledRequest, _ context: Context) {
        let options: [(String, String?)] = [
            ("--workspace", arguments[GlobalOptions.workspace]), ("--env", environment),
            ("--base-url", arguments[RequestOptions.baseURL]),
        ]
        let notes = CaptureNotes(
            assembled: assembled, assembler: context.assembler(flags), shell: shell,
            options: options.flatMap { name, value in value.map { [name, $0] } ?? [] })
        for note in notes.notes(isCommand: format == .curl) { context.note(note) }
        guard flags.session.cookies == nil else { return }
        for note in notes.cookieNotes(flags.open(assembled.call.endpoint)) { context.note(note) }
    }

    /// Prints a note about control characters. A terminal shows them as symbols, so a command that is copied from the terminal
    /// would make another request.
    private func noteControls(_ bytes: [UInt8], _ context: Context) {
        guard context.terminal.isTerminal(.output) else { return }
        let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
        guard TerminalText.harmless(text, keepingLines: true) != text else { return }
        context.note("control characters are shown as symbols here; a file or a pipe gets them unchanged")
    }

    private func render(_ input: RenderingInput, _ context: Context) throws(RenderingError) -> Rendered {
        switch format {
        case .curl: CurlFormat(shell: shell, isOneLine: isOneLine).render(input)
        case .http: try HTTPFormat().render(input)
        case .json: JSONFormat().render(input)
        case .har:
            HARFormat(creator: (Program.name, Program.version), date: Timestamp.iso8601(context.world.clock.date()))
                .render(
                    input)
        }
    }

    private func compare(
        _ assembled: AssembledRequest, with other: String, in workspace: Workspace, _ session: CallSession,
        _ context: Context
    ) throws(Failure) -> ExitStatus {
        let chain = try context.environment(flag: other, in: workspace)
        let second = try context.assembleToShow(
            flags, environment: chain, in: workspace.inside(chain), session: session)
        let comparison = Comparison(Explanation(assembled), Explanation(second))
        context.write(comparison.text)
        return .success
    }
}

extension Diagnostic.Code {
    static let renderingFailed: Self = "rendering.failed"
}
