import ReqcliBasics
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// Gives each request a group and a name in the group.
struct NamePass {
    /// The outermost group, without dots at its start and end; empty if there is no such group.
    let root: String
    /// The group for requests whose paths don't name a group.
    let fallback: String

    struct Placed {
        /// The index of the request.
        let index: Int
        let group: String
        let name: String

        init(index: Int, group: String, name: String) {
            (self.index, self.group, self.name) = (index, group, name)
        }

        init(index: Int, id: String) {
            let parts = id.split(separator: ".").map(String.init)
            self.init(index: index, group: parts.dropLast().joined(separator: "."), name: parts.last ?? id)
        }

        var id: String { group.isEmpty ? name : "\(group).\(name)" }
    }

    func placed(_ requests: [ImportedRequest]) -> [Placed] {
        let stated = stated(requests)
        var groups: [String: [Int]] = [:]
        var order: [String] = []
        for (index, request) in requests.enumerated() {
            let group = stated[index]?.group ?? group(of: request)
            if groups[group] == nil { order.append(group) }
            groups[group, default: []].append(index)
        }
        let names = order.map { group in
            let indices = groups[group] ?? []
            let named = indices.compactMap { index in stated[index].map { (index: index, name: $0.name) } }
            return named.count == indices.count ? named : self.names(of: indices, in: group, requests)
        }
        return zip(order, names).flatMap { group, names in
            names.map { Placed(index: $0.index, group: group, name: $0.name) }
        }
    }

    // MARK: Groups

    /// The groups and names from the ids that the source states, by the indices of the requests. An id that occurs twice, or that
    /// is also a group, is ignored.
    private func stated(_ requests: [ImportedRequest]) -> [Int: Placed] {
        var placed: [Int: Placed] = [:]
        var groups: Set<String> = []
        for (index, request) in requests.enumerated() {
            guard let id = request.id, Name.isValidID(id) else { continue }
            let parts = id.split(separator: ".").map(String.init)
            let group = ([root].filter { !$0.isEmpty } + parts.dropLast()).joined(separator: ".")
            placed[index] = Placed(index: index, group: group, name: parts.last ?? id)
            groups.insert(group)
        }
        let ids = Dictionary(grouping: placed.values, by: \.id).mapValues(\.count)
        return placed.filter { !groups.contains($0.value.id) && ids[$0.value.id] == 1 }
    }

    private func group(of request: ImportedRequest) -> String {
        var parts = request.folders.map { Words.kebab($0) }
        if parts.allSatisfy(\.isEmpty), let tag = request.tags.first(where: { $0 != "deprecated" }) {
            parts = [Words.kebab(tag)]
        }
        if parts.allSatisfy(\.isEmpty) { parts = [Words.kebab(Self.plain(Self.subject(of: request.path) ?? ""))] }
        parts = parts.filter { !$0.isEmpty }.map { String($0.prefix(Self.longest)) }
        if parts.isEmpty { return root.isEmpty ? fallback : root }
        if !root.isEmpty, parts != [root] { parts.insert(root, at: 0) }
        return parts.joined(separator: ".")
    }

    /// The first segment of a path that tells the purpose of the request.
    private static func subject(of path: String) -> String? {
        segments(of: path).first { !SegmentKind.isGeneral($0) && !SegmentKind.isValue($0) && !$0.contains("{{") }
    }

