package import ReqcliText

/// The part of the file format for a place of a file: the keys, words and names that it accepts.
package struct SchemaPlace: Sendable {
    /// The types of the value at the place; for a key, of the object that has the key.
    package let nodes: [SchemaNode]
    /// The key that the value belongs to; nil for names that the user chooses.
    package let field: FieldSchema?

    package init(_ kind: FormatSchema, at path: [JSONValue.Step], isGroup: Bool) {
        let roots = kind.roots
        let root = kind == .endpoint ? (isGroup ? roots.first : roots.last) : roots.first
        var nodes = root.map { [SchemaNode.object($0)] } ?? []
        var field: FieldSchema?
        for step in path {
            let flat = Self.flat(nodes)
            field = nil
            nodes = flat.flatMap { node -> [SchemaNode] in
                switch (node, step) {
                case (.object(let object), .key(let key)):
                    guard let found = object.fields.first(where: { $0.name == key }) else { return [] }
                    field = found
                    return [found.value]
                case (.dictionary(_, let element), .key): return [element]
                case (.list(let element, _), .index): return [element]
                case (.template, _): return [.template]
                case (.anything, _): return [.anything]
                default: return []
                }
            }
        }
        self.nodes = Self.flat(nodes)
        self.field = field
    }

    /// The types without alternatives and names.
    private static func flat(_ nodes: [SchemaNode], depth: Int = 0) -> [SchemaNode] {
        nodes.flatMap { node -> [SchemaNode] in
            guard depth < 8 else { return [node] }
            switch node {
            case .either(let all): return flat(all, depth: depth + 1)
            case .choice(let inner): return flat([inner], depth: depth + 1)
            case .named(_, let make): return flat([make()], depth: depth + 1)
            default: return [node]
            }
        }
    }

    /// The keys that can still be given, next to others.
    package func keys(besides given: [String]) -> [FieldSchema] {
        var seen = Set(given)
        return nodes.flatMap { node -> [FieldSchema] in
            guard case .object(let object) = node else { return [] }
            return object.fields.filter { field in
                !object.rules.contains { $0.excludes(field.name, besides: given) } && seen.insert(field.name).inserted
            }
        }
    }

    /// The words and constants that a value can be.
    package var words: [OrderedJSON] {
        nodes.flatMap { node -> [OrderedJSON] in
            switch node {
            case .words(let words): words.map { .string($0) }
            case .constant(let value): [value]
            case .boolean: [true, false]
            default: []
            }
        }
    }

    /// The kinds of things that the value can name.
    package var roles: [NameRole] {
        nodes.compactMap { if case .text(_, let role) = $0 { role } else { nil } }
    }
}

extension KeySetRule {
    fileprivate func excludes(_ key: String, besides given: [String]) -> Bool {
        switch self {
        case .exactlyOne(let names), .atMostOne(let names):
            names.contains(key) && given.contains { names.contains($0) && $0 != key }
        case .excludes(let name, let others):
            name == key && given.contains(where: others.contains) || others.contains(key) && given.contains(name)
        case .atLeastOne, .needs: false
        }
    }
}

extension FieldSchema {
    /// A short valid value to begin with, as JSON.
    package var startingValue: String { value.startingValue() }
}

extension SchemaNode {
    fileprivate func startingValue(depth: Int = 0) -> String {
        switch self {
        case .anything, .template, .text, .nonObject: "\"\""
        case .null: "null"
        case .boolean: "true"
        case .number(let minimum): minimum?.compact ?? "0"
        case .integer(let range): String(range.lowerBound)
        case .words(let words): OrderedJSON.string(words.first ?? "").compact
        case .constant(let value): value.compact
        case .list: "[]"
        case .dictionary, .object: "{}"
        case .either(let all): all.first.map { $0.startingValue(depth: depth + 1) } ?? "\"\""
        case .choice(let inner): inner.startingValue(depth: depth + 1)
        case .named(_, let make): depth < 8 ? make().startingValue(depth: depth + 1) : "\"\""
        }
    }
}

extension FormatSchema {
    /// The kind of a file by its path from the workspace's root; nil for files of other kinds.
    package init?(path: String) {
        switch path.split(separator: "/").first {
        case "endpoints": self = .endpoint
        case "environments": self = .environment
        case "scenarios": self = .scenario
        case "loads": self = .load
        case _ where path == Workspace.settingsFile: self = .settings
        default: return nil
        }
    }
}
