import Foundation
import ReqcliBasics
package import ReqcliDefinitions
package import ReqcliRedaction
package import ReqcliText
package import RequestBuilding

/// For how long a request is the one that the call asks for.
package enum Repeatability: Comparable, Sendable {
    /// Not after the moment in which it was made: it tells the time, or its body can be read once.
    case momentary
    /// Whenever it is sent, but once: something in it is made anew for each request.
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
    /// Warnings; errors would have kept it from being made.
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

    /// The parts about which neither the files nor the flags say anything.
    package var partsLeftToDefault: Set<RequestSubject> {
        Set(builder.history().filter { $0.standing.last?.origin?.layer == Contributions.builtIn }.map(\.subject))
    }
}

extension LocatedEndpoint {
    /// The expectation in an environment: of the endpoint for it, else for all, else of the group. `null` takes it away, and
    /// an empty one is none.
    package func expectation(in environment: String) -> Expectation? {
        let overlay = definition.environments[named: environment]?.expectation
        let setting = overlay ?? definition.request.expectation ?? defaults?.expectation
        return setting?.set.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension [ResolvedSecret] {
    /// Masks them.
    var redactor: Redactor { Redactor(map(\.redacted)) }
}

extension PreparedRequest {
    /// The request with the names of the headers in which a secret stands.
    fileprivate func markingHeaders(with redactor: Redactor) -> PreparedRequest {
        if redactor.isEmpty { return self }
        var request = self
        request.secretHeaders = headers.filter { redactor.isSecret(in: Array($0.value.utf8)) }.map(\.name)
        return request
    }
}

extension TransferSettings {
    /// The settings that neither a file nor a flag has to give: responses are decoded, redirects are not followed, and
    /// `retry` repeats every idempotent method (RFC 9110, 9.2.2).
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

    /// Whether a workspace may have what it asks for.
    package func permission(for request: TrustRequest, of workspace: Workspace) -> TrustPermission {
        world.permits(request, workspace.root)
    }

    package func assemble(_ call: Call) throws(Failure) -> AssembledRequest {
        let attempt = attempt(call)
        if let request = attempt.request { return request }
        throw attempt.failure
    }

    /// A request, or what stands in its way.
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
        // First what is wrong with files of variables: that one isn't set may follow from it.
        let diagnostics = (evaluation.secrets.diagnostics + parameters.diagnostics + evaluation.diagnostics)
            .filter { !follows($0, from: missing, call) }
        let isAwaiting = evaluation.isAwaiting
        let isResolved = usage.isEmpty && !isAwaiting && diagnostics.allSatisfy { $0.severity != .error }

        // A given length and a known body can be compared whatever else is unresolved.
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
        // Unresolved values leave gaps, which are no problems of their own and have no origin.
        let problems = made == nil ? builder.problems() : []
        let broken = problems.filter { isResolved || $0.origin != nil } + [unfit].compactMap(\.self)
        let (flags, files) = (broken.filter { $0.origin?.flag != nil }, broken.filter { $0.origin?.flag == nil })
        let allUsage = usage + flags.map { Diagnostic(flag: "\(own: $0.origin?.flag ?? ""): \($0.reason)") }
        let allDiagnostics = diagnostics + files.map { Self.diagnostic($0, builder, contributions.places, call) }
        let failure = Failure(
            allUsage.isEmpty ? .broken : .usage, (allUsage + allDiagnostics).map { $0.mappingTexts(redactor.redact) })
        return Attempt(failure: failure, isAwaiting: isAwaiting)
    }

    /// A file that a flag names is there, needed or not: a typo in it must not go by.
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

    /// Whether it tells again that a file is missing, or of a secret's variable that the file may have.
    private func follows(_ diagnostic: Diagnostic, from missing: [MissingFile], _ call: Call) -> Bool {
        if missing.isEmpty { return false }
        if diagnostic.code == .fileUnreadable { return missing.contains { $0.name == diagnostic.fileName } }
        return diagnostic.code == .secretUnresolved
            && call.environment.secrets.contains { secret in
                guard case .processVariable(let variable)? = secret.value.set else { return false }
                return variable.place == diagnostic.place && world.variable(variable.value) == nil
            }
    }

    /// A host alone is no server to go to; nil where it is something else that is missing.
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

/// The contributions of the environment, which are the same for most calls of a run and made for the first. Without this,
/// `check --stub` of 1,000 cases takes 8 % more instructions.
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
    // The merge order, once: the later layer wins.

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
    /// A flag that can't be followed.
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
    /// All is well so far; this is what the environment's policy says of its method.
    case awaiting(method: String, PolicyDecision)
}

extension Assembler {
    /// Everything that is known to be wrong with a call before the values that it awaits have come.
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

/// Templates with their values put in, outside of any request.
package struct FilledTemplates: Sendable {
    /// A value for each template; nil where it is just an optional param that wasn't given.
    package let values: [OrderedJSON?]
    /// The secrets that are in them.
    package let secrets: [ResolvedSecret]
    /// For the request to which they belong.
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
    /// Fills templates in the scope of a call: what an endpoint expects, or hands on to one that it needs.
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
    /// The problems that keep every call of an endpoint in an environment from being sent: all that is wrong with the parts of the
    /// request that no placeholder changes, in the words of a call.
    package static func certainProblems(
        with endpoint: LocatedEndpoint, in environment: EnvironmentChain, of workspace: Workspace
    ) -> [Diagnostic] {
        var call = Call(workspace: workspace, endpoint: endpoint, environment: environment)
        call.awaited.isEverything = true
        // Where it goes is another question, as is which files there are.
        call.overrides = [CommandLineOverride(.baseURL("http://invalid"), flag: "--base-url")]
        return Assembler(world: .withAllFiles).attempt(call).failure.diagnostics
    }
}

extension World {
    /// A world that has files only, under any name.
    fileprivate static let withAllFiles = World(
        files: FileSystem(
            read: { _, _ throws(FileProblem) in throw FileProblem(.denied) }, kind: { _ in .file },
            names: { _ in [] }, resolve: { $0 }),
        variable: { _ in nil }, standardInput: { () throws(FileProblem) in throw FileProblem(.denied) },
        run: { _, _, _ in .notStarted("") }, permits: { _, _ in .granted }, uuid: { "" }, randomInt: { 0 },
        clock: WorldClock(date: { 0 }, elapsed: { .zero }, sleep: { _ in }))
}
