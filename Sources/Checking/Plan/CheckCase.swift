package import Assembly
package import Definitions
package import SourceText

/// One thing to check: a call of an endpoint, and what its answer has to be like.
package final class CheckCase: Sendable {
    /// `user.get`, `todos.get/is there`, with `#2` for the second row of data.
    package let id: String
    package let endpoint: LocatedEndpoint
    /// The check's name; nil for what the endpoint itself expects.
    package let checkName: String?
    package let summary: String?
    package let tags: [String]
    package let parameters: [CaseParameter]
    package let row: DataRow?
    package let expectation: CompiledExpectation
    let captures: CaptureReader
    /// Where the case stands in the endpoint file.
    package let place: Place

    init(
        id: String, endpoint: LocatedEndpoint, checkName: String?, summary: String?, tags: [String],
        parameters: [CaseParameter], row: DataRow?, expectation: CompiledExpectation, captures: CaptureReader,
        place: Place
    ) {
        self.id = id
        self.endpoint = endpoint
        self.checkName = checkName
        self.summary = summary
        self.tags = tags
        self.parameters = parameters
        self.row = row
        self.expectation = expectation
        self.captures = captures
        self.place = place
    }
}

/// A param's value in one case.
package struct CaseParameter: Sendable {
    package enum Value: Sendable {
        /// Of a check's `with`: it may have placeholders.
        case template(ValueTemplate)
        /// A value from a row of data. A required param without one takes its own `example`.
        case given(ParameterArgument.Source)
    }

    package let name: String
    package let value: Value
    let isSecret: Bool

    /// `id=1`, for lists and messages.
    package var shown: String {
        if isSecret { return "\(name)=…" }
        let source =
            switch value {
            case .template(let template): ParameterArgument.Source.value(template.literal ?? template.source)
            case .given(let source): source
            }
        return "\(name)=\(source.shown)"
    }

    /// The argument for a param that waits for nothing.
    var readyArgument: ParameterArgument? {
        switch value {
        case .given(let source): ParameterArgument(name: name, source: source, isTyped: false)
        case .template(let template): template.literal.map { ParameterArgument(name: name, value: $0) }
        }
    }
}

extension LocatedEndpoint {
    /// What is expected in an environment: what the endpoint says for it, else for all, else the group; `null` takes it
    /// away, and one that expects nothing is none.
    package func expectation(in environment: String) -> Expectation? {
        let overlay = definition.environments[named: environment]?.expectation
        let setting = overlay ?? definition.request.expectation ?? defaults?.expectation
        guard case .set(let expectation)? = setting?.value, !expectation.isEmpty else { return nil }
        return expectation
    }
}
