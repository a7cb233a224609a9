import Calling
package import CommandLineKit
import OAuth
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliRedaction
package import ReqcliText
import RequestBuilding

/// Logs a person in, and keeps the access token.
package struct LoginCommand: Command {
    static let noBrowser = Flag("no-browser", "Print the address to open, and ask for the address at the end")
    static let servers = Option(
        repeated: "for", .serverOrigin,
        "Also send the token to this server, such as one that a param or --base-url names")

    package static let spec = CommandSpec(
        "login", "Log in with a browser and keep an access token (OAuth 2)",
        examples: [
            Example("Log in to the environment", "reqcli login -e staging"),
            Example("On a machine without a browser, such as over SSH", "reqcli login -e staging --no-browser"),
        ],
        arguments: ArgumentList(AccountOptions.endpoint),
        options: [
            OptionGroup("Login", noBrowser, servers), OptionGroup("Environment", SharedOptions.environment),
            AccountOptions.values,
        ],
        sections: [
            TextSection(
                "What happens",
                """
                login says where it logs in, for what, and which servers will get the token, and asks. Then it opens the \
                browser and waits for five minutes. Only login opens a browser and asks a person: send, check and the other \
                commands use and renew the token that it has kept. With the flow deviceCode, it shows a code to enter in a browser \
                on any device.
                """),
            TextSection(
                "Which servers get the token",
                """
                Only those that login names, by the proxies and with the certificates that the files give at that time. After a \
                change of one of these in a file, log in again to agree to it. Flags and environment variables for proxies and \
                certificates are your own, and need no agreement. A server that depends on params needs --for.
                """),
            TextSection(
                "Where the token is",
                """
                In a file that only you can read, below $XDG_STATE_HOME/reqcli/tokens or ~/.local/state/reqcli/tokens, for \
                this workspace, environment and client. "reqcli whoami" shows its path, "reqcli logout" removes it. In CI, no \
                token is kept, and login is an error.
                """),
        ],
        exitStatuses: [
            .success, .usage.meaning("wrong usage, or there is no terminal"),
            .broken.meaning("a file has errors, or the server refuses"), .noAnswer, .timedOut, .outputFailed,
            .interrupted,
        ],
        page: "how-to/log-in.md")

    private let arguments: ParsedArguments

    package init(_ arguments: ParsedArguments) { self.arguments = arguments }

    package func run(in context: Context) async throws(Failure) -> ExitStatus {
        let account = try TokenAccount(arguments, context)
        guard account.client.flow.needsLogin else {
            throw Failure(
                .usage, code: .usageInvalid,
                "the flow \(own: account.client.flow.rawValue) needs no login: reqcli gets its tokens when they are needed"
            )
        }
        guard !context.isInCI, TrustFlags(arguments).mayAsk, context.terminal.canAsk else {
            throw Failure(
                .usage, code: .usageInvalid,
                context.isInCI ? "login needs a person, and this is CI" : "login needs a person at a terminal",
                hint:
                    "without a person, use an environment that extends this one with the flow clientCredentials, or with \"bearer\" and a secret"
            )
        }
        guard let store = TokenStore(context) else {
            throw Failure(.usage, code: .usageInvalid, "HOME is not set, so there is no place for the token")
        }
        try context.refuseShortage()
        // A file that can't be used is an error now, not after the login.
        _ = try store.read(account.need.key)
        let (places, unknown) = try account.places(arguments[Self.servers])
        try ask(account, places, unknown, context)
        let person = try LoginPerson(context, for: account.need, hasBrowser: !arguments[Self.noBrowser])
        let transport = NetworkTransport(context.network)
        var conversation = OAuthConversation(
            account.need.guarding(transport), like: account.need.transfer.completed(by: context.usualTransfer),
            account.need.redactor,
            isPatient: true)
        conversation.person = person
        let grant: TokenGrant?
        do throws(OAuthConversation.Refusal) {
            let secrets = AuthorizationRequest.Secrets(random: context.world.random)
            grant = try await conversation.grant { () throws(OAuthProblem) in
                let flow = OAuthFlow(account.client)
                return try account.client.flow == .deviceCode
                    ? flow.deviceCode()
                    : flow.authorizationCode(redirect: person.redirect, secrets) { [redactor = account.need.redactor] in
                        redactor.isSecret(in: Array($0.utf8))
                    }
            }
        } catch {
            throw error.failure
        }
        guard let grant else { throw Failure(.broken, code: .tokenMissing, "the login gave no token") }
        let token = StoredToken(
            grant, for: account.need, places: places, at: context.world.clock.date(), replacing: nil)
        let (changes, unlock) = try await store.lock(account.need.key)
        defer { unlock() }
        try store.write(token, account.need.key, changes)
        report(token, context)
        return .success
    }

    private func ask(
        _ account: TokenAccount, _ places: [TokenPlace], _ unknown: [String], _ context: Context
    ) throws(Failure) {
        let redactor = account.need.redactor
        // Each part comes from files of the workspace. A line break in one could draw another question.
        func shown(_ text: String) -> String {
            let text = redactor.redact(text)
            return harmlessLine(text.count > 300 ? String(text.prefix(300)) + "…" : text)
        }
        func list(_ texts: [String]) -> String { texts.map(shown).joined(separator: ", ") }
        let client = account.client
        let server = "\(shown(client.serverName))\(shown(account.need.way.phrase))"
        let scopes = client.scopes.isEmpty ? "" : ", for \(list(client.scopes))"
        let open =
            unknown.isEmpty
            ? ""
            : "Not included, because the server depends on params: \(list(unknown)). --for URL includes a server.\n"
        let targets = list(places.filter { $0.origin != nil }.map(\.phrase))
        let question =
            "Log in at \(server) as \(shown(client.id))\(scopes).\n\(open)The token will be sent to \(targets). Go on?"
        switch context.answer(question) {
        case .yes: return
        case .interrupted: throw Failure(.interrupted, [])
        case .other: throw Failure(.usage, code: .usageInvalid, "not logged in")
        }
    }

    private func report(_ token: StoredToken, _ context: Context) {
        let until =
            token.expires.map { "until \(Timestamp.iso8601(Double($0)))" } ?? "for a time that the server doesn't say"
        let renewal = token.refreshToken == nil ? "" : "; renewed by itself after that"
        context.writeSummary([Styled(harmlessLine("\(token.user ?? "logged in"), \(until)\(renewal)"))])
    }
}
