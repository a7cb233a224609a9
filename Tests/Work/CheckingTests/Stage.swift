import Calling
import Checking
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText

/// A world for runs: answers from closures, templates filled from the call, a clock that only moves when somebody sleeps.
final class Stage: Sendable {
    typealias Play = @Sendable (_ call: Call, _ number: Int) async -> CallResult

    private struct State {
        var calls: [String] = []
        var counts: [String: Int] = [:]
        var now = Duration.zero
        var slept: [Duration] = []
        var underWay = 0
        var mostUnderWay = 0
    }

    private let state = Mutex(State())
    private let play: Play
    private let variables: [String: OrderedJSON]
    private let secrets: [Redactor.Secret]
    private let tick: Duration

    /// - Parameters:
    ///   - tick: How long each look at the clock takes.
    ///   - play: Answers a call; `number` counts the calls of that endpoint from 1.
    init(
        variables: [String: OrderedJSON] = [:], secrets: [Redactor.Secret] = [], tick: Duration = .milliseconds(1),
        play: @escaping Play
    ) {
        self.play = play
        self.tick = tick
        self.variables = variables
        self.secrets = secrets
    }

    /// Every call so far: the endpoint, its params, and the captures it was given.
    var calls: [String] { state.withLock(\.calls) }
    var slept: [Duration] { state.withLock(\.slept) }
    var mostUnderWay: Int { state.withLock(\.mostUnderWay) }

    func count(_ id: String) -> Int { state.withLock { $0.counts[id] ?? 0 } }

    private static let environment = EnvironmentChain(name: "development", layers: [])

    var caller: Caller {
        Caller(
            call: { Call(workspace: Workshop.workspace([:]), endpoint: $0, environment: Self.environment) },
            fill: { templates, call, _ throws(Failure) in
                var values: [OrderedJSON?] = []
                for template in templates { values.append(try self.value(of: template, call)) }
                let secrets = self.secrets.map {
                    ResolvedSecret(
                        name: String($0.label.dropFirst("secret.".count)), value: $0.value, origin: .processVariable("")
                    )
                }
                return FilledTemplates(values: values, secrets: secrets)
            },
            perform: { call, _ in
                let id = call.endpoint.id
                let number = self.state.withLock { state in
                    state.counts[id, default: 0] += 1
                    state.calls.append(Self.text(call))
                    state.underWay += 1
                    state.mostUnderWay = max(state.mostUnderWay, state.underWay)
                    return state.counts[id] ?? 0
                }
                let exchanged = await self.play(call, number)
                self.state.withLock { $0.underWay -= 1 }
                return exchanged
            })
    }

    var clock: WorldClock {
        WorldClock(
            date: { 1_700_000_000 },
            elapsed: {
                self.state.withLock { state in
                    state.now += self.tick
                    return state.now
                }
            },
            sleep: { duration in
                try Task.checkCancellation()
                self.state.withLock { state in
                    state.now += duration
                    state.slept.append(duration)
                }
            })
    }

    private static func text(_ call: Call) -> String {
        let parameters = call.arguments.map { "\($0.name)=\($0.source.shown)" }
        let captures = call.captures.sorted { $0.key < $1.key }.flatMap { alias, values in
            values.sorted { $0.key < $1.key }.map { "\(alias).\($0)=\(ParameterArgument.Source.value($1).shown)" }
        }
        return ([call.endpoint.id] + parameters + captures).joined(separator: " ")
    }

    private func value(of template: ValueTemplate, _ call: Call) throws(Failure) -> OrderedJSON? {
        guard case .text(let text) = template, let placeholder = text.onlyPlaceholder else { return template.literal }
        switch placeholder.value {
        case .name(let name):
            if let parameter = call.arguments.first(where: { $0.name == name }) {
                switch parameter.source {
                case .value(let value): return value
                case .text(let text), .file(let text): return .string(text)
                }
            }
            if let value = variables[name] { return value }
            if call.endpoint.parameters[named: name] != nil { return nil }
        case .capture(let alias, let name): if let value = call.captures[alias]?[name] { return value }
        case .secret(let name):
            if let secret = secrets.first(where: { $0.label == "secret.\(name)" }) { return .string(secret.value) }
        default: break
        }
        throw Failure(
            .broken, code: .valueUnresolved, "nothing is called \(placeholder.value.text)", at: placeholder.place)
    }
}

extension CallResult {
    static func answer(_ status: Int, _ json: String = "{}", stub: Stub? = nil) -> CallResult {
        CallResult(
            .success(.json(json, status: status)),
            request: Request(method: "GET", url: "https://example.com/", curl: "curl 'https://example.com/'"),
            stub: stub)
    }

    static func failure(
        _ status: ExitStatus, _ message: String = "connection refused", stub: Stub? = nil
    ) -> CallResult {
        CallResult(.failure(Failure(status, code: "exchange.failed", message)), stub: stub)
    }
}

extension Stage {
    /// Plans and runs endpoint files.
    func run(
        _ files: [String: String], _ selectors: String..., options: RunOptions = RunOptions(),
        data: String? = nil, tell: (RunEvent) -> Void = { _ in }
    ) async throws -> RunResult {
        let table = data.map { DataTable.read(SourceFile(name: "rows.csv", text: $0)) }
        let request = CheckPlan.Request(
            selectors: selectors.map { Selector($0) }, environment: "development", data: table?.value)
        let plan = try CheckPlan.make(request, from: Catalogue(of: Workshop.workspace(files)))
        return await CheckRun(plan, options: options, caller: caller, clock: clock).result(onEvent: tell)
    }
}

extension RunResult {
    /// `user.get: failed` and so on.
    var lines: [String] { cases.map { "\($0.id): \($0.verdict)" } }

    func outcome(_ id: String) -> Outcome? { cases.first { $0.id == id }?.outcome }
}
