package import Calling
package import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliJSONPath
package import ReqcliText

/// The mutants of one case that its checks did not notice.
package struct MutatedCase: Sendable {
    /// The result of the case before any change. There is no score if it did not pass.
    package internal(set) var original: CaseResult
    package internal(set) var survivors: [Survivor] = []
    /// The number of mutants of each kind.
    package internal(set) var counts: [Mutant.Kind: Int] = [:]
    /// The number of parts of the body, by their JSONPaths, and those that no check looks at.
    package internal(set) var partCount = 0
    package internal(set) var unseen: [Unseen] = []

    package var id: String { original.id }
    package var count: Int { counts.values.reduce(0, +) }
    package var killed: Int { count - survivors.count }

    package struct Survivor: Sendable {
        package let kind: Mutant.Kind
        package let subject: String
        package let change: String
    }

    /// A part of the body that no check looks at, with the condition that would.
    package struct Unseen: Sendable {
        package let path: String
        package let condition: OrderedJSON
    }
}

/// Runs each case of a plan again and again with its response changed in one point, and counts what its checks notice.
package struct MutationRun: Sendable {
    private let plan: CheckPlan
    private let caller: Caller
    private let clock: WorldClock

    package init(_ plan: CheckPlan, caller: Caller, clock: WorldClock) {
        (self.plan, self.caller, self.clock) = (plan, caller, clock)
    }

    /// The result of each case, in the order of the plan. Scenarios and probes are not changed.
    package func result() async -> [MutatedCase] {
        var results: [MutatedCase] = []
        for each in plan.cases where each.probe == nil {
            if Task.isCancelled { break }
            if let result = await result(of: each) { results.append(result) }
        }
        return results
    }

    /// Nil for a case whose stub is meant to fail.
    private func result(of each: CheckCase) async -> MutatedCase? {
        let book = CallBook()
        var recording = caller
        recording.perform = { [caller] call, terms in
            let exchanged = await caller.perform(call, terms)
            book.add(exchanged, of: call)
            return exchanged
        }
        var result = MutatedCase(original: await run(each, recording))
        let outcome = result.original.outcome
        if outcome.stub?.mustFail == true { return nil }
        guard outcome.verdict == .passed, let last = book.last(of: each.endpoint.id),
            case .success(let response) = last.result
        else { return result }
        let maker = MutantMaker(
            response: response,
            ignored: each.ignored(in: outcome.stub?.name) + (each.expectation.snapshot?.ignored ?? []),
            maxTime: each.expectation.maxTime?.value, isStream: response.events != nil)
        var killedSubjects: Set<String> = []
        var subjects: [String] = []
        for mutant in maker.mutants {
            var replaying = caller
            replaying.perform = { call, _ in
                call.endpoint.id == each.endpoint.id && call.identity == book.lastIdentity
                    ? last.answered(by: mutant.response) : book.result(of: call)
            }
            let isKilled = await run(each, replaying).verdict != .passed
            result.counts[mutant.kind, default: 0] += 1
            if mutant.subject.hasPrefix("$"), mutant.kind != .added, mutant.subject != "$" {
                if !subjects.contains(mutant.subject) { subjects.append(mutant.subject) }
                if isKilled { killedSubjects.insert(mutant.subject) }
            }
            if !isKilled {
                result.survivors.append(
                    MutatedCase.Survivor(kind: mutant.kind, subject: mutant.subject, change: mutant.change))
            }
        }
        result.partCount = subjects.count
        result.unseen = subjects.filter { !killedSubjects.contains($0) }.map {
            MutatedCase.Unseen(path: $0, condition: condition(for: $0, in: response))
        }
        return result
    }

    private func run(_ each: CheckCase, _ caller: Caller) async -> CaseResult {
        var options = RunOptions(jobs: .fixed(1), recordsPassed: false, exchanges: .nothing)
        options.listsRequired = false
        return await FlowRunner(plan, options, caller, clock).run(.check(each))
    }

    /// The condition that looks at a part of the body: its type, so that no value of a response is shown.
    private func condition(for path: String, in response: ReceivedResponse) -> OrderedJSON {
        guard case .success(let bytes) = response.content,
            let root = JSONDocument.read(SourceFile(name: "body", bytes: bytes)).validRoot,
            let query = PathReading.read(path, at: root.place).value, let node = try? query.nodes(in: root).first
        else { return .object(["exists": .bool(true)]) }
        let type =
            switch node.kind {
            case .string: "string"
            case .number: node.text.contains(where: { ".eE".contains($0) }) ? "number" : "integer"
            case .array: "array"
            case .object: "object"
            case .null: "null"
            default: "boolean"
            }
        return .object(["type": .string(type)])
    }
}

extension CheckCase {
    /// The values that the stub's variant does not compare with a server, because they differ from response to response.
    fileprivate func ignored(in variant: String?) -> [JSONPath] {
        guard let drift = variant.flatMap({ endpoint.definition.stubs?.variants[named: $0]?.drift }) else { return [] }
        let all = drift.isCompared ? drift.ignored : [Located("$", at: place)]
        return all.compactMap { PathReading.read($0.value, at: $0.place).value }
    }
}

/// The results of the calls of one case.
private final class CallBook: Sendable {
    private let calls = Mutex<[(identity: CallIdentity, endpoint: String, result: CallResult)]>([])

    func add(_ result: CallResult, of call: Call) {
        calls.withLock { $0.append((call.identity, call.endpoint.id, result)) }
    }

    var lastIdentity: CallIdentity? { calls.withLock { $0.last?.identity } }

    func last(of endpoint: String) -> CallResult? {
        calls.withLock { $0.last.flatMap { $0.endpoint == endpoint ? $0.result : nil } }
    }

    func result(of call: Call) -> CallResult {
        let identity = call.identity
        return calls.withLock { calls in
            (calls.last { $0.identity == identity } ?? calls.last { $0.endpoint == call.endpoint.id })?.result
                ?? CallResult(.failure(Failure(.broken, [])), requests: 0)
        }
    }
}

extension CallResult {
    /// The same call with another response.
    fileprivate func answered(by response: ReceivedResponse) -> CallResult {
        CallResult(
            .success(response), secrets: secrets, signatures: signatures, stub: stub, cookies: cookies, began: began)
    }
}
