import Foundation
import ReqcliBasics
package import ReqcliDefinitions
package import ReqcliRedaction
package import ReqcliText
package import RequestBuilding

/// The time for which an assembled request stays valid.
package enum Repeatability: Comparable, Sendable {
    /// The request is valid only right after it was assembled, because it contains the time or its body reads files.
    case momentary
    /// The request is valid at any time, but can be sent only once, because it contains a value that is generated for each
    /// request.
    case unique
    /// The request is always valid, because assembling the same call again gives the same request.
    case repeatable
}

/// A request that is ready to be sent, printed or explained.
package final class AssembledRequest: Sendable {
    package let call: Call
    /// The request to send. Its `secretHeaders` names the headers that contain a secret.
    package let request: PreparedRequest
    /// The list of operators that made the request.
    package let builder: RequestBuilder
    /// The secrets that the request uses, and no others. Each signature adds some.
    package var secrets: [ResolvedSecret] { signatures.map { ownSecrets + $0.secrets } ?? ownSecrets }
    /// Masks every secret of this request.
    package var redactor: Redactor { signatures.map { ownRedactor.adding($0.secrets) } ?? ownRedactor }
    /// The secrets of the request without those that only signatures have.
    package let ownSecrets: [ResolvedSecret]
    private let ownRedactor: Redactor
    /// The signatures and access tokens that the request was sent with so far; nil if it has none.
    package let signatures: SignatureBook?
    package let policy: PolicyDecision
    package let durability: Repeatability
    private let knownDefaults: [RequestSubject]?

    init(
        call: Call, request: PreparedRequest, builder: RequestBuilder, secrets: [ResolvedSecret], redactor: Redactor,
        policy: PolicyDecision, durability: Repeatability,
        partsLeftToDefault: [RequestSubject]? = nil, signatures: SignatureBook? = nil
    ) {
        self.call = call
        self.request = request
        self.builder = builder
        ownSecrets = secrets
        ownRedactor = redactor
        self.signatures = signatures
        self.policy = policy
        self.durability = durability
        knownDefaults = partsLeftToDefault
    }

    package var expectation: Expectation? { call.endpoint.expectation(in: call.environment.name) }

    package var method: String { request.method.token }

    /// A copy without the operators, which is enough to send and to render the request. Only an explanation needs the operators,
    /// and they take more memory than the request.
    package var withoutHistory: AssembledRequest {
        AssembledRequest(
            call: call, request: request, builder: RequestBuilder(), secrets: ownSecrets, redactor: ownRedactor,
            policy: policy, durability: durability, partsLeftToDefault: partsLeftToDefault, signatures: signatures)
    }

    /// The parts of the request that have the built-in default, because neither a file nor a flag gives a value.
    package var partsLeftToDefault: [RequestSubject] {
        if let knownDefaults { return knownDefaults }
        let operators = builder.operators
        let areBuiltIn = operators.map { $0.origin?.layer == LayerMerge.builtIn }
        var defaults: [RequestSubject] = []
        // Few operators are built in, so comparing each of them takes less time than a set of all subjects.
        for index in operators.indices where areBuiltIn[index] {
            let subject = operators[index].subject
            let isGiven = operators.indices[(index + 1)...].contains {
                !areBuiltIn[$0] && operators[$0].subject == subject
            }
            if !isGiven { defaults.append(subject) }
        }
        return defaults
    }
}

extension [ResolvedSecret] {
    /// A redactor that masks these secrets.
    var redactor: Redactor { Redactor(map(\.redacted)) }
}

extension PreparedRequest {
    /// A copy of the request with a list of the headers that contain a secret, or have the name of a credential.
    func markingHeaders(with redactor: Redactor) -> PreparedRequest {
        var request = self
        request.secretHeaders = headers.filter {
            LikelySecret.isHeader($0.name) || redactor.isSecret(in: Array($0.value.utf8))
        }.map(\.name)
        return request
    }
}

extension TransferSettings {
    /// The default settings: responses are decoded, redirects are not followed, and `retry` repeats every idempotent
    /// method (RFC 9110, 9.2.2).
    static let ofProgram: TransferSettings = {
        var settings = TransferSettings()
        settings.decodesContent = true
        settings.redirects.isFollowing = false
        settings.retry.methods = [.get, .head, .put, .delete, .options, .trace]
        return settings
    }()
}