    /// The segments of a path. A name needs only the beginning of a long segment.
    private static func segments(of path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0.prefix(longest * 4), as: UTF8.self) }
    }

    /// A segment, decoded and without the extension of a program or a format: `users` for `users.php`.
    private static func plain(_ segment: String) -> String {
        let segment = PercentEncoding.decoded(segment)
        let parts = segment.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let last = parts.last, !parts[0].isEmpty, extensions.contains(last.lowercased()) else {
            return segment
        }
        return String(parts[0])
    }

    private static let extensions: Set = [
        "php", "asp", "aspx", "ashx", "asmx", "jsp", "do", "cgi", "py", "json", "xml", "html", "htm",
    ]

    // MARK: Names

    static let longest = 60

    /// The names in a group, each name once. If several requests would get the same name, all of them get longer names.
    private func names(
        of indices: [Int], in group: String, _ requests: [ImportedRequest]
    ) -> [(index: Int, name: String)] {
        let candidates = indices.map { Self.candidates(for: requests[$0], in: group) }
        var levels = Array(repeating: 0, count: indices.count)
        func name(_ position: Int) -> String { candidates[position][min(levels[position], 3)] }
        for level in 1...3 {
            let byName = Dictionary(grouping: indices.indices.filter { levels[$0] == level - 1 }, by: name)
            for (_, clashing) in byName where clashing.count > 1 {
                for position in clashing { levels[position] = level }
            }
        }
        // Names that still clash are numbered, in an order that doesn't depend on the order of the source.
        var names = UniqueNames()
        var result = Array(repeating: "", count: indices.count)
        let ordered = indices.indices.sorted {
            let (one, other) = (requests[indices[$0]], requests[indices[$1]])
            return (levels[$0], one.method, one.path, indices[$0]) < (levels[$1], other.method, other.path, indices[$1])
        }
        for position in ordered { result[position] = names.take(name(position)) }
        return zip(indices, result).map { (index: $0, name: $1) }
    }

    /// A short name, the full name, the name that is made from the path, and this name with values of the query.
    private static func candidates(for request: ImportedRequest, in group: String) -> [String] {
        let path = pathName(of: request, in: group)
        let full = Words.of(request.key ?? request.name ?? "")
        // A name such as `1` is too short to be useful: a name needs a letter.
        guard full.contains(where: { $0.utf8.contains { $0 > 0x39 } }) else {
            return [shortPathName(of: request, in: group), path, path, queryName(of: request, path)]
        }
        let groupWords = group.split(separator: ".").last.map { Words.of($0) } ?? []
        // The short name lacks words of the group: "Create an order" in the group `orders` becomes `create`.
        let short = full.filter { word in
            !["a", "an", "the"].contains(word) && !groupWords.contains { Words.areAlike($0, word) }
        }
        let names = [short.isEmpty ? full : short, full].map { cut($0.joined(separator: "-")) }
        return names + [path, queryName(of: request, path)]
    }

    /// The name with the words of the query, which tell requests apart that have the same path: `?action=login`.
    private static func queryName(of request: ImportedRequest, _ name: String) -> String {
        guard case .items(let items) = request.query else { return name }
        let words = items.prefix(3).flatMap { item -> [String] in
            guard case .string(let value) = item.value, !value.contains("{{"), !LikelySecret.isSecret(item.name, value),
                value.utf8.count <= 30
            else { return [] }
            return Words.of(value)
        }
        return cut(([name] + words).joined(separator: "-"))
    }

    /// A verb such as `list`, `get` or `create`, with the segments after the segment that names the group.
    private static func shortPathName(of request: ImportedRequest, in group: String) -> String {
        cut(([verb(of: request)] + words(of: request, in: group, withValues: false)).joined(separator: "-"))
    }

    private static func pathName(of request: ImportedRequest, in group: String) -> String {
        cut(([verb(of: request)] + words(of: request, in: group, withValues: true)).joined(separator: "-"))
    }

    private static func words(of request: ImportedRequest, in group: String, withValues: Bool) -> [String] {
        let all = segments(of: request.path).filter { !SegmentKind.isGeneral($0) }
        let last = group.split(separator: ".").last.map(String.init) ?? ""
        let own = all.firstIndex { Words.kebab(plain($0)) == last }.map { Array(all[($0 + 1)...]) } ?? all
        return own.flatMap { segment -> [String] in
            let isValue = segment.contains("{{") || SegmentKind.isValue(segment)
            if isValue { return withValues ? ["by"] + Words.of(segment) : [] }
            return Words.of(plain(segment))
        }
    }

    private static func verb(of request: ImportedRequest) -> String {
        switch request.method {
        case "GET":
            let last = segments(of: request.path).last ?? ""
            return last.contains("{{") || SegmentKind.isValue(last) ? "get" : "list"
        case "POST": return "create"
        case "PUT": return "replace"
        case "PATCH": return "update"
        default: return Words.kebab(request.method)
        }
    }

    private static func cut(_ name: String) -> String {
        guard name.utf8.count > longest else { return name }
        let words = name.split(separator: "-")
        var short = ""
        for word in words where short.utf8.count + word.utf8.count < longest {
            short += short.isEmpty ? word : "-" + word
        }
        return short.isEmpty ? String(name.prefix(longest)) : short
    }
}
