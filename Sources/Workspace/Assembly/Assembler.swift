import Foundation
import ReqcliBasics
package import ReqcliDefinitions
package import ReqcliRedaction
package import ReqcliText
package import RequestBuilding

/// The time for which an assembled request stays valid for its call.
package enum Repeatability: Comparable, Sendable {
    /// Only right after it was assembled: it contains the time, or its body reads files.
    case momentary
    /// At any time, but it can be sent only once: it contains a value that is generated for each request.
    case unique
    /// For ever: assembling the same call again gives the same request.
    case repeatable
}

/// A request that is ready: to be sent, printed, or explained.
package final class AssembledRequest: Sendable {
    package let call: Call
    /// Knows which of its headers hold a secret.
    package let request: PreparedRequest
    /// The list of operators that made the request.
    package let builder: RequestBuilder
    /// The secrets that it needed, and no others.
    package let secrets: [ResolvedSecret]
    /// Masks every secret of this request.
    package let redactor: Redactor
    package let policy: PolicyDecision
    package let durability: Repeatability
    /// Warnings only: a call with an error has no assembled request.
    package let diagnostics: [Diagnostic]

    init(
        call: Call, request: PreparedRequest, builder: RequestBuilder, secrets: [ResolvedSecret], redactor: Redactor,
        policy: PolicyDecision, durability: Repeatability, diagnostics: [Diagnostic]
    ) {
        self.call = call
        self.request = request.markingHeaders(with: redactor)
        self.builder = builder
        self.secrets = secrets
        self.redactor = redactor
        self.policy = policy
        self.durability = durability
        self.diagnostics = diagnostics
    }

    package var expectation: Expectation? { call.endpoint.expectation(in: call.environment.name) }

    package var method: String { request.method.token }

    /// This request without its operators, which take more memory than the request: for sending, not for explaining.
    package var withoutHistory: AssembledRequest {
        AssembledRequest(
            call: call, request: request, builder: RequestBuilder(), secrets: secrets, redactor: redactor,
            policy: policy, durability: durability, diagnostics: diagnostics)
    }

    /// The parts that neither the files nor the flags set.
    package var partsLeftToDefault: Set<RequestSubject> {
        Set(builder.history().filter { $0.standing.last?.origin?.layer == Contributions.builtIn }.map(\.subject))
    }
}

