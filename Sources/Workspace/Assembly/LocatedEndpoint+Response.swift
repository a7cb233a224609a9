package import ReqcliDefinitions
package import ReqcliText

extension LocatedEndpoint {
    /// The expectation of the endpoint in an environment: the endpoint's expectation for this environment, otherwise the
    /// endpoint's expectation for all environments, otherwise the group's expectation, otherwise the environment's expectation.
    /// Nil if that expectation is `null` or has no conditions.
    package func expectation(in environment: String) -> Expectation? {
        let overlay = definition.environments[named: environment]?.expectation
        let setting =
            overlay ?? definition.request.expectation ?? defaults?.expectation ?? self.environment?.expectation
        return setting?.set.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The JSON Schema of a successful response: that of the expectation, else that of the described response.
    package func responseSchema(in environment: String) -> JSONValue? {
        if case .plain(let source)? = expectation(in: environment)?.schema?.operand { return source }
        return definition.response?.schema
    }

    /// The status of a successful response: the first one that is expected, else that of the described response.
    package func successStatus(in environment: String) -> Int {
        let expected = expectation(in: environment)?.status?.value.map(\.range.lowerBound) ?? []
        return (expected + [definition.response?.status].compactMap(\.self)).first { (200..<300).contains($0) } ?? 200
    }
}
