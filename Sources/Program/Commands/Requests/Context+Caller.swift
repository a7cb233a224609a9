import Calling
import CommandLineKit
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

extension Context {
    /// The caller for the calls of one environment, with the same stubs, policy and transport for all commands.
    ///
    /// - Parameters:
    ///   - flags: The flags of the calls that `check`, for example, makes, or that another call needs.
    ///   - asked: The ids of the endpoints that the command line selects. `--stub NAME` applies only to these endpoints. Other
    ///     endpoints are called only because one of these endpoints needs them.
    ///   - keeping: Nil if captures of needed calls are not kept.
    func caller(
        _ workspace: Workspace, _ environment: EnvironmentChain, _ flags: RequestFlags, stubs: StubChoice,
        asked: Set<String>, confirmation: Confirmation, session: CallSession, isNarrating: Bool = false,
        bodyLimit: Int = ReceivedBody.usualLimit, keeping: Keeping? = nil, standsInForSecrets: Bool = false,
        load: LoadRules? = nil
    ) throws(Failure) -> NetworkCaller {
        // Each secret is resolved once in a run, however many requests need it.
        let assembler = Assembler(world: world(flags).remembering())
        let calls = try calls(flags, in: environment, workspace)
        let transport = NetworkTransport(network)
        var setup = NetworkCaller.Setup(
            call: calls,
            assembler: assembler, clock: world.clock, transport: transport,
            usualTransfer: usualTransfer, session: session, confirmation: confirmation,
            stub: { endpoint throws(Failure) in
                let stubs = asked.contains(endpoint.id) ? stubs : stubs.withoutAsked
                return try stubs.transport(for: endpoint, in: environment, workspace, world(flags.chosen))
            },
            bodyLimit: bodyLimit,
            onEvent: { event in show(event, session, isNarrating: isNarrating) })
        setup.standsInForSecrets = standsInForSecrets
        setup.load = load
        if let agent {
            let server = environment.server
            let base = try self.calls(flags, in: server, workspace)(LocatedEndpoint(typed: "base", in: server))
            setup.limit = agent.limit(of: try assembler.assemble(base), files)
        }
        setup.origins = SecretOrigins(environment)
        setup.origins?.noteSecretsAtHand(of: calls(LocatedEndpoint(typed: "", in: nil)), in: world(flags))
        setup.tokens = TokenKeeper(self, transport).source(guardedBy: setup.origins)
        if let keeping {
            let logins = KeptLogins(
                context: self, assembler: assembler, duration: keeping.duration, session: session,
                isNarrating: isNarrating)
            setup.kept = { logins.captures($0, $1, $2) }
        }
        return NetworkCaller(setup)
    }

    private func show(_ event: NetworkCaller.Event, _ session: CallSession, isNarrating: Bool) {
        switch event {
        case .made(let assembled): warn(ofCommonSecrets: assembled.secrets)
        case .warnings(let warnings): report(warnings)
        case .note(let text): note(text)
        case .unencryptedPassword(let origin): warnOfUnencryptedPassword(to: origin)
        case .ended(let call, let assembled, let status):
            guard isNarrating else { return }
            Narration(context: self, mask: HeadMask(assembled, session.cookies), isOn: true).needed(
                call.endpoint.id, assembled.request, status)
        }
    }

    /// The agreement that the policy of an environment asks for.
    func confirmation(
        in environment: EnvironmentChain, isAgreed: Bool, mayAsk: Bool
    ) -> Confirmation {
        let question = mayAsk && terminal.canAsk ? answer : nil
        return agent == nil
            ? Confirmation(environment.name, isAgreed: isAgreed, asking: question)
            : Confirmation(
                environment.name, isAgreed: false,
                hint:
                    "an agent can't agree; a person can send it in a terminal: \(Program.name) send ID -e \(environment.name)",
                asking: nil)
    }

    @Sendable func answer(_ question: String) -> Confirmation.Answer {
        switch terminal.ask("\(question) [y/N] ") {
        case .line(let answer): ["y", "yes"].contains(answer.lowercased()) ? .yes : .other
        case .end: .other
        case .interrupted: .interrupted
        }
    }
}
