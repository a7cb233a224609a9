import Assembly
package import CommandLineKit
import Definitions
import Exchange
import Foundation
import Redaction
import RequestBuilding
import SourceText

/// Sends an endpoint's request and prints the answer.
package struct SendCommand: Command {
    package static let spec = CommandSpec(
        "send", "Send a request and print the answer",
        examples: [
            Example("With the environment's values as they are", "reqcli send ping"),
            Example(
                "With params, in another environment", "reqcli send user.feed userID=123 ascending=true --env staging"),
            Example("The body to a file, whole or not at all", "reqcli send breeds.list -o breeds.json"),
            Example("What went over the wire, and how long it took", "reqcli send user.get -v"),
            Example("A header for once", "reqcli send user.get -H 'Accept-Language: de'"),
            Example("With the cookies of an earlier call", "reqcli send user.get --cookie-jar session.txt"),
            Example(
                "The answer kept, to be replayed with --stub recorded", "reqcli send user.get --save-stub recorded"),
        ],
        arguments: ArgumentList(RequestOptions.endpoint, RequestOptions.parameters),
        options: [
            SendOptions.printing, OptionGroup("Environment", SharedOptions.environment), RequestOptions.changes,
            ConnectionOptions.group, SendOptions.carrying, RequestOptions.values,
        ],
        sections: [
            TextSection(
                "What is printed",
                """
                To a terminal: the status line, the headers, then the body; JSON is indented and coloured without changing \
                the order of keys, numbers or escapes. To a pipe or a file: the body's bytes, untouched.
                """),
            TextSection(
                "The cookie jar",
                """
                --cookie-jar reads and writes the file that curl reads with -b and writes with -c. It is written when all \
                is over, for its owner alone, also after an error. Its values are masked wherever a request or a head is \
                shown.
                """),
            TextSection(
                "What --save-stub keeps",
                """
                The status, the headers and the decoded body. Left out are headers of the connection and of the moment \
                (Date, lengths, codings); secrets are masked everywhere, and so are cookies and other credentials that \
                the server hands out. The endpoint's file gets one variant more and is otherwise left as it is.
                """),
        ],
        exitStatuses: [
            .success,
            .expectationFailed.meaning("--select found nothing, or what is needed answered otherwise than expected"),
            .usage, .broken, .clientError, .serverError,
            .noAnswer, .timedOut, .refusedByPolicy, .outputFailed, .interrupted,
        ])

    let arguments: ParsedArguments
    let workspace: WorkspaceChoice
    let flags: RequestFlags

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        workspace = WorkspaceChoice(arguments)
        flags = RequestFlags(arguments)
        // Contradictions are told before anything is read.
        _ = try Presentation(arguments, isTerminal: false, sharesTerminal: false, inColour: false)
        try RecordingOptions.refuseContradictions(arguments)
        try ConnectionOptions.refuseContradictions(arguments)
    }

    package func run(in context: Context) async throws(Failure) -> ExitStatus {
        let loader = try context.loader(flag: arguments[SendOptions.loader])
        let workspace = try context.open(workspace)
        let chain = try context.environment(
            flag: arguments[SharedOptions.environment], in: workspace, toCall: flags.endpoint)
        try flags.refuseWhatFoundationCannot(loader)
        try context.refuseShortage()
        let session = try context.session(flags.session, isSending: true)
        let sending: Sending
        do throws(Failure) {
            sending = try await prepared(in: workspace, chain, loader, session, context)
        } catch {
            session.cookies?.saveAfterFailure()
            throw error
        }
        let status: ExitStatus
        do throws(Failure) {
            status = try await sending.run()
        } catch {
            sending.interruption.undisturbed { session.cookies?.saveAfterFailure() }
            throw error
        }
        try sending.interruption.undisturbed { () throws(Failure) in try session.cookies?.save() }
        return status
    }

    /// Everything before the request itself, what it needs first included.
    private func prepared(
        in workspace: Workspace, _ chain: EnvironmentChain, _ loader: Loader, _ session: CallSession,
        _ context: Context
    ) async throws(Failure) -> Sending {
        let endpoint = try context.endpoint(of: flags, in: workspace)
        let flags = try flags.spoolingInput(context.world)
        let confirmation = Confirmation(
            chain.name, context.terminal, isAgreed: arguments[SendOptions.yes], mayAsk: flags.mayAsk)
        let needs = try context.needs(
            of: endpoint, flags, in: chain, workspace,
            stubs: try StubChoice(arguments[StubChoice.option], in: workspace), confirmation: confirmation,
            loader: loader, session: session, isNarrating: arguments[SendOptions.verbose])
        guard let needs else {
            let assembled = try context.assemble(endpoint, flags, environment: chain, in: workspace, session: session)
            try confirmation.settle(assembled.policy, assembled.method) {
                let url = assembled.redactor.redact(assembled.request.url.absoluteString)
                return "Send \(assembled.method) \(url) to \(chain.name)?"
            }
            return try Sending(assembled, arguments, context, cookies: session.cookies)
        }
        let complete = try context.rehearse(flags, endpoint, in: chain, workspace, awaiting: needs, confirmation)
        try await needs.rehearse(complete)
        try confirmation.ask()
        let assembled = try context.assemble(
            endpoint, complete, environment: chain, in: workspace, session: session, needed: try await needs.values())
        // Of its own request the sending itself warns.
        if needs.isInsecure(), !assembled.request.transfer.tls.isInsecure {
            context.tell(.warning, code: .insecure, "the certificates of what \(endpoint.id) needs are not checked")
        }
        try confirmation.require(assembled.policy, assembled.method)
        return try Sending(assembled, arguments, context, cookies: session.cookies) {
            (status) async throws(Failure) in
            guard let fresh = try await needs.values(refreshedOn: status) else { return nil }
            return try context.assemble(
                endpoint, complete, environment: chain, in: workspace, session: session, needed: fresh)
        }
    }
}
