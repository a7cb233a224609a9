import ReqcliText

extension Keyword {
    static let objects = [
        Keyword("required", for: .object) { value, _ in
            value.kind == .array ? Required(names: KeywordNameIndex(in: value)) : nil
        }.broken { _, names, value in
            guard case .object(let members) = value, names.kind == .array else { return [] }
            return names.elements.compactMap(\.string).map { name in .object(members.filter { $0.name != name }) }
        },
        Keyword("dependentRequired", .namesByName, since: .draft201909, for: .object) { value, _ in
            DependentRequired(rules: value.members.map { ($0.name, KeywordNameIndex(in: $0.value)) })
        },
        Keyword(
            ["properties": .schemasByName, "patternProperties": .schemasByName, "additionalProperties": .schema],
            for: .object, in: ["applicator"]
        ) { _, program in Properties(&program) }
        .broken(by: Properties.addingMember).refusing(Properties.refusal),
        Keyword("propertyNames", .schema, since: .draft06, for: .object, in: ["applicator"]) { value, program in
            PropertyNames(node: program.node(value, .inner))
        }.broken(by: Properties.addingMember).refusing { name, _ in "no members (\(name))" },
    ]
}

struct Required: Rule {
    let names: KeywordNameIndex

    func holds(_ object: JSONCursor, _ at: At, _ run: inout SchemaEvaluator) -> Bool {
        var found = Marks(isWanted: true)
        for member in object.children { names.position(of: member.key).map { found.insert($0) } }
        var isValid = true
        var judging: [Int]?
        for (position, name) in names.names.enumerated() where !found.contains(position) {
            if run.program.hasWriteOnly {
                let nodes = judging ?? run.nodesOfValue(beside: at.node)
                judging = nodes
                if run.isWriteOnly(name, nodes) { continue }
            }
            isValid = run.failMissing(name, at, object)
            if run.report == nil { break }
        }
        return isValid
    }
}

struct DependentRequired: Rule {
    let rules: [(name: String, needed: KeywordNameIndex)]

    func holds(_ object: JSONCursor, _ at: At, _ run: inout SchemaEvaluator) -> Bool {
        var isValid = true
        let present = object.names
        for rule in rules where present.contains(rule.name) {
            for name in rule.needed.names where !present.contains(name) {
                isValid = run.failMissing(name, at, object, ", because \(JSONStringText.quoted(rule.name)) is present")
                if run.report == nil { return false }
            }
        }
        return isValid
    }
}

extension SchemaEvaluator {
    fileprivate mutating func failMissing(
        _ name: String, _ at: At, _ object: JSONCursor, _ reason: @autoclosure () -> String = ""
    ) -> Bool {
        fail(at, object, "a member \(JSONStringText.quoted(name))\(reason())", found: "no member with this name")
    }
}

extension JSONCursor {
    /// The names of an object's members.
    var names: Set<String> { Set(children.map(\.key.string)) }
}

struct Properties: Rule {
    let names: KeywordNameIndex
    let nodes: [Int]
    private let patterns: [(pattern: Pattern, node: Int)]
    private let rest: Int?

    init(_ program: inout ProgramBuilder) {
        let properties = program.schema["properties"].map { Array($0.members) } ?? []
        let patterns = program.schema["patternProperties"].map { Array($0.members) } ?? []
        names = KeywordNameIndex(properties.map(\.name))
        nodes = properties.map { program.node($0.value, .inner) }
        self.patterns = patterns.compactMap { member in
            program.pattern(member.key).map { ($0, program.node(member.value, .inner)) }
        }
        rest = program.schema["additionalProperties"].map { program.node($0, .inner) }
    }

    /// The object with a member that probably no schema names; none for the keywords that name members.
    static func addingMember(_ keyword: String, _ operand: JSONValue, _ value: OrderedJSON) -> [OrderedJSON] {
        guard !["properties", "patternProperties"].contains(keyword), case .object(let members) = value else {
            return []
        }
        return [.object(members + [OrderedJSON.Member("reqcli-probe", .int(1))])]
    }

    static func refusal(_ keyword: String, _ token: String?) -> String {
        switch token {
        case nil: "only members that the schema names (\(keyword))"
        case let pattern? where keyword == "patternProperties": "no member whose name matches /\(pattern)/"
        case let name?: "no member \(JSONStringText.quoted(name))"
        }
    }

    func acceptsEverything(_ accepts: (Int) -> Bool) -> Bool {
        nodes.allSatisfy(accepts) && patterns.allSatisfy { accepts($0.node) } && rest.map(accepts) ?? true
    }

    func holds(_ object: JSONCursor, _ at: At, _ run: inout SchemaEvaluator) -> Bool {
        var isValid = true
        for (position, member) in object.children.enumerated() {
            var isNamed = false
            if let property = names.position(of: member.key) {
                isNamed = true
                isValid = run.descend(nodes[property], "properties", names.names[property], member) && isValid
            }
            for (pattern, node) in patterns where pattern.isFound(in: member.key, &run) {
                isNamed = true
                isValid = run.descend(node, "patternProperties", pattern.text, member) && isValid
            }
            if !isNamed, let rest {
                isNamed = true
                isValid = run.descend(rest, "additionalProperties", nil, member) && isValid
            }
            if isNamed { run.marks.insert(position) }
            if !isValid, run.report == nil { return false }
        }
        return isValid
    }
}

struct PropertyNames: Rule {
    let node: Int

    func acceptsEverything(_ accepts: (Int) -> Bool) -> Bool { accepts(node) }

    func holds(_ object: JSONCursor, _ at: At, _ run: inout SchemaEvaluator) -> Bool {
        var isValid = true
        let outer = run.nameOwner
        defer { run.nameOwner = outer }
        for member in object.children {
            run.nameOwner = member
            isValid = run.descend(node, "propertyNames", nil, member.key) && isValid
            if !isValid, run.report == nil { return false }
        }
        return isValid
    }
}
