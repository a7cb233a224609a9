import Calling
package import CommandLineKit
import ReqcliAssembly
import ReqcliDefinitions
package import ReqcliText
import RequestBuilding

/// Sends an endpoint's request and prints the response.
package struct SendCommand: Command {
    package static let spec = CommandSpec(
        "send", "Send a request and print the response",
        examples: [
            Example("In the default environment", "reqcli send ping"),
            Example(
                "With params, in another environment", "reqcli send user.feed userID=123 ascending=true --env staging"),
            Example("Write the body to a file", "reqcli send breeds.list -o breeds.json"),
            Example("Show what is sent and received, with timings", "reqcli send user.get -v"),
            Example("Set a header for this call", "reqcli send user.get -H 'Accept-Language: de'"),
            Example("Use the cookies of an earlier call", "reqcli send user.get --cookie-jar session.txt"),
            Example("Without an endpoint file", "reqcli send POST https://api.example.com/users name=Ada age:=36"),
            Example("In short form, on this machine", "reqcli :8080/users user[name]=Ada Accept-Language:de -a ada"),
            Example(
                "Save the request as an endpoint",
                "reqcli send POST https://api.example.com/users name=Ada --save user.create"),
            Example("Repeat the last call with another value", "reqcli send --again userID=124"),
            Example("Log in once for many calls", "reqcli send user.feed userID=123 --keep 10m"),
            Example(
                "Save the response, to replay it with --stub recorded", "reqcli send user.get --save-stub recorded"),
        ],
        arguments: ArgumentList(RequestOptions.endpoint, RequestOptions.parameters),
        options: [
            SendOptions.printing, OptionGroup("Environment", SharedOptions.environment), RequestOptions.changes,
            SendOptions.carrying, SendOptions.streaming, RequestOptions.values, SendOptions.more,
        ],
        sections: [
            TextSection(
                "What is printed",
                """
                To a terminal: the status line, the headers, then the body. JSON is indented and coloured; numbers, escapes \
                and the order of keys stay unchanged. To a pipe or a file: the body's bytes, unchanged.
                """),
            TextSection(
                "Streams",
                """
                Events of a stream (text/event-stream, or NDJSON) are printed as they arrive: on a terminal as blocks, in a \
                pipe as unchanged bytes, with --json as one JSON object per line. --select applies to the data of each event.
                """),
            TextSection(
                "Pages",
                """
                --paginate finds the next page with "pages" in the endpoint's file, else with the Link header (rel="next"). \
                All pages must have the same origin. --select applies to each page. An incomplete list is an error.
                """),
            TextSection(
                "The cookie jar",
                """
                --cookie-jar uses the file format of curl's -b and -c. The file is written at the end, even after an error, \
                and only its owner can read it. Cookie values are masked wherever requests and headers are shown.
                """),
            TextSection(
                "What --save keeps",
                """
                --save keeps the request, whatever the status of the response. Each NAME=VALUE becomes a param with a type, \
                and with this value as its default. A param that looks like a secret gets no default. ID determines the file: \
                user.create is saved in endpoints/user.json. Without a workspace, --save makes one in the current folder.
                """),
            TextSection(
                "Kept logins",
                """
                With --keep, or with "keep" in a need, send reuses captured values in later calls of the same workspace and \
                environment, with the same login, to the same servers. The values are in a file that only you can read, below \
                $XDG_STATE_HOME/reqcli/logins or ~/.local/state/reqcli/logins. A status in "refreshOn" discards them. check \
                never uses kept values, and send does not use them in CI.
                """),
            TextSection(
                "Repeated calls",
                """
                --again repeats the last call of the workspace's history, --again 12 repeats call 12. The params and flags \
                that you give now replace those of the call; the others stay. Secrets are resolved again. "reqcli help \
                history" says what is kept.
                """),
            TextSection(
                "What --save-stub keeps",
                """
                --save-stub keeps the status, the headers and the decoded body. It leaves out headers about the connection, \
                the date, the length and the encoding. Secrets, cookies and other credentials from the server are masked. The \
                variant is added to the endpoint's file; the rest of the file stays unchanged.
                """),
        ],
        exitStatuses: [
            .success,
            .expectationFailed.meaning(
                "--select found nothing, a --paginate list is incomplete, the response has GraphQL errors, or a needed endpoint didn't respond as expected"
            ),
            .usage, .broken, .clientError, .serverError,
            .noAnswer, .timedOut, .refusedByPolicy, .outputFailed, .interrupted,
        ],
        essentials: ["include", "verbose", "output", "select", "env", "header", "auth", "follow", "stub", "again"],
        page: "reference/http.md")

    let arguments: ParsedArguments
    let flags: RequestFlags
    /// The endpoint to call in place of the one that the command line names.
    private let edited: EditedEndpoint?

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        edited = nil
        guard !arguments.isGiven(SendOptions.again) else {
            // The call to repeat must be read first, so the other arguments are read later.
            try CallAgain.refuseTarget(arguments)
            flags = RequestFlags(arguments, endpoint: "", parameters: [])
            return
        }
        flags = try RequestFlags(arguments)
        // Contradictions are reported before anything is read.
        try Presentation.refuseContradictions(arguments)
        try RecordingOptions.refuseContradictions(arguments, isTyped: flags.typed != nil)
    }

    /// Makes the call of another command with an edited endpoint.
    init(_ command: SendCommand, calling edited: EditedEndpoint) {
        arguments = command.arguments
        flags = edited.flags
        self.edited = edited
    }

    package func run(in context: Context) async throws(Failure) -> ExitStatus {
        if arguments.isGiven(SendOptions.again) {
            return try await CallAgain(arguments, context).command().run(in: context)
        }
        let (workspace, chain) = if let edited { edited.scene } else { try context.scene(of: flags, arguments) }
        if arguments[Watching.flag] { return try watch(workspace, context) }
        try context.refuseShortage()
        let session = try context.session(flags.session, isSending: true)
        let sending: Sending
        do throws(Failure) {
            sending = try await prepared(in: workspace, chain, session, context)
        } catch {
            context.saveAfterFailure(session.cookies)
            throw error
        }
        let status: ExitStatus
        do throws(Failure) {
            status = try await sending.run()
        } catch {
            sending.interruption.undisturbed { context.saveAfterFailure(session.cookies) }
            throw error
        }
        try sending.interruption.undisturbed { () throws(Failure) in try context.save(session.cookies) }
        LikelyMistakes(flags, arguments, context).noteUnreadInput(sending.assembled.request.method)
        return status
    }

    /// The history that keeps the call; nil if the history is off. A call of a typed URL is kept in the history of the workspace
    /// in which the command runs.
    private func history(
        in workspace: Workspace, _ chain: EnvironmentChain, _ context: Context
    ) throws(Failure) -> (place: History, extent: History.Extent, asked: HistoryRecorder.Asked)? {
        var own: Workspace? { flags.typed == nil ? workspace : try? context.openIfThere(arguments) }
        // The words of the command line don't say what was edited.
        if edited != nil { return nil }
        let extent = try context.historyExtent(
            in: { own }, chain, isAtTerminal: context.isAtTerminal(mayAsk: flags.mayAsk))
        guard let extent else { return nil }
        if let secret = flags.typed?.secretInURL {
            context.note(
                "the call is not kept in the history, because \(secret.description) of the URL looks like a secret")
            return nil
        }
        return History(of: own, context).map {
            ($0, extent, HistoryRecorder.Asked(arguments: arguments, typed: flags.typed))
        }
    }

    /// Sends the request again after each save. No one confirms these requests, so without --yes only methods that change nothing
    /// are sent.
    private func watch(_ workspace: Workspace, _ context: Context) throws(Failure) -> ExitStatus {
        let files = flags.environmentFiles + flags.reading(context.world).readFiles
        return try Watching(context, workspace, namedFiles: files, hasCases: false).run { () throws(Failure) in
            // Only the method is checked here. Each run reports the other problems of the endpoint.
            guard !arguments[SendOptions.yes], let endpoint = try? context.endpoint(of: flags, in: workspace),
                !HTTPMethod.isSafe(endpoint.method)
            else { return }
            throw Failure(
                .usage, code: .usageInvalid, "--watch would send \(endpoint.method) after each save",
                hint: "pass --yes if that is what you want")
        }
    }

    /// Prepares the request to send. First makes the calls that it needs.
    private func prepared(
        in workspace: Workspace, _ chain: EnvironmentChain, _ session: CallSession,
        _ context: Context
    ) async throws(Failure) -> Sending {
        let endpoint = if let edited { edited.endpoint } else { try context.endpoint(of: flags, in: workspace) }
        if flags.open(endpoint).needs.isEmpty { try refuseKeep(endpoint) }
        LikelyMistakes(flags, arguments, context).note(calling: endpoint)
        let history = try history(in: workspace, chain, context)
        let asked = try AskedCall(
            endpoint, flags, in: chain, workspace, arguments, session, context,
            isNarrating: arguments[SendOptions.verbose])
        let network = asked.network
        if asked.hasNeeds {
            try await asked.rehearse()
            try asked.confirmation.ask()
        }
        let made = try network.make(try await asked.completed())
        LikelyMistakes(flags, arguments, context).note(sending: made.request.request)
        let saver = try EndpointSaver(arguments, made.request, flags, session, context)
        // Warns only about the needed calls. `Sending` warns about its own request.
        if asked.hasNeeds, network.isInsecure, !made.request.request.transfer.tls.isInsecure {
            context.report(
                .warning, code: .insecure, "the certificates of the servers that \(endpoint.id) needs are not checked")
        }
        return try Sending(
            made, by: network, arguments, context, saver: saver, history: history
        ) { (status) async throws(Failure) in
            guard let fresh = try await asked.completed(refreshedOn: status) else { return nil }
            return try network.make(fresh)
        }
    }

    private func refuseKeep(_ endpoint: LocatedEndpoint) throws(Failure) {
        if arguments[SendOptions.keep] == nil { return }
        throw Failure(
            .usage, code: .usageInvalid, "--keep applies to needs, but \(endpoint.id) has no needs",
            hint: "leave out --keep")
    }
}
