import Definitions
import NearNames
import RequestBuilding
import SourceText

/// Reads what an endpoint's variants answer.
struct StubReading {
    private let workspace: Workspace
    private let endpoint: LocatedEndpoint
    private let variants: [Named<StubVariant>]
    private lazy var byName = Dictionary(
        variants.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    /// What was read already: a sequence may give one answer often.
    private var answers: [Range<Int>: StubAnswer] = [:]

    init(workspace: Workspace, endpoint: LocatedEndpoint, variants: [Named<StubVariant>]) {
        self.workspace = workspace
        self.endpoint = endpoint
        self.variants = variants
    }

    mutating func script(named name: String) throws(StubProblem) -> StubScript {
        // One alone is found sooner than a table of all of them is made.
        guard let variant = variants[named: name] else { throw unknown(name, at: nil) }
        guard let steps = variant.sequence else {
            return StubScript(name: name, answers: [try answer(name, variant)], afterLast: .last)
        }
        return StubScript(
            name: name, answers: try answers(of: steps, in: name), afterLast: variant.afterLast ?? .last)
    }

    /// A sequence that is being gone through.
    private struct OpenSequence {
        /// What a step called it; nil where it is written in place.
        let name: String?
        /// What its answers are called that have no name of their own.
        let shownName: String
        var steps: ArraySlice<StubVariant.Step>
    }

    /// A step may itself be a sequence. Without recursion, since how deep it would go is up to the files.
    private mutating func answers(
        of steps: [StubVariant.Step], in name: String
    ) throws(StubProblem) -> [StubAnswer] {
        var answers: [StubAnswer] = []
        var open = [OpenSequence(name: name, shownName: name, steps: steps[...])]
        var openNames: Set<String> = [name]
        var stepCount = 0
        while let current = open.last {
            guard let step = current.steps.first else {
                open.removeLast()
                if let name = current.name { openNames.remove(name) }
                continue
            }
            open[open.count - 1].steps.removeFirst()
            stepCount += 1
            guard stepCount <= Limits.sequence else {
                throw StubProblem(kind: .broken, diagnostic: .sequenceLength(name, at: byName[name]?.place))
            }
            switch step {
            case .written(let variant):
                if let inner = variant.sequence {
                    open.append(OpenSequence(name: nil, shownName: current.shownName, steps: inner[...]))
                } else {
                    answers.append(try knownAnswer(current.shownName, variant))
                }
            case .named(let other):
                let variant = try self.variant(other.value, at: other.place)
                if let inner = variant.sequence {
                    guard openNames.insert(other.value).inserted else {
                        throw circle(open.compactMap(\.name), backTo: other)
                    }
                    open.append(OpenSequence(name: other.value, shownName: other.value, steps: inner[...]))
                } else {
                    answers.append(try knownAnswer(other.value, variant))
                }
            }
        }
        return answers
    }

    private mutating func variant(_ name: String, at place: Place) throws(StubProblem) -> StubVariant {
        guard let variant = byName[name] else { throw unknown(name, at: place) }
        return variant
    }

    private func unknown(_ name: String, at place: Place?) -> StubProblem {
        let known = variants.map(\.name)
        let list = "it has \(known.joined(separator: ", "))"
        let hint = NearNames.question(for: name, among: known).map { "\($0) \(list)" } ?? list
        return StubProblem(
            kind: .unknownVariant,
            diagnostic: Diagnostic(
                code: .variantUnknown, "\(endpoint.id) has no stub variant \"\(name)\"", at: place, hint: hint))
    }

    // MARK: One answer

    private mutating func knownAnswer(_ name: String, _ variant: StubVariant) throws(StubProblem) -> StubAnswer {
        if let known = answers[variant.place.range] { return known }
        let answer = try answer(name, variant)
        answers[variant.place.range] = answer
        return answer
    }

    private mutating func answer(_ name: String, _ variant: StubVariant) throws(StubProblem) -> StubAnswer {
        let merged = try merged(variant)
        let outcome: StubAnswer.Outcome =
            if let fault = merged.fault { .fault(fault) } else {
                .answer(status: merged.status ?? 200, headers: try headers(merged), body: try body(merged))
            }
        return StubAnswer(name: name, outcome: outcome, delay: merged.delay, mustFail: variant.verdict == .fail)
    }

    /// The variant on top of those it is like: what it says itself wins, headers merge by name. What it says of an answer
    /// makes one out of a fault.
    private mutating func merged(_ variant: StubVariant) throws(StubProblem) -> StubVariant {
        var layers = [variant]
        var names: [String] = []
        var isNamed: Set<String> = []
        while let like = layers.last?.like {
            guard isNamed.insert(like.value).inserted else { throw circle(names, backTo: like) }
            let other = try self.variant(like.value, at: like.place)
            guard other.sequence == nil else { throw StubProblem(kind: .broken, diagnostic: .likeSequence(like)) }
            names.append(like.value)
            layers.append(other)
        }
        let base = layers.removeLast()
        return layers.reversed().reduce(base) { $1.merged(onto: $0) }
    }

    private func headers(_ variant: StubVariant) throws(StubProblem) -> HeaderFields {
        var headers = variant.headers.flatMap { header in
            (header.value.value.value ?? []).map {
                HeaderFields.Field(header.name, ValueText.text(of: $0.literal ?? $0.source))
            }
        }
        let isSaid = variant.headers.contains { $0.name.lowercased() == "content-type" }
        if !isSaid, let type = variant.impliedType {
            headers.insert(HeaderFields.Field("Content-Type", type), at: 0)
        }
        return HeaderFields(headers)
    }

    private func body(_ variant: StubVariant) throws(StubProblem) -> [UInt8] {
        switch variant.body {
        case nil: return []
        case .json(let value): return Array(OrderedJSON(value).compact.utf8)
        case .text(let text): return Array(text.utf8)
        case .bytes(let bytes): return bytes
        case .file(let name):
            if let problem = workspace.problem(ofStubFile: name) {
                throw StubProblem(kind: .broken, diagnostic: problem)
            }
            do throws(FileProblem) {
                return try workspace.files.read(workspace.path("stubs/\(name.value)"), 1 << 30)
            } catch {
                throw broken("\"stubs/\(name.value)\" can't be read: \(error.reason)", at: name.place)
            }
        }
    }

    /// - Parameter names: The way that led to a variant which leads back to one of them.
    private func circle(_ names: [String], backTo last: Located<String>) -> StubProblem {
        StubProblem(
            kind: .broken,
            diagnostic: .likeCycle(names.drop { $0 != last.value } + [last.value], at: last.place))
    }

    private func broken(_ message: String, at place: Place?) -> StubProblem {
        StubProblem(kind: .broken, diagnostic: Diagnostic(code: .valueInvalid, message, at: place))
    }
}

extension StubVariant {
    fileprivate func merged(onto other: StubVariant) -> StubVariant {
        var result = other
        result.body = body ?? result.body
        if fault != nil || saysSomethingOfAnAnswer { result.fault = fault }
        result.status = status ?? result.status
        result.delay = delay ?? result.delay
        let own = Set(headers.map { $0.name.lowercased() })
        result.headers = result.headers.filter { !own.contains($0.name.lowercased()) } + headers
        return result
    }

    /// None of these stands beside a fault.
    private var saysSomethingOfAnAnswer: Bool { body != nil || status != nil || !headers.isEmpty }

    /// The Content-Type that follows from the kind of body.
    fileprivate var impliedType: String? {
        switch body {
        case .json: "application/json"
        case .text: "text/plain; charset=utf-8"
        case .bytes: "application/octet-stream"
        case .file(let name): name.value.hasSuffix(".json") ? "application/json" : nil
        case nil: nil
        }
    }
}
