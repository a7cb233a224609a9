package import CommandLineKit
import Exchange
import OAuth
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliRedaction
package import ReqcliText
import RequestBuilding

/// Revokes and removes access tokens.
package struct LogoutCommand: Command {
    static let all = Flag("all", "Remove the tokens of all workspaces and environments")

    package static let spec = CommandSpec(
        "logout", "Revoke and remove access tokens (OAuth 2)",
        examples: [
            Example("Log out of the environment", "reqcli logout -e staging"),
            Example("Remove every token of this user", "reqcli logout --all"),
        ],
        arguments: ArgumentList(AccountOptions.endpoint),
        options: [
            OptionGroup("Selection", all), OptionGroup("Environment", SharedOptions.environment), AccountOptions.values,
        ],
        sections: [
            TextSection(
                "Revocation",
                """
                The server is asked to revoke the token if it has an endpoint for that (RFC 7009). The file is removed in any \
                case; a warning says if the token is still valid. --all needs no workspace and doesn't know the secrets of \
                clients, so that it only revokes the tokens of clients without a secret.
                """)
        ],
        exitStatuses: [.success, .usage, .broken.meaning("a file has errors"), .outputFailed],
        page: "how-to/log-in.md")

    private let arguments: ParsedArguments

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        guard arguments[Self.all] else { return }
        if arguments[AccountOptions.endpoint] != nil || arguments[SharedOptions.environment] != nil {
            throw UsageError(
                "--all removes all tokens; it takes no endpoint and no --env", command: Self.spec.name)
        }
    }

    package func run(in context: Context) async throws(Failure) -> ExitStatus {
        guard let store = TokenStore(context) else {
            context.note("no tokens are kept here")
            return .success
        }
        if !arguments[Self.all] {
            let (account, lack) = try account(context)
            let count = try await remove([account.need.key], store, context) { token in
                if let lack { return .impossible(lack.message) }
                let isAgreed = token.places.contains { account.need.way.fits($0.way) }
                return isAgreed || !account.client.flow.needsLogin
                    ? .possible(account) : .impossible("the files name other proxies or certificates than at the login")
            }
            if count == 0 { context.note("no token is kept for \(account.need.environment)") }
        } else if try await remove(store.keys(), store, context, revocation: { _ in .possible(nil) }) == 0 {
            context.note("no tokens are kept")
        }
        return .success
    }

    /// The account, even if its secrets can't be read; then also the reason. The name of the token's file doesn't depend on the
    /// client's secret.
    private func account(_ context: Context) throws(Failure) -> (TokenAccount, Failure?) {
        do throws(Failure) {
            return (try TokenAccount(arguments, context), nil)
        } catch {
            guard let account = try? TokenAccount(arguments, context, mayLackSecrets: true) else { throw error }
            return (account, error)
        }
    }

    /// Whether the server can be asked to revoke a token.
    private enum Revocation {
        /// With the secret of this account; nil without a secret.
        case possible(TokenAccount?)
        /// For this reason, it can't.
        case impossible(String)
    }

    /// Removes tokens, and then asks their servers to revoke them. Returns the number of removed files.
    private func remove(
        _ keys: [String], _ store: TokenStore, _ context: Context, revocation: (StoredToken) -> Revocation
    ) async throws(Failure) -> Int {
        var count = 0
        for key in keys {
            if store.hasFile(key) { count += 1 }
            guard let token = try await taken(key, store, context) else { continue }
            let isRevoked = await isRevoked(token, revocation(token), context)
            let name = "\(token.environment) (\(token.workspace))"
            let state = isRevoked ? "revoked and removed" : "removed"
            context.writeSummary([Styled("logged out of \(harmlessLine(name)): the token is \(state)")])
        }
        return count
    }

    /// Removes the file of a token, and returns the token. An unsafe file is removed, too, but nothing in it is used.
    private func taken(_ key: String, _ store: TokenStore, _ context: Context) async throws(Failure) -> StoredToken? {
        let (changes, unlock) = try await store.lock(key)
        defer { unlock() }
        defer { store.remove(key, changes) }
        do throws(Failure) {
            return try store.read(key)
        } catch {
            context.report(error.diagnostics)
            return nil
        }
    }

    /// Asks the server to revoke both tokens. Warns if that isn't possible.
    private func isRevoked(_ token: StoredToken, _ revocation: Revocation, _ context: Context) async -> Bool {
        let account: TokenAccount?
        switch revocation {
        case .possible(let known): account = known
        case .impossible(let reason):
            warn("the token was not revoked and may still be valid: \(reason)", context)
            return false
        }
        guard let url = token.endpoints.revocation else {
            warn(
                "the token was not revoked and may still be valid: \(token.server) has no known revocation endpoint",
                context)
            return false
        }
        let client =
            account?.client
            ?? OAuthClient(
                flow: .clientCredentials, server: .endpoints(token: token.endpoints.token), id: token.client,
                secret: nil, authentication: nil, scopes: [], parameters: [], standIn: "")
        let redactor = (account?.need.redactor ?? Redactor([])).adding(token.secrets.map(\.resolved))
        let transport = NetworkTransport(context.network)
        let conversation = OAuthConversation(
            account?.need.guarding(transport) ?? transport,
            like: (account?.need.transfer ?? TransferSettings()).completed(by: context.usualTransfer), redactor)
        let values: [(String?, Bool)] = [(token.refreshToken, true), (token.accessToken, false)]
        do throws(OAuthConversation.Refusal) {
            for case (let value?, let isRefresh) in values {
                _ = try await conversation.grant { () throws(OAuthProblem) in
                    try OAuthFlow(client).revoke(value, isRefresh: isRefresh, at: url)
                }
            }
            return true
        } catch {
            warn("\(url) did not revoke the token, which may still be valid: \(error.failure.message)", context)
            return false
        }
    }

    private func warn(_ message: String, _ context: Context) {
        context.report(.warning, code: .tokenRefused, message)
    }
}
