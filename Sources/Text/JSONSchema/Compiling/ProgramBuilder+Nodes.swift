import ReqcliText

/// The schema whose node is being built.
struct SchemaContext {
    let resource: Int
    let dialect: Dialect
    private let members: [String: JSONValue]

    init(_ schema: SchemaLibrary.Subschema, _ dialect: Dialect) {
        (resource, self.dialect) = (schema.resource, dialect)
        members = Dictionary(schema.value.members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }

    /// The context before the first schema.
    init(_ dialect: Dialect) { (resource, self.dialect, members) = (0, dialect, [:]) }

    subscript(name: String) -> JSONValue? { members[name] }
    func isSet(_ name: String) -> Bool { members[name]?.bool == true }

    /// The keywords that make assertions, in the order of evaluation.
    fileprivate var asserting: [(row: Int, name: String, value: JSONValue)] {
        let isReferenceAlone = dialect.isReferenceAlone && members["$ref"]?.kind == .string
        var found: [(row: Int, name: String, value: JSONValue)] = []
        for (name, value) in members where !isReferenceAlone || name == "$ref" {
            if let entry = dialect.keywords[name], entry.asserts { found.append((entry.row, name, value)) }
        }
        found.sort { ($0.row, $0.value.range.lowerBound) < ($1.row, $1.value.range.lowerBound) }
        return found
    }
}

extension ProgramBuilder {
    /// Builds the node of a schema from its keywords.
    mutating func built(_ schema: SchemaLibrary.Subschema) -> Node {
        self.schema = SchemaContext(schema, library.resources[schema.resource].dialect)
        var assertions: [KeywordAssertion] = []
        if schema.value.kind == .false {
            assertions.append(KeywordAssertion(keyword: "", value: schema.value, rule: Never()))
        }
        var last = -1
        // If one row has several keywords, the one that comes first in the schema is named.
        for (row, name, value) in self.schema.asserting where row != last {
            last = row
            links = Links()
            guard let rule = Keyword.all[row].compile?(value, &self) else { continue }
            assertions.append(
                KeywordAssertion(
                    keyword: name, value: value, kinds: Keyword.all[row].kinds, rule: rule, links: links))
        }
        return Node(schema: schema.value, resource: schema.resource, assertions: assertions)
    }

    // MARK: For the rules

    /// The index of the node for a schema in a keyword's value. If the value is not a schema, the node accepts everything; the
    /// mistake is reported elsewhere.
    mutating func node(_ value: JSONValue, _ role: Links.Role) -> Int {
        linked(node(for: value, in: schema.resource), role)
    }

    mutating func nodes(_ values: JSONValue, _ role: Links.Role) -> [Int] { values.elements.map { node($0, role) } }

    /// Records that the rule leads to a node.
    mutating func linked(_ node: Int, _ role: Links.Role) -> Int {
        links.add(node, role)
        return node
    }

    /// The schema that a reference leads to. If the reference leads nowhere, returns nil and reports a problem.
    mutating func target(of reference: JSONValue) -> SchemaLibrary.Subschema? {
        library.target(of: reference, from: schema.resource)
    }
}
