import ReqcliDefinitions
package import ReqcliText

/// The result of reading a request by the pattern of its endpoint: the values of the params, and all differences from the
/// pattern.
///
/// A class, because the engine passes it from function to function.
package final class RequestReading: Sendable {
    /// The values of the params, with their types. Invalid values are missing.
    package let parameters: ParameterValues
    /// The params whose values in the request are invalid, or missing although they are required.
    package let invalidParameters: Set<String>
    package let problems: [Problem]
    /// The number of the pattern's literals that the request has. Literals in the path don't count.
    package let literalsMet: Int
    package let literalsMissed: Int
    /// The body as JSON, if the endpoint takes JSON and the body is valid.
    package let json: JSONValue?
    /// Hides the secrets of the request; nil if its endpoint has no secrets. They are already hidden in the problems.
    let knownMask: RequestMask?

    /// The reading of a request that fits no endpoint.
    static let nothing = RequestReading(ParameterValues(), [], [], met: 0, missed: 0, nil)

    init(
        _ parameters: ParameterValues, _ invalidParameters: Set<String>, _ problems: [Problem], met: Int, missed: Int,
        _ json: JSONValue?, _ mask: RequestMask? = nil
    ) {
        self.parameters = parameters
        self.invalidParameters = invalidParameters
        self.problems = problems
        literalsMet = met
        literalsMissed = missed
        self.json = json
        knownMask = mask
    }

    /// The reading, with the request's secrets masked in its messages.
    fileprivate func hiding(_ mask: RequestMask) -> RequestReading {
        let problems = problems.map { Problem(message: mask.masking($0.message), place: $0.place) }
        return RequestReading(
            parameters, invalidParameters, problems, met: literalsMet, missed: literalsMissed, json, mask)
    }

    /// One difference from what the endpoint describes.
    package struct Problem: Sendable {
        package let message: Wording
        /// The place in the endpoint's file.
        package let place: Place?
    }
}

extension RequestPattern {
    /// Reads a request whose path fits a route.
    func read(_ request: IncomingRequest, _ route: RouteTree.Route, _ schemas: SchemaStore) -> RequestReading {
        let plain = route.plain.value ?? route.plain.keep(PlainRoute(self, route))
        if let reading = plain.reading(of: request, schemas) { return reading }
        var comparison = RequestComparison(pattern: self, schemas: schemas)
        // Segments without gaps were already compared by the route.
        for (segment, text) in zip(route.segments, request.segments) where segment.literal == nil {
            comparison.read(text, segment, allowsEmpty: false)
        }
        comparison.readItems(query, request.query, kind: "query item")
        comparison.readHeaders(request)
        comparison.readBody(request)
        let reading = comparison.finish(isCut: request.isCut)
        if secretFields == nil { return reading }
        var secrets = SecretCollector(request)
        secrets.read(self, route.segments, reading)
        return secrets.mask.map(reading.hiding) ?? reading
    }
}
