package import CommandLineKit
import Exchange
import Foundation
import OAuth
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliRedaction
package import ReqcliText
import RequestBuilding

/// Shows whose access token is kept for an environment, and for what.
package struct WhoamiCommand: Command {
    static let remote = Flag("remote", "Ask the server, too (userinfo of OpenID Connect)")
    static let json = SharedOptions.json("Print one JSON object")

    package static let spec = CommandSpec(
        "whoami", "Show who is logged in (OAuth 2)",
        examples: [
            Example("Who is logged in to the environment, and until when", "reqcli whoami -e staging"),
            Example("What the server says about the user", "reqcli whoami --remote"),
        ],
        arguments: ArgumentList(AccountOptions.endpoint),
        options: [
            OptionGroup("Output", remote, json), OptionGroup("Environment", SharedOptions.environment),
            AccountOptions.values,
        ],
        sections: [
            TextSection(
                "The user",
                """
                The user's name comes from the ID token of the login, which is not verified. --remote asks the server.
                """)
        ],
        exitStatuses: [
            .success, .usage, .broken.meaning("a file has errors, nobody is logged in, or the server refuses"),
            .noAnswer, .timedOut, .outputFailed,
        ],
        page: "how-to/log-in.md")

    private let arguments: ParsedArguments

    package init(_ arguments: ParsedArguments) { self.arguments = arguments }

    package func run(in context: Context) async throws(Failure) -> ExitStatus {
        let account = try TokenAccount(arguments, context)
        let keeper = TokenKeeper(context, NetworkTransport(context.network))
        let store = TokenStore(context)
        guard var kept = try store?.read(account.need.key) else {
            throw Failure(
                .broken, code: .tokenMissing, "no token is kept for \(own: account.need.environment)",
                hint: account.client.flow.needsLogin ? "run \"\(own: account.need.command("login"))\"" : nil)
        }
        var claims: OrderedJSON?
        if arguments[Self.remote] {
            let answer = try await remote(account, keeper, context)
            (claims, kept) = (answer.claims, answer.token)
        }
        show(kept, claims, file: store?.path(of: account.need.key) ?? "", account, context)
        return .success
    }

    private func show(
        _ token: StoredToken, _ claims: OrderedJSON?, file: String, _ account: TokenAccount, _ context: Context
    ) {
        let isRenewed = token.refreshToken != nil || !account.client.flow.needsLogin
        let until = token.expires.map { Timestamp.iso8601(Double($0)) }
        if arguments[Self.json] {
            let record = OrderedJSON.object([
                "user": token.user.map { .string($0) }, "environment": .string(token.environment),
                "server": .string(token.server), "client": .string(token.client),
                "scopes": .array(token.scopes.map { .string($0) }),
                "origins": .array(token.origins.map { .string($0) }), "expires": until.map { .string($0) },
                "renewed": .bool(isRenewed), "file": .string(file), "userinfo": claims,
            ])
            context.output.write(record.pretty + "\n")
            return
        }
        var columns = Columns()
        func add(_ title: String, _ text: String) { columns.add(Styled(title, .cyan), Styled(harmlessLine(text))) }
        add("user", token.user.map { "\($0), as the ID token says (not verified)" } ?? "not known")
        if let claims { add("userinfo", claims.compact) }
        add("environment", token.environment)
        add("server", "\(token.server), as client \(token.client)")
        if !token.scopes.isEmpty { add("scopes", token.scopes.joined(separator: " ")) }
        let isAgreed = account.client.flow.needsLogin
        add("sent to", isAgreed ? token.origins.joined(separator: ", ") : "each server that the files name")
        add("until", (until ?? "not known") + (isRenewed ? "; renewed by itself after that" : ""))
        add("file", file)
        context.write(columns)
    }

    /// The server's claims about the user, and the token that it was asked with.
    private func remote(
        _ account: TokenAccount, _ keeper: TokenKeeper, _ context: Context
    ) async throws(Failure) -> (claims: OrderedJSON, token: StoredToken) {
        try context.refuseShortage()
        guard let token = try await keeper.token(for: account.need) else {
            throw Failure(.broken, code: .tokenMissing, "there is no token")
        }
        guard let address = token.endpoints.userInfo, let url = URL(string: address) else {
            throw Failure(
                .broken, code: .tokenRefused, "\(token.server) names no userinfo endpoint", hint: "leave out --remote")
        }
        let redactor = account.need.redactor.adding(token.secrets.map(\.resolved))
        let conversation = OAuthConversation(
            account.need.guarding(keeper.transport), like: account.need.transfer.completed(by: context.usualTransfer),
            redactor)
        do throws(OAuthConversation.Refusal) {
            let response = try await conversation.response(
                to: PreparedRequest(
                    url: url, headers: ["Accept": "application/json", "Authorization": "Bearer \(token.accessToken)"]))
            let root = JSONDocument.read(SourceFile(name: "userinfo", bytes: response.body, isSecret: true)).validRoot
            guard response.status == 200, let root, root.kind == .object else {
                throw OAuthConversation.Refusal(
                    failure: Failure(
                        .broken, code: .tokenRefused, "\(address) responded with \(response.status), without claims"))
            }
            // OpenID Connect Core, 5.3.2.
            if let subject = root["sub"]?.string, let known = token.subject, subject != known {
                throw OAuthConversation.Refusal(
                    failure: Failure(
                        .broken, code: .tokenRefused,
                        redactor.redact("\(address) responded with the claims of another user (\(subject))" as Wording)
                            .limited(quotes: OAuthConversation.Refusal.longestQuote, total: 2000)))
            }
            // Some servers respond with the headers of the request.
            let shown = SourceFile(name: "userinfo", bytes: redactor.masked(body: response.body).body, isSecret: true)
            return (JSONDocument.read(shown).validRoot.map { OrderedJSON($0) } ?? .null, token)
        } catch {
            throw error.failure
        }
    }
}