extension LocatedEndpoint {
    /// The expectation in an environment: the endpoint's for this environment, else the endpoint's for all environments, else the
    /// group's. `null` removes the expectation, and an empty one counts as none.
    package func expectation(in environment: String) -> Expectation? {
        let overlay = definition.environments[named: environment]?.expectation
        let setting = overlay ?? definition.request.expectation ?? defaults?.expectation
        return setting?.set.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension [ResolvedSecret] {
    /// A redactor that masks these secrets.
    var redactor: Redactor { Redactor(map(\.redacted)) }
}

extension PreparedRequest {
    /// The request with a list of the headers that contain a secret.
    fileprivate func markingHeaders(with redactor: Redactor) -> PreparedRequest {
        if redactor.isEmpty { return self }
        var request = self
        request.secretHeaders = headers.filter { redactor.isSecret(in: Array($0.value.utf8)) }.map(\.name)
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

/// Makes the request that a call asks for: params, layers, operators, request.
package struct Assembler: Sendable {
    private let world: World
    private let environments = EnvironmentContributions()

    package init(world: World) {
        self.world = world
    }

    /// Whether the user permits what a workspace requests.
    package func permission(for request: TrustRequest, of workspace: Workspace) -> TrustPermission {
        world.permits(request, workspace.root)
    }

    package func assemble(_ call: Call) throws(Failure) -> AssembledRequest {
        let attempt = attempt(call)
        if let request = attempt.request { return request }
        throw attempt.failure
    }

    /// A request, or the problems that prevent it.
    struct Attempt {
        var request: AssembledRequest?
        /// Mistakes in the call come before mistakes in the files: the caller can correct them now.
        var failure = Failure(.broken, [])
        var isAwaiting = false
    }

    func attempt(_ call: Call) -> Attempt {
        let (parameters, unbound) = Parameters.bind(call, world: world)
        var evaluation = Evaluation(call: call, parameters: parameters, world: world)
        var contributions = environments.contributions(to: call)
        contributions.add(call)
        let (builder, open) = contributions.build(&evaluation)
        let secrets = evaluation.usedSecrets
        let redactor = secrets.redactor
        let missing = missingFiles(call)
        let usage = unbound + missing.map(\.problem) + evaluation.usageProblems
        // Problems with the files of variables come first: a variable that isn't set may follow from them.
        let diagnostics = (evaluation.secrets.diagnostics + parameters.diagnostics + evaluation.diagnostics)
            .filter { !follows($0, from: missing, call) }
        let isAwaiting = evaluation.isAwaiting
        let isResolved = usage.isEmpty && !isAwaiting && diagnostics.allSatisfy { $0.severity != .error }

        // A given Content-Length and a known body can be compared even if other parts are unresolved.
        let isMeasurable = isResolved || open.isDisjoint(with: [.body, .header("Content-Length")])
        let made = isMeasurable ? try? builder.prepared(over: .ofProgram) : nil
        let unfit = made.flatMap { builder.lengthProblem(of: $0, fileSize: world.fileSize) }
        if isResolved, let request = made, unfit == nil {
            return Attempt(
                request: AssembledRequest(
                    call: call, request: request, builder: builder, secrets: secrets, redactor: redactor,
                    policy: PolicyDecision(method: request.method.token, call.environment.policy),
                    durability: request.body?.readsFiles == true ? .momentary : evaluation.durability,
                    diagnostics: diagnostics.map { $0.mappingTexts(redactor.redact) }))
        }
        // Unresolved values leave gaps. A gap has no origin, and is not a separate problem.
        let problems = made == nil ? builder.problems() : []
        let broken = problems.filter { isResolved || $0.origin != nil } + [unfit].compactMap(\.self)
        let (flags, files) = (broken.filter { $0.origin?.flag != nil }, broken.filter { $0.origin?.flag == nil })
        let allUsage = usage + flags.map { Diagnostic(flag: "\(own: $0.origin?.flag ?? ""): \($0.reason)") }
        let allDiagnostics = diagnostics + files.map { Self.diagnostic($0, builder, contributions.places, call) }
        let failure = Failure(
            allUsage.isEmpty ? .broken : .usage, (allUsage + allDiagnostics).map { $0.mappingTexts(redactor.redact) })
        return Attempt(failure: failure, isAwaiting: isAwaiting)
    }

    /// The files that flags name and that don't exist. A file is checked even if it isn't needed, so that a typo in its name is
    /// noticed.
    private func missingFiles(_ call: Call) -> [MissingFile] {
        call.environmentFiles.compactMap { path in
            let kind = world.files.kind(path)
            if kind == .file { return nil }
            let name = FilePath.shown(path, from: call.workspace.currentFolder)
            let what = kind == nil ? "there is no file \(name.quoted)" : "\(name.quoted) is not a regular file"
            return MissingFile(name: name, problem: Diagnostic(flag: "--env-file: \(what)"))
        }
    }

    private struct MissingFile {
        let name: String
        let problem: Diagnostic
    }

    /// Whether a diagnostic only repeats that a file is missing, or reports a secret's variable that the missing file may define.
    private func follows(_ diagnostic: Diagnostic, from missing: [MissingFile], _ call: Call) -> Bool {
        if missing.isEmpty { return false }
        if diagnostic.code == .fileUnreadable { return missing.contains { $0.name == diagnostic.fileName } }
        return diagnostic.code == .secretUnresolved
            && call.environment.secrets.contains { secret in
                guard case .processVariable(let variable)? = secret.value.set else { return false }
                return variable.place == diagnostic.place && world.variable(variable.value) == nil
            }
    }

    /// The problem of a request that has a host and no scheme; nil if something else is missing.
    private static func missingScheme(_ builder: RequestBuilder, _ places: [Origin: Place]) -> Diagnostic? {
        let history = builder.history()
        func origin(of subject: RequestSubject) -> Origin? {
            history.first { $0.subject == subject }?.standing.last?.origin
        }
        guard let host = origin(of: .host), origin(of: .scheme) == nil else { return nil }
        return Diagnostic(
            code: .requestInvalid, "the request has a host and no scheme", at: places[host],
            hint: #"add "scheme": "https" beside it"#)
    }

    private static func diagnostic(
        _ error: RequestBuildingError, _ builder: RequestBuilder, _ places: [Origin: Place], _ call: Call
    ) -> Diagnostic {
        let place = error.origin.flatMap { places[$0] }
        if error.code == .missingHost {
            let removed = builder.history().first { part in
                [.scheme, .host].contains(part.subject) && part.removal != nil
                    && part.shadowed.contains { $0.effect != .removes }
            }
            if let place = removed?.removal?.origin.flatMap({ places[$0] }) {
                return Diagnostic(
                    code: .requestInvalid, "the request has no server to go to", at: place,
                    hint: "this takes it away: leave it out, or pass --base-url URL")
            }
            if let diagnostic = missingScheme(builder, places) { return diagnostic }
            return Diagnostic(
                code: .requestInvalid, "the request has no server to go to", at: place,
                fileName: call.environment.layers.last?.place.file.name,
                hint: "give the environment \(own: call.environment.name) a \"baseURL\", or pass --base-url URL")
        }
        return Diagnostic(
            code: .requestInvalid, error.reason, at: place, fileName: error.origin?.file ?? call.endpoint.file.name)
    }
}

/// Caches the contributions of the environment, which are the same for most calls of a run. Without the cache, `check --stub` of
/// 1,000 cases takes 8 % more instructions.
private final class EnvironmentContributions: Sendable {
    private let last = Mutex<(environment: EnvironmentChain, version: String, made: Contributions)?>(nil)

    func contributions(to call: Call) -> Contributions {
        let known = last.withLock(\.self)
        if let known, known.environment === call.environment, known.version == call.version { return known.made }
        let made = Contributions(call.environment, version: call.version)
        last.withLock { $0 = (call.environment, call.version, made) }
        return made
    }
}

extension Contributions {
    // The order in which layers are merged: a later layer wins.

    fileprivate init(_ environment: EnvironmentChain, version: String) {
        self.init()
        addBuiltIn(version: version)
        isEnvironment = true
        for environment in environment.layers {
            layer = "environment \(environment.name)"
            add(environment.layer, isShared: true)
        }
        isEnvironment = false
    }

    fileprivate mutating func add(_ call: Call) {
        if let defaults = call.endpoint.defaults {
            layer = "defaults of \(call.endpoint.group ?? call.endpoint.id)"
            add(defaults.layer, isShared: true)
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
    /// No problem is known yet, but the request waits for values from other requests. Contains its method and the policy's
    /// decision about it.
    case awaiting(method: String, PolicyDecision)
}

extension Assembler {
    /// Checks a call before the values that it awaits are known. Throws all problems that are already certain.
    package func rehearse(_ call: Call) throws(Failure) -> Rehearsed {
        let attempt = attempt(call)
        if let request = attempt.request { return .ready(request) }
        guard attempt.isAwaiting, !attempt.failure.diagnostics.contains(where: { $0.severity == .error }) else {
            throw attempt.failure
        }
        let method = call.endpoint.method(in: call.environment.name)
        return .awaiting(method: method, PolicyDecision(method: method, call.environment.policy))
    }
}

/// The values of templates that were filled outside of any request.
package struct FilledTemplates: Sendable {
    /// A value for each template; nil for a template that is only an optional param without a value.
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
    /// Fills templates in the scope of a call: the expectations of an endpoint, or the values that it passes to an endpoint that
    /// it needs.
    ///
    /// - Parameter needsAll: Whether a list or an object in which a value is absent is absent as well.
    package func fill(
        _ templates: [ValueTemplate], for call: Call, needsAll: Bool
    ) throws(Failure) -> FilledTemplates {
        // Values handed on to needed endpoints are filled before all params are known.
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
    /// The problems that prevent every call of an endpoint in an environment: mistakes in the parts of the request that contain
    /// no placeholders, in the same words as for a call.
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
