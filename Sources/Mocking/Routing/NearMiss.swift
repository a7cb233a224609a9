import Assembly
package import Definitions

/// An endpoint that a request nearly fits, with the first thing that differs.
package struct NearMiss: Sendable {
    package let endpoint: LocatedEndpoint
    package let method: String
    /// The path as the file has it, below the base path.
    package let path: String
    package let difference: String
}

extension Router {
    /// The endpoints that a request nearly fits, the nearest first. This looks at all endpoints, so it is for misses only.
    ///
    /// - Parameter secrets: What is secret in the request.
    package func nearest(
        to request: IncomingRequest, atMost count: Int = 3, hiding secrets: RequestSecrets? = nil
    ) -> [NearMiss] {
        let scored = patterns.compactMap { pattern in pattern.nearness(to: request).map { (pattern, $0) } }
        return scored.sorted { $0.1.score > $1.1.score }.prefix(count).map { pattern, nearness in
            NearMiss(
                endpoint: pattern.endpoint, method: pattern.method,
                path: pattern.endpoint.path(in: pattern.environment),
                difference: secrets?.masking(nearness.difference) ?? nearness.difference)
        }
    }
}

/// A place in the paths of endpoints that holds a secret.
struct SecretSegment: Hashable {
    /// The literal segment before it; nil if there is none.
    let literal: String?
    /// The number of segments from the literal to it, else from the start of the path.
    let distance: Int

    /// The places of a secret in a path.
    static func all(in segments: [TextPattern], isSecret: (OpenValue) -> Bool) -> [SecretSegment] {
        segments.indices.filter { segments[$0].literal == nil && segments[$0].gaps.contains(where: isSecret) }.map {
            index in
            let before = segments[..<index].lastIndex { $0.literal != nil }
            return SecretSegment(literal: before.flatMap { segments[$0].literal }, distance: index - (before ?? 0))
        }
    }

    /// The numbers of the segments of a request that may hold the secret.
    func numbers(in segments: [String]) -> [Int] {
        guard let literal else { return segments.indices.contains(distance) ? [distance] : [] }
        return segments.indices.dropFirst(distance).filter {
            let text = segments[$0 - distance]
            return text == literal || literal.isNear(text)
        }
    }
}

extension Router {
    /// What is secret in a request that fits no endpoint, as far as it fits one; nil if nothing can be.
    func secrets(inMiss request: IncomingRequest) -> RequestSecrets? {
        var secrets = SecretCollector(request)
        // Endpoints for other methods.
        for route in tree.routes(for: request.segments).joined() {
            secrets.read(patterns[route.pattern], route.segments)
        }
        if let commonSecrets { secrets.read(commonSecrets) }
        for segment in secretSegments {
            for index in segment.numbers(in: request.segments) { secrets.addSegment(index) }
        }
        return secrets.secrets
    }
}

extension RequestPattern {
    /// How many parts of the path a request shares, and the first difference; nil for a path that shares nothing but gaps.
    fileprivate func nearness(to request: IncomingRequest) -> (score: Int, difference: String)? {
        var score = method == request.method ? 1 : 0
        var difference = method == request.method ? nil : "the method is \(request.method), not \(method)"
        var sharesLiteral = false
        for (segment, text) in zip(segments, request.segments) {
            if segment.text.values(in: text) != nil {
                score += segment.text.literal == nil ? 2 : 3
                if segment.text.weight > 0 { sharesLiteral = true }
            } else {
                if segment.text.literal.map({ $0.isNear(text) }) == true {
                    score += 2
                    sharesLiteral = true
                }
                let expected = segment.text.literal.map { "is \(text.quoted), not \($0.quoted)" }
                difference = difference ?? "the segment \(expected ?? "\(text.quoted) doesn't fit")"
            }
        }
        score -= abs(segments.count - request.segments.count)
        if segments.count != request.segments.count {
            difference = difference ?? "the path has \(request.segments.count) segments, not \(segments.count)"
        }
        guard sharesLiteral, let difference else { return nil }
        return (score, difference)
    }
}

extension String {
    /// Whether the texts differ in case, or in two bytes at most.
    fileprivate func isNear(_ other: String) -> Bool {
        lowercased() == other.lowercased()
            || (utf8.count > 3 && abs(utf8.count - other.utf8.count) < 3
                && (hasPrefix(other) || other.hasPrefix(self)
                    || commonEnds(with: other) + 2 >= max(utf8.count, other.utf8.count)))
    }

    /// The number of bytes that both texts share at their beginnings and ends.
    private func commonEnds(with other: String) -> Int {
        let start = zip(utf8, other.utf8).prefix { $0 == $1 }.count
        let end = zip(utf8.reversed(), other.utf8.reversed()).prefix { $0 == $1 }.count
        return Swift.min(start + end, utf8.count, other.utf8.count)
    }
}
