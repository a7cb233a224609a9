package import CommandLineKit
import ReqcliAssembly
import ReqcliDefinitions
package import ReqcliText

/// Prints the access token of an environment, after renewing it if that is necessary.
package struct TokenCommand: Command {
    static let server = Option(
        "for", .serverOrigin, "The server that the token is for; an error if login was not agreed for it")

    package static let spec = CommandSpec(
        "token", "Print an access token (OAuth 2)",
        examples: [
            Example("The token of the environment", "reqcli token -e staging"),
            Example("The token of an endpoint with its own \"oauth2\"", "reqcli token orders.list"),
        ],
        arguments: ArgumentList(AccountOptions.endpoint),
        options: [
            OptionGroup("Token", server), OptionGroup("Environment", SharedOptions.environment), AccountOptions.values,
        ],
        sections: [
            TextSection(
                "In other programs",
                """
                The token goes to stdout, for "$(reqcli token)" in the arguments of another program. The commands that render \
                prints contain such a part in place of a token, with --for: after a change of the server in a file, they get no \
                token until you agree to the new server.
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
        let need = account.need(for: arguments[Self.server])
        try keeper.rehearse(need)
        try context.refuseShortage()
        guard let token = try await keeper.token(for: need) else {
            throw Failure(.broken, code: .tokenMissing, "there is no token")
        }
        context.output.write(token.accessToken + "\n")
        return .success
    }
}
