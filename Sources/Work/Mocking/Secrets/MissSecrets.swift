import ReqcliAssembly
import ReqcliDefinitions

/// Finds the secrets in requests that fit no endpoint. A part of a request is a secret if it would be secret for an endpoint that
/// the request nearly fits.
final class MissSecrets: Sendable {
    private let router: Router
    /// The API keys of all endpoints, and the names that only secret params have; nil if there are no such keys and names.
    private let fields: SecretFields?
    private let segments: Set<Segment>
    /// The endpoint that responds to requests for which there is no other endpoint.
    private let last: RequestPattern?

    /// A place in the paths of endpoints that holds a secret.
    private struct Segment: Hashable {
        /// The nearest literal segment before the secret; nil if there is none.
        let literal: String?
        /// The number of segments from the literal to the secret or, without a literal, from the start of the path.
        let distance: Int

        /// The numbers of the segments of a request that may hold the secret.
        func numbers(in segments: [String]) -> [Int] {
            guard let literal else { return segments.indices.contains(distance) ? [distance] : [] }
            return segments.indices.dropFirst(distance).filter {
                let text = segments[$0 - distance]
                return text == literal || literal.isNear(text)
            }
        }
    }

    /// Collects the places of secrets.
    ///
    /// - Parameter last: The endpoint that responds to requests for which there is no other endpoint.
    init(_ router: Router, last: LocatedEndpoint?) {
        self.router = router
        var keys: Set<SecretFields.APIKey> = []
        var (names, others): (Set<String>, Set<String>) = ([], [])
        var segments: Set<Segment> = []
        func add(_ endpoint: LocatedEndpoint, _ environment: EnvironmentChain) {
            keys.formUnion(endpoint.apiKeys(in: environment))
            let parameters = endpoint.parameters
            for index in parameters.indices {
                if parameters[index].value.isSecret {
                    names.insert(parameters[index].name)
                } else {
                    others.insert(parameters[index].name)
                }
            }
        }
        for pattern in router.patterns {
            add(pattern.endpoint, pattern.maker.calls.environment)
            segments.formUnion(Self.segments(of: pattern))
        }
        if let last, let pattern = router.patterns.first { add(last, pattern.maker.calls.environment) }
        self.last = last.flatMap { last in router.patterns.first { $0.endpoint.id == last.id } }
        names.subtract(others)
        self.segments = segments
        fields = keys.isEmpty && names.isEmpty && segments.isEmpty ? nil : SecretFields(keys: keys, names: names)
    }

    private static func segments(of pattern: RequestPattern) -> [Segment] {
        var found: [Segment] = []
        var literal: Int?
        for (index, segment) in pattern.segments.enumerated() {
            if segment.text.literal != nil {
                literal = index
            } else if segment.text.gaps.contains(where: { pattern.endpoint.isSecret($0, pattern.maker.calls) }) {
                found.append(
                    Segment(
                        literal: literal.flatMap { pattern.segments[$0].text.literal }, distance: index - (literal ?? 0)
                    ))
            }
        }
        return found
    }

    /// Hides the secrets in a request; nil if it can't have any.
    func mask(of request: IncomingRequest) -> RequestMask? {
        var secrets = SecretCollector(request)
        // Also looks for the secrets of endpoints that have this path but other methods.
        for route in router.routes(of: request) { secrets.read(route.pattern, route.segments) }
        if let fields { secrets.read(fields) }
        for segment in segments {
            for index in segment.numbers(in: request.segments) { secrets.addSegment(index) }
        }
        if let last { secrets.read(last, []) }
        return secrets.mask
    }
}
