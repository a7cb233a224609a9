import Assembly
package import Definitions
import SourceText

/// Finds the endpoint that a request is for.
package struct Router: Sendable {
    package let patterns: [RequestPattern]
    private let tree: RouteTree
    private let schemas: SchemaStore

    /// The endpoint of a request, or why there is none.
    package enum Result: Sendable {
        case found(RequestPattern, RequestReading)
        /// There are endpoints with this path, for other methods.
        case otherMethods([String])
        case nothing
        /// The path has a segment `.` or `..`, which clients remove before they send it.
        case dotSegment
    }

    package init(_ patterns: [RequestPattern], _ schemas: SchemaStore) {
        self.patterns = patterns
        self.schemas = schemas
        tree = RouteTree(patterns)
    }

    /// - Parameter host: The host and port that the request is for, in lowercase.
    package func route(_ request: IncomingRequest, host: String?) -> Result {
        if request.segments.contains(where: { $0 == "." || $0 == ".." }) { return .dotSegment }
        var found: (RequestPattern, RequestReading)?
        var others: [String] = []
        tree.walk(request.segments) { routes in
            found = best(routes, request.method, host, request)
            if found == nil, request.method == "HEAD" { found = best(routes, "GET", host, request) }
            if found != nil { return true }
            others += routes.map { patterns[$0.pattern] }.filter { $0.isFor(host) }.map(\.method)
            return false
        }
        if let found { return .found(found.0, found.1) }
        if others.isEmpty { return .nothing }
        var allowed = Set(others).union(["OPTIONS"])
        if allowed.contains("GET") { allowed.insert("HEAD") }
        return .otherMethods(allowed.sorted())
    }

    /// The endpoints that a request may be for, whatever its body is; nil if it can't be for any because of its path.
    func candidates(for request: IncomingRequest, host: String?) -> [LocatedEndpoint]? {
        if request.segments.contains(where: { $0 == "." || $0 == ".." }) { return nil }
        var found: [LocatedEndpoint] = []
        let methods = request.method == "HEAD" ? ["HEAD", "GET"] : [request.method]
        tree.walk(request.segments) { routes in
            let fitting = routes.map { patterns[$0.pattern] }
            found = fitting.filter { methods.contains($0.method) && $0.isFor(host) }.map(\.endpoint)
            return !found.isEmpty
        }
        return found
    }

    /// Calls a function with each route that has the path of a request, for whatever method or host.
    func forEachRoute(of request: IncomingRequest, _ body: (RequestPattern, [TextPattern]) -> Void) {
        tree.walk(request.segments) { routes in
            for route in routes { body(patterns[route.pattern], route.segments) }
            return false
        }
    }

    /// Of routes of one shape the one that has more of its other literals in the request, then fewer that the request lacks, then
    /// params that take the values, then the one that stands first in the files.
    private func best(
        _ routes: [RouteTree.Route], _ method: String, _ host: String?, _ request: IncomingRequest
    ) -> (RequestPattern, RequestReading)? {
        var best: (pattern: RequestPattern, reading: RequestReading)?
        for route in routes {
            let pattern = patterns[route.pattern]
            guard pattern.method == method, pattern.isFor(host) else { continue }
            let reading = pattern.read(request, route.segments, schemas)
            if let known = best, !reading.isBetter(than: known.reading) { continue }
            best = (pattern, reading)
        }
        return best
    }

    /// Pairs of endpoints that no request can tell apart; the first one responds.
    package var indistinguishable: [(first: LocatedEndpoint, second: LocatedEndpoint)] {
        var known: [String: LocatedEndpoint] = [:]
        var pairs: [(LocatedEndpoint, LocatedEndpoint)] = []
        // A signature takes long to make, and nearly all patterns have a path and a method of their own.
        var candidates: Set<Int> = []
        for routes in tree.sharedShapes {
            for same in Dictionary(grouping: routes, by: { patterns[$0.pattern].method }).values where same.count > 1 {
                candidates.formUnion(same.map(\.pattern))
            }
        }
        for pattern in candidates.sorted().map({ patterns[$0] }) {
            let signature = pattern.signature
            if let first = known[signature] {
                pairs.append((first, pattern.endpoint))
            } else {
                known[signature] = pattern.endpoint
            }
        }
        return pairs
    }
}

extension RequestReading {
    fileprivate func isBetter(than other: RequestReading) -> Bool {
        if literalsMet != other.literalsMet { return literalsMet > other.literalsMet }
        if literalsMissed != other.literalsMissed { return literalsMissed < other.literalsMissed }
        return problems.count < other.problems.count
    }
}

extension RequestPattern {
    fileprivate func isFor(_ host: String?) -> Bool { self.host == nil || self.host == host }

    /// Everything that a request shows of its endpoint, in one text.
    fileprivate var signature: String {
        func shown(_ text: TextPattern) -> String {
            text.pieces.map { piece in
                switch piece {
                case .literal(let text): text
                case .open(.parameter(let name)): "{\(endpoint.parameters[named: name]?.kind.rawValue ?? "")}"
                case .open: "{}"
                }
            }.joined()
        }
        func shown(_ items: [Item]) -> String {
            items.map { "\($0.name)=\($0.values.map(shown))" }.sorted().joined(separator: "&")
        }
        let path = segments.map { ($0.isOptional ? "?" : "") + shown($0.text) }.joined(separator: "/")
        let body =
            switch self.body {
            case .none: ""
            case .json(let value), .graphQL(let value): value.compact
            case .form(let items): shown(items)
            case .text(let text): shown(text)
            case .other(let type): type ?? "?"
            }
        return [method, host ?? "", path, shown(query), body].joined(separator: "\n")
    }
}
