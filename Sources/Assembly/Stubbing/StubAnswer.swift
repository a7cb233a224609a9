package import Definitions
import NearNames
package import SourceText

/// What a stub variant answers, once the variants that it is like are merged into it and its file is read.
package struct StubAnswer: Sendable, Equatable {
    package enum Outcome: Sendable, Equatable {
        case answer(status: Int, headers: [Header], body: [UInt8])
        case fault(StubVariant.Fault)
    }

    package struct Header: Sendable, Equatable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The variant as it is called where it was asked for.
    package let name: String
    package let outcome: Outcome
    package let delay: ClosedRange<Duration>?
    /// Whether the endpoint's expectations have to fail on it.
    package let mustFail: Bool
}

/// The answers of one variant: one, or several in turn.
package struct StubScript: Sendable, Equatable {
    package let name: String
    package let answers: [StubAnswer]
    package let afterLast: StubVariant.AfterLast

    /// The answer to the request with this number, from 0; nil where a sequence has come to its end and says so.
    package func answer(to number: Int) -> StubAnswer? {
        if number < answers.count { return answers[number] }
        switch afterLast {
        case .last: return answers.last
        case .loop: return answers.isEmpty ? nil : answers[number % answers.count]
        case .fail: return nil
        }
    }
}

/// Why a variant can't answer.
package struct StubProblem: Error, Sendable {
    package enum Kind: Sendable {
        /// There is no such variant: the caller's mistake where the caller named it.
        case unknownVariant
        case broken
    }

    package let kind: Kind
    package let diagnostic: Diagnostic
}

extension Workspace {
    /// What an endpoint's variant answers; nil as a name asks for the default one.
    package func stub(_ name: String?, of endpoint: LocatedEndpoint) throws(StubProblem) -> StubScript {
        let stubs = endpoint.definition.stubs
        guard let variants = stubs?.variants, !variants.isEmpty else {
            throw StubProblem(
                kind: .unknownVariant,
                diagnostic: Diagnostic(
                    code: .variantUnknown, "\(endpoint.id) has no stub variants", at: nil,
                    hint: "add \"stubs\": {\"variants\": {…}} to it in \(endpoint.file.name)"))
        }
        let chosen = name ?? stubs?.defaultVariant?.value ?? variants[0].name
        let reading = StubReading(workspace: self, endpoint: endpoint, variants: variants)
        return try reading.script(named: chosen)
    }
}

private struct StubReading {
    let workspace: Workspace
    let endpoint: LocatedEndpoint
    let variants: [Named<StubVariant>]

    func script(named name: String) throws(StubProblem) -> StubScript {
        let variant = try variant(name, at: nil)
        guard let steps = variant.sequence else {
            return StubScript(name: name, answers: [try answer(name, variant)], afterLast: .last)
        }
        var answers: [StubAnswer] = []
        for step in steps { answers += try self.answers(of: step, in: name, depth: 0) }
        return StubScript(name: name, answers: answers, afterLast: variant.afterLast ?? .last)
    }

    /// A step may itself be a sequence; circles are broken files, and told where files are validated.
    private func answers(of step: StubVariant.Step, in name: String, depth: Int) throws(StubProblem) -> [StubAnswer] {
        guard depth < 32 else {
            throw broken(
                "the variants of \(endpoint.id) refer to each other in a circle", at: variants.first?.namePlace)
        }
        let (stepName, variant): (String, StubVariant) =
            switch step {
            case .named(let other): (other.value, try self.variant(other.value, at: other.place))
            case .written(let variant): (name, variant)
            }
        guard let inner = variant.sequence else { return [try answer(stepName, variant)] }
        var answers: [StubAnswer] = []
        for step in inner { answers += try self.answers(of: step, in: stepName, depth: depth + 1) }
        return answers
    }

    private func variant(_ name: String, at place: Place?) throws(StubProblem) -> StubVariant {
        if let variant = variants[named: name] { return variant }
        let known = variants.map(\.name)
        let list = "it has \(known.joined(separator: ", "))"
        let hint = NearNames.question(for: name, among: known).map { "\($0) \(list)" } ?? list
        throw StubProblem(
            kind: .unknownVariant,
            diagnostic: Diagnostic(
                code: .variantUnknown, "\(endpoint.id) has no stub variant \"\(name)\"", at: place, hint: hint))
    }

    // MARK: One answer

    private func answer(_ name: String, _ variant: StubVariant) throws(StubProblem) -> StubAnswer {
        let merged = try merged(variant, depth: 0)
        let outcome: StubAnswer.Outcome =
            if let fault = merged.fault { .fault(fault) } else {
                .answer(status: merged.status ?? 200, headers: try headers(merged), body: try body(merged))
            }
        return StubAnswer(name: name, outcome: outcome, delay: merged.delay, mustFail: variant.verdict == .fail)
    }

    /// The variant on top of the one it is like: what it says itself wins, headers merge by name.
    private func merged(_ variant: StubVariant, depth: Int) throws(StubProblem) -> StubVariant {
        guard let like = variant.like else { return variant }
        guard depth < 32 else { throw broken("stub variants are like each other in a circle", at: like.place) }
        let other = try self.variant(like.value, at: like.place)
        guard other.sequence == nil else { throw StubProblem(kind: .broken, diagnostic: .likeSequence(like)) }
        var result = try merged(other, depth: depth + 1)
        if let body = variant.body {
            result.body = body
            result.fault = nil
        }
        if let fault = variant.fault { result.fault = fault }
        result.status = variant.status ?? result.status
        result.delay = variant.delay ?? result.delay
        let own = Set(variant.headers.map { $0.name.lowercased() })
        result.headers = result.headers.filter { !own.contains($0.name.lowercased()) } + variant.headers
        return result
    }

    private func headers(_ variant: StubVariant) throws(StubProblem) -> [StubAnswer.Header] {
        var headers = variant.headers.flatMap { header in
            (header.value.value.value ?? []).map {
                StubAnswer.Header(name: header.name, value: ValueText.text(of: $0.literal ?? $0.source))
            }
        }
        let isSaid = variant.headers.contains { $0.name.lowercased() == "content-type" }
        if !isSaid, let type = variant.impliedType {
            headers.insert(StubAnswer.Header(name: "Content-Type", value: type), at: 0)
        }
        return headers
    }

    private func body(_ variant: StubVariant) throws(StubProblem) -> [UInt8] {
        switch variant.body {
        case nil: return []
        case .json(let value): return Array(value.value.compact.utf8)
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

    private func broken(_ message: String, at place: Place?) -> StubProblem {
        StubProblem(kind: .broken, diagnostic: Diagnostic(code: .valueInvalid, message, at: place))
    }
}

extension StubVariant {
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
