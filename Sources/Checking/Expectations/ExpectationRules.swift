package import Definitions
package import SourceText

/// What `validate` can tell about expectations and captures: paths and patterns that are none, at their places inside.
package enum ExpectationRules {
    package static func problems(of endpoint: LocatedEndpoint) -> [Diagnostic] {
        let definition = endpoint.definition
        let layers = [definition.request.expectation] + definition.environments.map(\.value.expectation)
        let settings = layers + [endpoint.defaults?.expectation]
        let all = settings.compactMap { $0?.value.value } + definition.checks.compactMap(\.expectation)
        return all.flatMap { CompiledExpectation.compile($0).diagnostics }
            + CaptureReader.compile(endpoint).diagnostics
    }
}
