package import Definitions
package import RequestBuilding
package import SourceText

/// What a stub variant answers, once the variants that it is like are merged into it and its file is read.
package struct StubAnswer: Sendable, Equatable {
    package enum Outcome: Sendable, Equatable {
        case answer(status: Int, headers: HeaderFields, body: [UInt8])
        case fault(StubVariant.Fault)
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
        var reading = StubReading(workspace: self, endpoint: endpoint, variants: variants)
        return try reading.script(named: chosen)
    }
}