/// Makes the request of a call: binds the params, merges the layers, and runs the operators.
package struct Assembler: Sendable {
    private let world: World
    private let environments = EnvironmentMerge()

    package init(world: World) {
        self.world = world
    }

    /// Whether the user permits an action that a workspace requests.
    package func permission(for request: TrustRequest, of workspace: Workspace) -> TrustPermission {
        world.permits(request, workspace.root)
    }

    package func assemble(_ call: Call) throws(Failure) -> AssembledRequest {
        let attempt = attempt(call)
        if let request = attempt.request { return request }
        throw attempt.failure
    }

    /// The result of an attempt to assemble a request: the request, or the problems that prevent it.
    struct Attempt {
        var request: AssembledRequest?
        /// All problems that were found. Mistakes in the call come before mistakes in the files, because the caller can correct
        /// the call at once.
        var failure = Failure(.broken, [])
        var isAwaiting = false
    }

    func attempt(_ call: Call) -> Attempt {
        let (parameters, unbound) = Parameters.bind(call, world: world)
        var merge = environments.merge(for: call)
        merge.add(call)
        let values = CallValues(Evaluation(call: call, parameters: parameters, world: world))
        let layers = merge.builder
        let resolved = layers.resolved(RequestValues(of: layers, context: values))
        let (builder, evaluation) = (resolved.builder, values.evaluation)
        let secrets = evaluation.usedSecrets
        let redactor = secrets.redactor
        let missing = missingFiles(call)
        let usage = unbound + missing.map(\.problem) + evaluation.usageProblems
        // Problems with variable files such as `.env` come first, because they may be the reason why a variable isn't set.
        let diagnostics = (evaluation.secrets.diagnostics + parameters.diagnostics + evaluation.diagnostics)
            .filter { !follows($0, from: missing, call) }
        let isAwaiting = evaluation.isAwaiting
        let isResolved = usage.isEmpty && !isAwaiting && diagnostics.isEmpty

        // A given Content-Length and a known body can be compared even if other parts are unresolved.
        let isMeasurable = isResolved || resolved.unknown.isDisjoint(with: [.body, .header("Content-Length")])
        let made = isMeasurable ? try? builder.prepared(over: .ofProgram) : nil
        let unfit = made.flatMap { builder.lengthProblem(of: $0, fileSize: world.fileSize) }
        if isResolved, let request = made, unfit == nil {
            return Attempt(
                request: AssembledRequest(
                    call: call, request: request.markingHeaders(with: redactor), builder: builder, secrets: secrets,
                    redactor: redactor, policy: PolicyDecision(method: request.method.token, call.environment.policy),
                    durability: request.body?.readsFiles == true ? .momentary : evaluation.durability,
                    signatures: request.signer == nil && request.oauth == nil
                        ? nil : SignatureBook(secrets) { [world] in world.now }))
        }
        // An unresolved value leaves a part of the request empty. A problem with this part has no origin, and is not reported.
        let problems = made == nil ? builder.problems() : []
        let broken = problems.filter { isResolved || $0.origin != nil } + [unfit].compactMap(\.self)
        let (flags, files) = (broken.filter { $0.origin?.flag != nil }, broken.filter { $0.origin?.flag == nil })
        let allUsage = usage + flags.map { Diagnostic(flag: "\(own: $0.origin?.flag ?? ""): \($0.reason)") }
        let allDiagnostics = diagnostics + files.map { Self.diagnostic($0, builder, merge.places, call) }
        let failure = Failure(
            allUsage.isEmpty ? .broken : .usage, (allUsage + allDiagnostics).map { $0.mappingTexts(redactor.redact) })
        return Attempt(failure: failure, isAwaiting: isAwaiting)
    }

    /// The missing files among those that flags name. Each file is checked even if the request doesn't need it, so that a typo in
    /// its name is noticed.
    private func missingFiles(_ call: Call) -> [MissingFile] {
        call.environmentFiles.compactMap { path in
            let kind = world.files.kind(path)
            if kind == .file || kind == .other && DescriptorPipe.isNamed(by: path) { return nil }
            let name = FilePath.shown(path, from: call.workspace.currentFolder)
            let what = kind == nil ? "there is no file \(name.quoted)" : "\(name.quoted) is not a regular file"
            return MissingFile(name: name, problem: Diagnostic(flag: "--env-file: \(what)"))
        }
    }

    private struct MissingFile {
        let name: String
        let problem: Diagnostic
    }

    /// Whether a diagnostic is only a consequence of a missing file. It either repeats that the file is missing, or reports an
    /// unset variable that the missing file may define.
    private func follows(_ diagnostic: Diagnostic, from missing: [MissingFile], _ call: Call) -> Bool {
        if missing.isEmpty { return false }
        if diagnostic.code == .fileUnreadable { return missing.contains { $0.name == diagnostic.fileName } }
        return diagnostic.code == .secretUnresolved
            && call.environment.secrets.contains { secret in
                guard case .processVariable(let variable)? = secret.value.set else { return false }
                return variable.place == diagnostic.place && world.variable(variable.value) == nil
            }
    }

    /// The problem of a request that has a host but no scheme; nil for any other request.
    private static func missingScheme(_ builder: RequestBuilder, _ places: [Origin: Place]) -> Diagnostic? {
        let history = builder.history()
        func origin(of subject: RequestSubject) -> Origin? {
            history.first { $0.subject == subject }?.standing.last?.origin
        }
        guard let host = origin(of: .host), origin(of: .scheme) == nil else { return nil }
        return Diagnostic(
            code: .requestInvalid, "the request has a host, but no scheme", at: places[host],
            hint: #"add "scheme": "https" next to "host""#)
    }

    private static func diagnostic(
        _ error: RequestBuildingError, _ builder: RequestBuilder, _ places: [Origin: Place], _ call: Call
    ) -> Diagnostic {
        let place = error.origin.flatMap { places[$0] }
        if error.kind == .missingHost {
            let removed = builder.history().first { part in
                [.scheme, .host].contains(part.subject) && part.removal != nil
                    && part.shadowed.contains { $0.effect != .removes }
            }
            if let place = removed?.removal?.origin.flatMap({ places[$0] }) {
                return Diagnostic(
                    code: .requestInvalid, "the request has no server", at: place,
                    hint: "null removes the server here: remove the null, or pass --base-url URL")
            }
            if let diagnostic = missingScheme(builder, places) { return diagnostic }
            return Diagnostic(
                code: .requestInvalid, "the request has no server", at: place,
                fileName: call.environment.layers.last?.place.file.name,
                hint: "give the environment \(own: call.environment.name) a \"baseURL\", or pass --base-url URL")
        }
        return Diagnostic(
            code: .requestInvalid, error.reason, at: place, fileName: error.origin?.file ?? call.endpoint.file.name)
    }
}

/// Keeps the operators of the environment, which are the same for most calls of a run. If they were made for each call, `check`
/// of 1,000 cases would take 8 % more time.
private final class EnvironmentMerge: Sendable {
    private let last = Mutex<(environment: EnvironmentChain, version: String, made: LayerMerge)?>(nil)

    func merge(for call: Call) -> LayerMerge {
        let known = last.withLock(\.self)
        if let known, known.environment === call.environment, known.version == call.version { return known.made }
        let made = LayerMerge(call.environment, version: call.version)
        last.withLock { $0 = (call.environment, call.version, made) }
        return made
    }
}

extension Call {
    /// The parts of the request as the files write them.
    var writtenParts: [(subject: RequestSubject, origin: Origin?, text: String)] {
        var merge = LayerMerge(environment, version: version)
        merge.add(self)
        return merge.builder.operators.flatMap { step in step.written.map { ($0.subject, step.origin, $0.text) } }
    }
}

extension LayerMerge {
    // The order in which layers are merged: a later layer wins.

    fileprivate init(_ environment: EnvironmentChain, version: String) {
        self.init()
        addBuiltIn(version: version)
        isEnvironment = true
        for environment in environment.layers {
            layer = "environment \(environment.name)"
            add(environment.layer)
        }
        isEnvironment = false
    }

    fileprivate mutating func add(_ call: Call) {
        if let defaults = call.endpoint.defaults {
            layer = "defaults of \(call.endpoint.group ?? call.endpoint.id)"
            add(defaults.layer)
        }
        layer = "endpoint \(call.endpoint.id)"
        add(call.endpoint.definition.request)
        if let overlay = call.endpoint.definition.environments[named: call.environment.name] {
            layer = "endpoint \(call.endpoint.id) in \(call.environment.name)"
            add(overlay)
        }
        addCommandLine(call.overrides)
    }
}

extension Diagnostic {
    /// A diagnostic about an invalid flag.
    init(flag wording: Wording) { self.init(code: .flagInvalid, wording, at: nil) }
}

extension Diagnostic.Code {
    package static let requestInvalid: Self = "request.invalid"
    package static let flagInvalid: Self = "flag.invalid"
}

/// The result of rehearsing a valid call.
package enum Rehearsed: Sendable {
    /// The request is complete and could be sent.
    case ready(AssembledRequest)
    /// The request still waits for values from other requests, and no problem is known yet. The associated values are the
    /// request's method and the policy's decision.
    case awaiting(method: String, PolicyDecision)
}

extension Assembler {
    /// Checks a call before the values that it awaits are known. Throws all problems that are already certain.
    package func rehearse(_ call: Call) throws(Failure) -> Rehearsed {
        let attempt = attempt(call)
        if let request = attempt.request {
            try request.trySignature()
            return .ready(request)
        }
        guard attempt.isAwaiting, !attempt.failure.diagnostics.contains(where: { $0.severity == .error }) else {
            throw attempt.failure
        }
        let method = call.endpoint.method(in: call.environment.name)
        return .awaiting(method: method, PolicyDecision(method: method, call.environment.policy))
    }
}

/// The values of templates that were filled outside of any request.
package struct FilledTemplates: Sendable {
    /// The value of each template. Nil if a template consists only of an optional param that has no value.
    package let values: [OrderedJSON?]
    /// The secrets that the values contain.
    package let secrets: [ResolvedSecret]
    /// Generated values, to be used again in the request to which the templates belong.
    package let drawn: DrawnValues

    package init(
        values: [OrderedJSON?], secrets: [ResolvedSecret] = [], drawn: DrawnValues = DrawnValues()
    ) {
        self.values = values
        self.secrets = secrets
        self.drawn = drawn
    }
}

extension Assembler {
    /// Fills templates with the values of a call. The templates come from the endpoint's expectations, or from `with` in its needs.
    ///
    /// - Parameter needsAll: Whether one absent value makes the whole list or object around it absent.
    package func fill(
        _ templates: [ValueTemplate], for call: Call, needsAll: Bool
    ) throws(Failure) -> FilledTemplates {
        // Params may be missing here, because values for needed endpoints are filled before all params are known.
        let (parameters, problems) = Parameters.bind(call, world: world, isWhole: false)
        var evaluation = Evaluation(call: call, parameters: parameters, world: world)
        evaluation.needsAllValues = needsAll
        let values = templates.map { template -> OrderedJSON? in
            if case .value(let value) = evaluation.json(template) { value } else { nil }
        }
        let secrets = evaluation.usedSecrets
        let diagnostics = parameters.diagnostics + evaluation.diagnostics + evaluation.secrets.diagnostics
        guard problems.isEmpty, diagnostics.allSatisfy({ $0.severity != .error }) else {
            let redactor = secrets.redactor
            throw Failure(
                problems.isEmpty ? .broken : .usage, (problems + diagnostics).map { $0.mappingTexts(redactor.redact) })
        }
        return FilledTemplates(values: values, secrets: secrets, drawn: evaluation.drawn)
    }
}

extension Assembler {
    /// The problems that make every call of an endpoint in an environment fail: mistakes in the parts of the request that contain
    /// no placeholders. The messages are the same as for a real call.
    package static func certainProblems(
        with endpoint: LocatedEndpoint, in environment: EnvironmentChain, of workspace: Workspace
    ) -> [Diagnostic] {
        var call = Call(workspace: workspace, endpoint: endpoint, environment: environment)
        call.awaited.isEverything = true
        // This check ignores the server's address and whether files exist.
        call.overrides = [CommandLineOverride(.baseURL("http://invalid"), flag: "--base-url")]
        return Assembler(world: .withAllFiles).attempt(call).failure.diagnostics
    }
}

extension World {
    /// A world in which every path is a file, and in which nothing can be read or run.
    fileprivate static let withAllFiles = World(
        files: FileSystem(
            read: { _, _ throws(FileProblem) in throw FileProblem(.denied) }, kind: { _ in .file },
            names: { _ in [] }, resolve: { $0 }),
        variable: { _ in nil }, standardInput: { () throws(FileProblem) in throw FileProblem(.denied) },
        run: { _, _, _ in .notStarted("") }, permits: { _, _ in .granted }, uuid: { "" }, randomInt: { 0 },
        clock: WorldClock(date: { 0 }, elapsed: { .zero }, sleep: { _ in }))
}
