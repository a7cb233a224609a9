import Calling
import Checking
import CommandLineKit
import Exchange
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliMatching
import ReqcliRedaction
import ReqcliText

/// One call, made in several environments. All requests are sent at the same time, but only after every request has passed its
/// rehearsal.
struct ComparedCalls {
    private let calls: [ComparedCall]
    private let context: Context

    /// A response, and the secrets that it may contain.
    typealias Received = (response: ComparedResponse, secrets: [Redactor.Secret])

    init(
        _ flags: RequestFlags, _ environments: [String], _ arguments: ParsedArguments, _ context: Context
    ) throws(Failure) {
        self.context = context
        var scenes: [(workspace: Workspace, environment: EnvironmentChain)] = []
        for name in environments { scenes.append(try context.scene(of: flags, arguments, in: name)) }
        let workspace = scenes[0].workspace
        try context.refuseShortage()
        let session = try context.session(flags.session, isSending: true)
        let endpoint = try context.endpoint(of: flags, in: workspace)
        if !arguments[SendOptions.yes] { try Self.refuseUnsafe(endpoint, flags, environments) }
        var flags = try flags.spoolingInput(context.world)
        flags.parameters += try context.askForMissing(flags, endpoint, in: workspace)
        calls = try scenes.map { scene throws(Failure) in
            ComparedCall(
                try AskedCall(
                    endpoint, flags, in: scene.environment, workspace, arguments, session, context,
                    asksForParameters: false),
                bodyLimit: arguments[DiffCommand.maxBody].bytes)
        }
    }

    /// Rejects an unsafe method, because users don't expect a comparison to change anything.
    private static func refuseUnsafe(
        _ endpoint: LocatedEndpoint, _ flags: RequestFlags, _ environments: [String]
    ) throws(Failure) {
        guard let method = flags.unsafeMethod(of: endpoint, in: environments) else { return }
        throw Failure(
            .usage, code: .usageInvalid,
            "diff would send \(method) in \(environments.joined(separator: " and in "))",
            hint: "pass --yes if that is what you want")
    }

    /// Sends the calls. A failure names the environment in which it happened.
    func responses() async throws(Failure) -> [Received] {
        var problems: [Failure] = []
        for call in calls {
            do throws(Failure) { try await call.rehearse() } catch { problems.append(error) }
        }
        try Self.throwAll(problems)
        for call in calls { try call.confirmation.ask() }
        let progress = Progress(context)
        defer { progress?.end() }
        let interruption = Interruption()
        interruption.onEnd { progress?.end() }
        progress?.beginExchange(uploading: nil)
        let results = await withTaskGroup(of: (Int, Result<Received, Failure>).self) { group in
            for (index, call) in calls.enumerated() { group.addTask { (index, await call.result()) } }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
        progress?.end()
        if let insecure = calls.first(where: \.isInsecure) {
            context.warnOfUncheckedCertificates(in: insecure.environment)
        }
        try Self.throwAll(results.compactMap { if case .failure(let problem) = $0 { problem } else { nil } })
        return try results.map { result throws(Failure) in try result.get() }
    }

    private static func throwAll(_ problems: [Failure]) throws(Failure) {
        guard let first = problems.first else { return }
        throw problems.count == 1 ? first : Failure(joining: problems)
    }
}

/// The call in one environment. Its request is made, sent and read as by `send`. The calls that it needs are made first.
private struct ComparedCall: Sendable {
    private let asked: AskedCall
    private let terms: CallTerms

    init(_ asked: AskedCall, bodyLimit: Int) {
        self.asked = asked
        terms = CallTerms(bodyLimit: bodyLimit)
    }

    var environment: String { asked.call.environment.name }
    var confirmation: Confirmation { asked.confirmation }
    var isInsecure: Bool { asked.network.isInsecure }

    func rehearse() async throws(Failure) {
        do throws(Failure) { try await asked.rehearse() } catch { throw error.naming(environment) }
    }

    func result() async -> Result<ComparedCalls.Received, Failure> {
        do throws(Failure) {
            return .success(try await received())
        } catch {
            return .failure(error.naming(environment))
        }
    }

    private func received() async throws(Failure) -> ComparedCalls.Received {
        var call = try await asked.completed()
        let exchanged = try await asked.result(of: &call, terms)
        let response = try exchanged.result.get()
        // A value that the endpoint captures as a secret is a secret here, too.
        let captured = CaptureReader.compile(asked.call.endpoint).value?.ofSecrets.read(
            response, Excerpts(Redactor(exchanged.secrets)))
        let compared = ComparedResponse(
            name: environment,
            head: ComparedResponse.Head(
                status: response.status, headers: response.headers,
                areHeadersHidden: captured?.hiddenParts.contains(.headers) ?? false),
            body: try body(of: response), duration: response.duration,
            isBodyHidden: captured?.hiddenParts.contains(.body) ?? false)
        return (compared, exchanged.secrets + (captured?.secrets ?? []))
    }

    /// The body as text; the bytes as received if they are not text in a known charset.
    private func body(of response: ReceivedResponse) throws(Failure) -> [UInt8] {
        switch response.content {
        case .success(let bytes): return bytes
        case .failure(.missing): return []
        case .failure(.invalid), .failure(.unknownCharset), .failure(.severalCharsets): return response.body.bytes
        case .failure(.tooLarge(let limit)), .failure(.undecodable(.tooLarge, let limit)):
            throw Failure(
                .usage, code: .usageInvalid, "the body is larger than \(ByteCount(limit))",
                hint: "--max-body allows more")
        case .failure(.undecodable):
            throw Failure(
                .noAnswer, code: .noAnswer,
                "the body cannot be decoded: it doesn't match its Content-Encoding, or reqcli doesn't know that encoding",
                hint: "-H 'Accept-Encoding: identity' asks for a body that is not compressed")
        }
    }
}

extension Failure {
    /// The failure with the environment's name in front of each message that isn't about a place in a file.
    fileprivate func naming(_ environment: String) -> Failure {
        Failure(
            status,
            diagnostics.map { diagnostic in
                guard diagnostic.fileName == nil else { return diagnostic }
                return Diagnostic(
                    diagnostic.severity, code: diagnostic.code,
                    "in the environment \(environment): \(diagnostic.message)", at: nil,
                    hint: diagnostic.hint, notes: diagnostic.notes)
            }, details: details)
    }
}
