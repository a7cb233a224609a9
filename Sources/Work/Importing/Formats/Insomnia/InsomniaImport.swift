package import ReqcliDefinitions
package import ReqcliText

/// Collections of Insomnia: exports in the format v4 (JSON) and files in the format v5 (YAML).
package enum InsomniaImport: ImportFormat {
    package static let name = "insomnia"
    package static let summary = "collections of Insomnia (v4 and v5)"

    package static func looksLike(_ file: SourceFile) -> Bool {
        if let root = SourceJSON.object(of: file) { return isExport(root) || isV5(root) }
        return SourceLine.lines(of: file, atMost: 200).contains {
            $0.begins(with: "type:") && $0.text.contains(".insomnia.rest/") || $0.begins(with: "__export_format:")
        }
    }

    private static func isExport(_ root: JSONValue) -> Bool {
        root["_type"]?.string == "export" && root["resources"]?.kind == .array
    }

    private static func isV5(_ root: JSONValue) -> Bool { root["type"]?.string?.contains(".insomnia.rest/") == true }

    package static func read(
        _ source: ImportSource, _ options: ImportOptions, _ notes: inout [ConversionNote]
    ) throws(ImportProblem) -> ImportedAPI {
        var nodes: [InsomniaNode] = []
        for file in source.files where source.files.count == 1 || looksLike(file) {
            let root = try SourceJSON.rootOfYAML(file)
            if isExport(root) {
                nodes += try InsomniaNode.workspaces(of: root)
            } else if isV5(root) {
                nodes.append(InsomniaNode(v5: root))
            } else {
                throw ImportProblem(
                    "expected an export of Insomnia", at: root.place,
                    hint: "export the collection as \"Insomnia v5\" or \"Insomnia v4 (JSON)\"", isUsage: true)
            }
        }
        var reader = InsomniaReader(options)
        for node in nodes { reader.addVariables(of: node) }
        let collections = nodes.filter { !$0.children.isEmpty }
        for node in collections { try reader.read(node, isOnly: collections.count == 1) }
        let (api, found) = reader.finished()
        notes += found
        return api
    }
}

/// A workspace, a folder or a request of Insomnia, in either format.
struct InsomniaNode {
    let value: JSONValue
    private(set) var children: [InsomniaNode] = []
    /// The types of the resources that aren't requests, in the format v4: environments, tests, a description of the API.
    private(set) var others: [JSONValue] = []

    private init(_ value: JSONValue) { self.value = value }

    // MARK: v5

    init(v5 value: JSONValue) {
        self.value = value
        children =
            (value.list("collection") + value.list("children")).filter { $0.kind == .object }
            .map { InsomniaNode(v5: $0) }.inOrder
    }

    /// The base environment, and the environments that extend it.
    var environments: (base: [JSONValue], others: [JSONValue]) {
        if let base = value["environments"] { return ([base], base.list("subEnvironments")) }
        let all = others.filter { $0["_type"]?.string == "environment" }
        let ids = Set(all.compactMap { $0["_id"]?.string })
        let isBase = { (one: JSONValue) in !ids.contains(one["parentId"]?.string ?? "") }
        return (all.filter(isBase), all.filter { !isBase($0) })
    }

    // MARK: v4

    /// The deepest nesting of folders.
    private static let deepest = 500

    /// The workspaces of an export, in which each resource names its parent.
    static func workspaces(of export: JSONValue) throws(ImportProblem) -> [InsomniaNode] {
        let items = export.list("resources").filter { $0.kind == .object }
        let ids = Set(items.compactMap { $0["_id"]?.string })
        let isRoot = { (item: JSONValue) in
            !ids.contains(item["parentId"]?.string ?? "") || item["_type"]?.string == "workspace"
        }
        var children = Dictionary(grouping: items.filter { !isRoot($0) }) { $0["parentId"]?.string ?? "" }
        var workspaces: [InsomniaNode] = []
        // Resources without a workspace, for example in a part of an export.
        var rest = InsomniaNode(export)
        for item in items where isRoot(item) {
            let node = try node(item, &children, 0)
            if item["_type"]?.string == "workspace" { workspaces.append(node) } else { rest.add(node) }
        }
        // Folders that contain each other belong to no workspace.
        for item in items where children[item["parentId"]?.string ?? ""] != nil && !isRoot(item) {
            rest.add(try node(item, &children, 0))
        }
        rest.children = rest.children.inOrder
        return workspaces + (rest.children.isEmpty && rest.others.isEmpty ? [] : [rest])
    }

    /// Takes each resource out of the list of its parent, so that no resource is read twice.
    private static func node(
        _ value: JSONValue, _ children: inout [String: [JSONValue]], _ depth: Int
    ) throws(ImportProblem) -> InsomniaNode {
        guard depth < deepest else {
            throw ImportProblem("folders are nested more than \(deepest) levels deep", at: value.place)
        }
        var node = InsomniaNode(value)
        for child in value["_id"]?.string.flatMap({ children.removeValue(forKey: $0) }) ?? [] {
            node.add(try Self.node(child, &children, depth + 1))
        }
        node.children = node.children.inOrder
        return node
    }

    private mutating func add(_ node: InsomniaNode) {
        let type = node.value["_type"]?.string ?? ""
        if type == "request_group" || type == "request" || type.hasSuffix("_request") {
            children.append(node)
        } else {
            others += [node.value] + node.others
        }
    }
}

extension [InsomniaNode] {
    /// The nodes in the order in which Insomnia shows them.
    fileprivate var inOrder: [InsomniaNode] {
        let keys = map { node in
            let key = node.value["metaSortKey"] ?? node.value["meta"]?["sortKey"]
            return key?.number.flatMap { Double($0.text) } ?? 0
        }
        return zip(keys, self).enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
            .map(\.element.1)
    }
}
