import ReqcliAssembly
package import ReqcliDefinitions
package import ReqcliText

/// An endpoint that a request nearly fits, with the first thing that differs.
package struct NearMiss: Sendable {
    package let endpoint: LocatedEndpoint
    package let method: String
    /// The whole path, with `{{name}}` for each param, as in endpoint files.
    package let path: String
    package let difference: Wording
    /// Whether the request only lacks the beginning of the path, such as the base path `/v1`.
    package let lacksOnlyBase: Bool

    /// The question whether this endpoint was meant, if the request only lacks the beginning of the path.
    var question: Wording? { lacksOnlyBase ? "did you mean \(own: "\(method) \(path)")?" : nil }
}

extension Router {
    /// The endpoints that a request nearly fits, the nearest first. This function looks at all endpoints, so it is used only for
    /// requests that fit none.
    ///
    /// - Parameter mask: Hides the secrets of the request.
    package func nearest(
        to request: IncomingRequest, atMost count: Int = 3, hiding mask: RequestMask = .none
    ) -> [NearMiss] {
        let scored = patterns.compactMap { pattern in pattern.nearness(to: request).map { (pattern, $0) } }
        return scored.sorted { $0.1.score > $1.1.score }.prefix(count).map { pattern, nearness in
            NearMiss(
                endpoint: pattern.endpoint, method: pattern.method, path: pattern.shownPath,
                difference: mask.masking(nearness.difference), lacksOnlyBase: nearness.lacksOnlyBase)
        }
    }
}

extension RequestPattern {
    /// The whole path, with `{{name}}` for each param.
    var shownPath: String { segments.map { "/" + shown($0.text) }.joined() }

    fileprivate typealias Nearness = (score: Int, difference: Wording, lacksOnlyBase: Bool)

    /// The number of parts that a request shares with the pattern, and the first difference; nil if the paths share no literal.
    fileprivate func nearness(to request: IncomingRequest) -> Nearness? {
        nearnessBelowBase(to: request) ?? nearnessFromRoot(to: request)
    }

    /// The nearness of a request that has the whole path except for its first segments; nil for other requests.
    private func nearnessBelowBase(to request: IncomingRequest) -> Nearness? {
        let count = segments.count - request.segments.count
        let base = segments.prefix(max(count, 0)).compactMap(\.text.literal)
        guard count > 0, base.count == count else { return nil }
        let rest = zip(segments.dropFirst(count).map(\.text), request.segments)
        guard rest.allSatisfy({ $0.values(in: $1) != nil }), rest.contains(where: { $0.0.weight > 0 }) else {
            return nil
        }
        let score = rest.reduce(0) { $0 + ($1.0.literal == nil ? 2 : 3) }
        if method == request.method || method == "GET" && request.method == "HEAD" {
            return (score + 1, "the path lacks \(own: "/" + base.joined(separator: "/")) at its start", true)
        }
        return (score, "the method is \(request.method), not \(own: method)", false)
    }

    private func nearnessFromRoot(to request: IncomingRequest) -> Nearness? {
        var score = method == request.method ? 1 : 0
        var difference: Wording? =
            method == request.method ? nil : "the method is \(request.method), not \(own: method)"
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
                let expected: Wording? = segment.text.literal.map { "is \(text.quoted), not \(own: $0.quoted)" }
                difference = difference ?? "the segment \(expected ?? "\(text.quoted) does not match")"
            }
        }
        score -= abs(segments.count - request.segments.count)
        if segments.count != request.segments.count {
            difference = difference ?? "the path has \(request.segments.count) segments, not \(segments.count)"
        }
        guard sharesLiteral, let difference else { return nil }
        return (score, difference, false)
    }
}

extension String {
    /// Whether the strings differ only in case or in a few bytes: at most two, or one in strings of two or three bytes.
    func isNear(_ other: String) -> Bool {
        if lowercased() == other.lowercased() { return true }
        let most = utf8.count > 3 ? 2 : utf8.count > 1 ? 1 : 0
        guard abs(utf8.count - other.utf8.count) <= most else { return false }
        return commonEnds(with: other) + most >= max(utf8.count, other.utf8.count)
    }

    /// The number of bytes that both texts share at their beginnings and ends.
    private func commonEnds(with other: String) -> Int {
        let start = zip(utf8, other.utf8).prefix { $0 == $1 }.count
        let end = zip(utf8.reversed(), other.utf8.reversed()).prefix { $0 == $1 }.count
        return Swift.min(start + end, utf8.count, other.utf8.count)
    }
}
