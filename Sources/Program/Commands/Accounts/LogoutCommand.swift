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
            let account = try TokenAccount(arguments, context)
            let count = try await remove([account.need.key], store, context) { _ in account }
            if count == 0 { context.note("no token is kept for \(account.need.environment)") }
        } else if try await remove(store.keys(), store, context, account: { _ in nil }) == 0 {
            context.note("no tokens are kept")
        }
        return .success
    }

    /// Removes tokens, and then asks their servers to revoke them. Returns the number of removed tokens.
    ///
    /// - Parameter account: The account of a token; nil if it is not known.
    private func remove(
        _ keys: [String], _ store: TokenStore, _ context: Context, account: (StoredToken) -> TokenAccount?
    ) async throws(Failure) -> Int {
        var removed: [StoredToken] = []
        if !keys.isEmpty {
            let (changes, unlock) = try store.lock()
            defer { unlock() }
            for key in keys {
                // An unsafe file is removed, too, but nothing in it is used.
                do throws(Failure) {
                    if let token = try store.read(key) { removed.append(token) }
                } catch {
                    context.report(error.diagnostics)
                }
                store.remove(key, changes)
            }
        }
        for token in removed {
            let revoked = await isRevoked(token, account(token), context)
            let name = "\(token.environment) (\(token.workspace))"
            let state = revoked ? "revoked and removed" : "removed"
            context.writeSummary([Styled("logged out of \(harmlessLine(name)): the token is \(state)")])
        }
        return removed.count
    }

    private func isRevoked(_ token: StoredToken, _ account: TokenAccount?, _ context: Context) async -> Bool {
        guard let url = token.endpoints.revocation else { return false }
        let client =
            account?.client
            ?? OAuthClient(
                flow: .clientCredentials, server: .endpoints(token: token.endpoints.token), id: token.client,
                secret: nil,
                authentication: nil, scopes: [], parameters: [], standIn: "")
        let secrets = [token.accessToken, token.refreshToken].compactMap(\.self).map {
            Redactor.Secret(label: "token", value: $0)
        }
        let redactor = Redactor((account?.need.redactor.secrets ?? []) + secrets)
        let conversation = OAuthConversation(
            NetworkTransport(context.network),
            like: (account?.need.transfer ?? TransferSettings()).completed(by: context.usualTransfer), redactor)
        do throws(OAuthConversation.Refusal) {
            _ = try await conversation.grant { () throws(OAuthProblem) in
                try OAuthFlow(client).revoke(
                    token.refreshToken ?? token.accessToken, isRefresh: token.refreshToken != nil, at: url)
            }
            return true
        } catch {
            context.report(
                .warning, code: .tokenRefused,
                "\(url) did not revoke the token, which may still be valid: \(error.failure.message)")
            return false
        }
    }
}
