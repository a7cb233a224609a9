import CommandLineKit
import Exchange
import Recording
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliMocking
import ReqcliServing
import ReqcliText
import RequestBuilding
import StubServing

/// The settings of `--proxy-to`, checked before the server starts.
struct Proxying: Sendable {
    /// The kind of requests that are passed on.
    let mode: MockEngine.Proxying
    let target: ProxyTarget
    private let transport: any Transport
    private let recorder: RequestRecorder?
    private let drift: ProxiedDrift

    /// Nil without `--proxy-to`.
    ///
    /// - Parameter isForOthers: Whether other machines can reach this server.
    init?(
        _ arguments: ParsedArguments, _ workspace: Workspace, isForOthers: Bool, _ context: Context
    ) throws(Failure) {
        guard let name = arguments[ProxyOptions.proxyTo] else { return nil }
        let served = try context.environment(flag: arguments[SharedOptions.environment], in: workspace)
        let environment = try context.environment(flag: name, in: workspace)
        try Self.refuse(arguments, isForOthers: isForOthers)
        try context.refuseShortage()
        mode = arguments[ProxyOptions.onlyMissing] ? .missing : .unnamed
        target = try ProxyTarget(
            environment, of: workspace, servedAs: served, isAgreed: arguments[ProxyOptions.yes], context)
        transport = NetworkTransport(context.network)
        recorder = arguments[ProxyOptions.record].last.map { name in
            RequestRecorder(
                workspace, name: name ?? "recorded", mayReplace: arguments[ProxyOptions.force], context.writing)
        }
        drift = ProxiedDrift(
            workspace: workspace, rest: served.stubs?[named: "*"]?.value, isStrict: arguments[ServeCommand.strict])
        if target.transfer.tls.isInsecure {
            context.warnOfUncheckedCertificates(in: environment.name)
        }
    }

    private static func refuse(_ arguments: ParsedArguments, isForOthers: Bool) throws(Failure) {
        guard isForOthers else { return }
        if arguments.isGiven(ProxyOptions.record) {
            throw Failure(
                .usage, code: .proxyUnusable,
                "--record writes files, and with --host other machines could make it do so",
                hint: "leave out --host, or --record")
        }
        if !arguments[ProxyOptions.yes] {
            throw Failure(
                .usage, code: .proxyUnusable,
                "with --host, other machines reach the server of --proxy-to through this one",
                hint: "pass --yes to allow this")
        }
    }

    /// A phrase that says which requests go to the other server.
    var description: String {
        switch mode {
        case .missing: "requests without a variant go to \(target.environment)"
        case .unnamed, .nothing: "requests go to \(target.environment) unless a variant is chosen"
        }
    }

    func relay(
        for responder: WorkspaceResponder, _ log: ServeLog, clock: WorldClock, loop: EventLoop
    ) -> ProxyRelay {
        ProxyRelay(
            to: target, over: transport, responder, log, ProxiedResponses(recorder, drift, responder.engine, log),
            clock: clock, loop: loop)
    }
}
