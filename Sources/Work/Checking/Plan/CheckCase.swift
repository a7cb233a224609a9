package import ReqcliAssembly
package import ReqcliBasics
package import ReqcliDefinitions
package import ReqcliText

/// One thing to check: a call of an endpoint, and the conditions on its response.
package struct CheckCase: Sendable {
    /// The id, such as `user.get` or `todos.get/is there`, with `#2` for the second row of data.
    package let id: String
    package let endpoint: LocatedEndpoint
    /// The check's name; nil for the endpoint's own expectation.
    package let checkName: String?
    package let summary: String?
    package let tags: [String]
    package let parameters: [CaseParameter]
    package let row: DataRow?
    package let expectation: CompiledExpectation
    let captures: CaptureReader
    /// The snapshot that the response is compared with.
    @Rare var snapshot: CaseSnapshot? = nil
    /// The place of the case in the endpoint file.
    package let place: Place
    /// The problem that keeps only this case from being sent: a required param has no value.
    @Rare package internal(set) var problem: Failure? = nil
    /// The change to the call; nil if the case is not a probe of `--probe`.
    @Rare package var probe: Probe? = nil
    /// The name of the file whose cases run one after the other, because they may change something on a server; nil for a
    /// case that only reads.
    let turn: String?
    /// The position among the cases of all shards together, from 1.
    package internal(set) var number = 0
}

extension CheckCase {
    /// The name of the unit that must stay on one machine: the cases of one turn, or a case with its probes.
    func unit(firstRow: String) -> String { turn ?? (probe == nil ? id : endpoint.id + firstRow) }
}

/// A param's value in one case.
package struct CaseParameter: Sendable {
    package enum Value: Sendable {
        /// A value of a check's `with`, which may have placeholders.
        case template(ValueTemplate)
        /// A value from a row of data or, for a required param without any other value, the param's own `example`.
        case given(ParameterArgument.Source)
    }

    package let name: String
    package let value: Value
    let isSecret: Bool

    /// The name and the value, such as `id=1`, for lists and messages.
    package var shown: String {
        if isSecret { return "\(name)=…" }
        let source =
            switch value {
            case .template(let template): ParameterArgument.Source.value(template.literal ?? template.source)
            case .given(let source): source
            }
        return "\(name)=\(source.shown)"
    }

    /// The argument for the param; nil if the value has placeholders, which have to be filled first.
    var readyArgument: ParameterArgument? {
        switch value {
        case .given(let source): ParameterArgument(name: name, source: source, isTyped: false)
        case .template(let template): template.literal.map { ParameterArgument(name: name, value: $0) }
        }
    }
}
