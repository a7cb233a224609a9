package import Definitions
import Redaction
package import SourceText

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
    ) throws(AssemblyFailure) -> FilledTemplates {
        // Values handed on to needed endpoints are filled before all params are known.
        let (parameters, problems) = Parameters.bind(call, world: sharedWorld, isWhole: false)
        var evaluation = Evaluation(call: call, parameters: parameters, world: sharedWorld)
        evaluation.needsAllValues = needsAll
        let values = templates.map { template -> OrderedJSON? in
            if case .value(let value) = evaluation.json(template) { value } else { nil }
        }
        let secrets = evaluation.usedSecrets
        let diagnostics = parameters.diagnostics + evaluation.diagnostics + evaluation.secrets.diagnostics
        guard problems.isEmpty, diagnostics.allSatisfy({ $0.severity != .error }) else {
            throw AssemblyFailure(
                usage: problems, diagnostics: diagnostics,
                redactor: Redactor(secrets.map(\.redacted)))
        }
        return FilledTemplates(values: values, secrets: secrets, drawn: evaluation.drawn)
    }
}
