package import ReqcliText

/// The values that a file gives for an endpoint's params.
package struct GivenParameters {
    private let given: [Named<ValueTemplate>]
    private let endpoint: LocatedEndpoint

    package init(_ given: [Named<ValueTemplate>], for endpoint: LocatedEndpoint) {
        self.given = given
        self.endpoint = endpoint
    }

    /// Diagnostics for params that the endpoint doesn't have.
    package func unknown() -> [Diagnostic] {
        given.compactMap { endpoint.unknownParameter($0.name)?.diagnostic(.parameterUnknown, at: $0.namePlace) }
    }

    /// Diagnostics for invalid values.
    func mismatches() -> [Diagnostic] {
        let parameters = endpoint.parameters
        let byName = Dictionary(parameters.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        return given.compactMap { value in
            guard let parameter = byName[value.name], let literal = value.value.literal,
                let complaint = parameter.complaint(about: literal)
            else { return nil }
            return Diagnostic(
                code: .typeMismatch, "the param \"\(value.name)\" \(complaint); found \(parameter.shown(literal))",
                at: value.value.place)
        }
    }

    /// Diagnostics for required params that are not given.
    func missing(at place: Place) -> [Diagnostic] {
        let names = Set(given.map(\.name))
        return endpoint.parameters.filter { $0.value.isRequired && !names.contains($0.name) }.map { parameter in
            Diagnostic(
                code: .parameterMissing, "\(endpoint.id) needs the param \"\(parameter.name)\"", at: place,
                hint: "give the param in \"with\"")
        }
    }
}
