import ReqcliJSONSchema
import ReqcliText

/// Finds the operation of a request by its method and path.
struct OperationFinder: Sendable {
    private struct Entry: Sendable {
        let operation: Int
        let pattern: PathPattern
        /// True if the pattern includes the path of a server, or if a server has no path.
        let isBelowServer: Bool
    }

    /// A node in a tree of path segments: the segments that may follow, and the patterns that end at this node.
    private struct Branch: Sendable {
        var literals: [String: Int] = [:]
        var parameters: [PathPattern.Segment: Int] = [:]
        /// The patterns that end at this node.
        var entries: [Int] = []
    }

    /// The entries of each method.
    private var entries: [String: [Entry]] = [:]
    /// The root of the tree for each method, as an index in `branches`.
    private var starts: [String: Int] = [:]
    private var branches: [Branch] = []

    init(_ outlines: [OpenAPIOutline], in document: OpenAPIDocument) {
        let shared = Self.bases(document.root["servers"])
        for (index, outline) in outlines.enumerated() {
            let bases = outline.servers == nil ? shared : Self.bases(outline.servers)
            // If a server has no path, the paths of the description are complete paths.
            let isWhole = bases.isEmpty || bases.contains("")
            add(Entry(operation: index, pattern: PathPattern(outline.path), isBelowServer: isWhole), outline.method)
            for base in bases where !base.isEmpty {
                let pattern = PathPattern(base + outline.path)
                add(Entry(operation: index, pattern: pattern, isBelowServer: true), outline.method)
            }
        }
    }

    private mutating func add(_ entry: Entry, _ method: String) {
        var branch = starts[method] ?? newBranch()
        starts[method] = branch
        for segment in entry.pattern.segments {
            let known = segment.literal.map { branches[branch].literals[$0] } ?? branches[branch].parameters[segment]
            let next = known ?? newBranch()
            if let literal = segment.literal {
                branches[branch].literals[literal] = next
            } else {
                branches[branch].parameters[segment] = next
            }
            branch = next
        }
        branches[branch].entries.append(entries[method, default: []].count)
        entries[method, default: []].append(entry)
    }

    private mutating func newBranch() -> Int {
        branches.append(Branch())
        return branches.count - 1
    }

    /// The operations that match best. There are several if the description doesn't distinguish them.
    ///
    /// - Parameter path: The path of the URL, percent-encoded. Patterns that include a server's path are preferred. Other
    ///   patterns match, too, because a test server may lack that path.
    func operations(_ method: String, _ path: String) -> [Int] {
        guard let start = starts[method], let entries = entries[method] else { return [] }
        var open = [start]
        for segment in PathPattern.split(path[...]).map(\.percentDecoded) where !open.isEmpty {
            open = open.flatMap { index -> [Int] in
                let branch = branches[index]
                return [branch.literals[segment]].compactMap(\.self)
                    + branch.parameters.filter { $0.key.matches(segment) }.map(\.value)
            }
        }
        let all = open.flatMap { branches[$0].entries }.map { entries[$0] }
        let below = all.filter(\.isBelowServer)
        let candidates = (below.isEmpty ? all : below).map { ($0.operation, $0.pattern.looseness) }
        let best = candidates.map(\.1).min { $0.lexicographicallyPrecedes($1) }
        return Set(candidates.filter { $0.1 == best }.map(\.0)).sorted()
    }

    /// The operations that a request could mean, if only a part of its path is known.
    ///
    /// - Parameters:
    ///   - path: The segments; nil for a segment that is not known.
    ///   - isWhole: Whether these are all segments of the path. If false, other segments may precede them.
    func candidates(_ method: String, _ path: [String?], isWhole: Bool) -> [Int] {
        let all = entries[method]?.filter { $0.pattern.couldMatch(path, isWhole: isWhole) } ?? []
        return Set(all.map(\.operation)).sorted()
    }

    /// The operations that differ least from a request. At most half of the segments may differ, and the method may differ, too.
    func near(_ method: String, _ path: [String?]) -> [Int] {
        var best: [Int: Int] = [:]
        for (other, list) in entries {
            for entry in list {
                let distance = entry.pattern.distance(to: path) * 2 + (other == method ? 0 : 1)
                best[entry.operation] = min(distance, best[entry.operation] ?? .max)
            }
        }
        let ranked = best.filter { $0.value <= max(2, path.count) }.map { ($0.value, $0.key) }.sorted { $0 < $1 }
        return ranked.prefix(3).map(\.1)
    }

    // MARK: Servers

    /// The maximum number of paths to which the variables of one server may be expanded.
    private static let mostPaths = 64

    /// The paths of servers, without the slash at the end.
    private static func bases(_ servers: JSONValue?) -> Set<String> {
        var bases: Set<String> = []
        for server in servers?.elementList ?? [] {
            guard let url = server["url"]?.string else { continue }
            for path in paths(of: url, server["variables"]) {
                bases.insert(path.hasSuffix("/") ? String(path.dropLast()) : path)
            }
        }
        return bases
    }

    /// The paths of a URL for all values that its variables may have. A variable that may have any value becomes a parameter.
    private static func paths(of url: String, _ variables: JSONValue?) -> [String] {
        var rest = url.prefix { $0 != "?" && $0 != "#" }
        if let range = rest.firstRange(of: "://") {
            rest = rest[range.upperBound...].drop { $0 != "/" }
        } else if rest.hasPrefix("//") || rest.hasPrefix("{") {
            // A variable at the beginning contains the scheme and the host.
            rest = rest.drop { $0 == "/" }.drop { $0 != "/" }
        }
        var paths = [""]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: open)..<close])
            let variable = variables?[name]
            var values = variable?["enum"]?.elements.compactMap(\.string) ?? []
            if values.isEmpty, let value = variable?["default"]?.string, value.contains("/") { values = [value] }
            if values.isEmpty || values.count * paths.count > mostPaths { values = ["{\(name)}"] }
            paths = paths.flatMap { path in values.map { path + rest[..<open] + $0 } }
            rest = rest[rest.index(after: close)...]
        }
        return paths.map { $0 + rest }.map { $0.isEmpty || $0.hasPrefix("/") ? $0 : "/" + $0 }
    }
}
