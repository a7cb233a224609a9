import ReqcliAssembly
package import ReqcliDefinitions
import ReqcliText

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

    package func route(_ request: IncomingRequest) -> Result {
        if request.segments.contains(where: { $0 == "." || $0 == ".." }) { return .dotSegment }
        let shapes = tree.routes(for: request.segments)
        for routes in shapes {
            if let found = best(routes, request.method, request) { return found }
            if request.method == "HEAD", let found = best(routes, "GET", request) { return found }
        }
        let methods = shapes.joined().map { patterns[$0.pattern].method }
        return methods.isEmpty ? .nothing : .otherMethods(Self.allowed(methods))
    }

    /// The methods that any endpoint takes.
    var methods: [String] { Self.allowed(patterns.map(\.method)) }

    /// The value of the header `Allow` for endpoints with the given methods. It always includes `OPTIONS`, and with `GET` also
    /// `HEAD`.
    private static func allowed(_ methods: [String]) -> [String] {
        var allowed = Set(methods).union(["OPTIONS"])
        if allowed.contains("GET") { allowed.insert("HEAD") }
        return allowed.sorted()
    }

    /// The endpoints that a request may be for, independently of its body; nil if the path can't belong to any endpoint.
    func candidates(for request: IncomingRequest) -> [LocatedEndpoint]? {
        if request.segments.contains(where: { $0 == "." || $0 == ".." }) { return nil }
        let methods = request.method == "HEAD" ? ["HEAD", "GET"] : [request.method]
        for routes in tree.routes(for: request.segments) {
            let fitting = routes.map { patterns[$0.pattern] }
            let found = fitting.filter { methods.contains($0.method) }.map(\.endpoint)
            if !found.isEmpty { return found }
        }
        return []
    }

    /// The routes that fit the path of a request, for any method and host.
    func routes(of request: IncomingRequest) -> [(pattern: RequestPattern, segments: [TextPattern])] {
        tree.routes(for: request.segments).joined().map { (patterns[$0.pattern], $0.segments) }
    }

    /// The best of several routes of one shape. These rules decide, in this order:
    ///
    /// 1. A route for the request's host is better than a route without a host. A route without a host is better than a route for
    ///    another host.
    /// 2. More of the route's literals outside the path are in the request.
    /// 3. Fewer of these literals are missing.
    /// 4. The request has fewer problems.
    /// 5. The route is earlier in the files.
    ///
    /// A route for another host can still be used, because clients send the requests for that host to this server.
    private func best(_ routes: [RouteTree.Route], _ method: String, _ request: IncomingRequest) -> Result? {
        var best: (pattern: RequestPattern, reading: RequestReading)?
        for route in routes {
            let pattern = patterns[route.pattern]
            guard pattern.method == method else { continue }
            let reading = pattern.read(request, route, schemas)
            if let known = best {
                let (rank, knownRank) = (pattern.hostRank(request), known.pattern.hostRank(request))
                if rank < knownRank || rank == knownRank && !reading.isBetter(than: known.reading) { continue }
            }
            best = (pattern, reading)
        }
        return best.map { .found($0.pattern, $0.reading) }
    }

    /// Pairs of endpoints that no request can tell apart; the first one responds.
    package var indistinguishable: [(first: LocatedEndpoint, second: LocatedEndpoint)] {
        var known: [String: LocatedEndpoint] = [:]
        var pairs: [(LocatedEndpoint, LocatedEndpoint)] = []
        // Making a signature takes long, and nearly all patterns have a unique path and method, so only the others are
        // compared.
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
    /// A rank for how well the host of a request fits the pattern; higher is better.
    fileprivate func hostRank(_ request: IncomingRequest) -> Int {
        guard let own = self.host else { return 1 }
        guard let host = request.host else { return 0 }
        if own == host { return 3 }
        // The port may differ, because the client may have used the port of this server.
        return own.withoutPort == host.withoutPort ? 2 : 0
    }

    /// Everything by which a request can be recognised as one of this endpoint, in one string. Equal signatures mean that no
    /// request can tell the endpoints apart.
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
            case .form(let items), .multipart(let items): shown(items)
            case .text(let text): shown(text)
            case .other(let type): type ?? "?"
            }
        return [method, host ?? "", path, shown(query), body].joined(separator: "\n")
    }
}

extension String {
    /// The host of an authority, without the port.
    fileprivate var withoutPort: Substring {
        guard let mark = lastIndex(of: ":"), self[mark...].dropFirst().allSatisfy(\.isNumber) else { return self[...] }
        return self[..<mark]
    }
}
