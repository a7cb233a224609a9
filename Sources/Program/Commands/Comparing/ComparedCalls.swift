import Calling
import Checking
import CommandLineKit
import Exchange
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliMatching
import ReqcliRedaction
import ReqcliText

/// A call to compare: the flags of its request, its environment if it has one, and its name in messages and in the comparison.
struct ComparedSide: Sendable {
    let name: String
    let flags: RequestFlags
    let environment: String?
}

/// One call that is made in several environments, or several typed requests. All requests are sent at the same time, but only
/// after every request has passed its rehearsal.
struct ComparedCalls {
    private let calls: [ComparedCall]
    private let context: Context

    /// A response, and the secrets that it may contain.
    typealias Received = (response: ComparedResponse, secrets: [Redactor.Secret])

    init(_ sides: [ComparedSide], _ arguments: ParsedArguments, _ context: Context) throws(Failure) {
        self.context = context
        var scenes: [(workspace: Workspace, environment: EnvironmentChain)] = []
        for side in sides { scenes.append(try context.scene(of: side.flags, arguments, in: side.environment)) }
        try context.refuseShortage()
        let session = try context.session(sides[0].flags.session, isSending: true)
        // Each side has its own workspace, because an environment may need other endpoints first.
        let endpoints = try zip(sides, scenes).map { side, scene throws(Failure) in
            try context.endpoint(of: side.flags, in: scene.workspace)
        }
        if !arguments[SendOptions.yes] { try Self.refuseUnsafe(sides, endpoints) }
        // All sides have the same body and params, so the user is asked only once. Standard input remembers what was read.
        let input = try sides[0].flags.spoolingInput(context.world)
        let asked = try context.askForMissing(input, endpoints[0], in: scenes[0].workspace)
        var calls: [ComparedCall] = []
        for (index, side) in sides.enumerated() {
            var flags = side.environment == nil ? side.flags : input
            flags.parameters += asked
            let call = try AskedCall(
                endpoints[index], flags, in: scenes[index].environment, scenes[index].workspace, arguments, session,
                context,
                asksForParameters: false)
            calls.append(ComparedCall(call, side, bodyLimit: arguments[DiffCommand.maxBody].bytes))
        }
        self.calls = calls
    }

    /// Rejects an unsafe method, because users don't expect a comparison to change anything.
    private static func refuseUnsafe(_ sides: [ComparedSide], _ endpoints: [LocatedEndpoint]) throws(Failure) {
        let environments = sides.compactMap(\.environment)
        let method = zip(sides, endpoints).lazy.compactMap { side, endpoint in
            side.flags.unsafeMethod(of: endpoint, in: environments)
        }.first
        guard let method else { return }
        let names = sides.map(\.name)
        throw Failure(
            .usage, code: .usageInvalid,
            "diff would send \(method) \(environments.isEmpty ? "to" : "in") "
                + names.joined(separator: environments.isEmpty ? " and to " : " and in "),
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
            context.warnOfUncheckedCertificates(in: insecure.name)
        }
        try Self.throwAll(results.compactMap { if case .failure(let problem) = $0 { problem } else { nil } })
        return try results.map { result throws(Failure) in try result.get() }
    }

    private static func throwAll(_ problems: [Failure]) throws(Failure) {
        guard let first = problems.first else { return }
        throw problems.count == 1 ? first : Failure(joining: problems)
    }
}

/// The call of one side. Its request is made, sent and read as by `send`. The calls that it needs are made first.
private struct ComparedCall: Sendable {
    private let asked: AskedCall
    private let side: ComparedSide
    private let terms: CallTerms

    init(_ asked: AskedCall, _ side: ComparedSide, bodyLimit: Int) {
        self.asked = asked
        self.side = side
        terms = CallTerms(bodyLimit: bodyLimit)
    }

    var name: String { side.name }
    var confirmation: Confirmation { asked.confirmation }
    var isInsecure: Bool { asked.network.isInsecure }

    func rehearse() async throws(Failure) {
        do throws(Failure) { try await asked.rehearse() } catch { throw error.naming(side) }
    }

    func result() async -> Result<ComparedCalls.Received, Failure> {
        do throws(Failure) {
            return .success(try await received())
        } catch {
            return .failure(error.naming(side))
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
            name: name,
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
    /// The failure with the name of its side in front of each message that isn't about a place in a file.
    fileprivate func naming(_ side: ComparedSide) -> Failure {
        let place = side.environment == nil ? side.name : "in the environment \(side.name)"
        return Failure(
            status,
            diagnostics.map { diagnostic in
                guard diagnostic.fileName == nil else { return diagnostic }
                return Diagnostic(
                    diagnostic.severity, code: diagnostic.code,
                    "\(place): \(diagnostic.message)", at: nil,
                    hint: diagnostic.hint, notes: diagnostic.notes)
            }, details: details)
    }
}
