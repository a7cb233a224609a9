import ReqcliText

extension Keyword {
    static let combinations = [
        Keyword("allOf", .schemas, in: ["applicator"]) { value, program in AllOf(nodes: program.nodes(value, .also)) },
        Keyword("anyOf", .schemas, in: ["applicator"]) { value, program in
            AnyOf(nodes: program.nodes(value, .alternative))
        },
        Keyword("oneOf", .schemas, in: ["applicator"]) { value, program in
            OneOf(nodes: program.nodes(value, .alternative))
        },
        Keyword("not", .schema, in: ["applicator"]) { value, program in Not(node: program.node(value, .tested)) },
        Keyword(["if": .schema, "then": .schema, "else": .schema], since: .draft07, in: ["applicator"]) { _, program in
            Conditional(&program)
        },
        Keyword("dependentSchemas", .schemasByName, since: .draft201909, for: .object, in: ["applicator"]) {
            value, program in
            DependentSchemas(
                keyword: "dependentSchemas", rules: value.members.map { ($0.name, program.node($0.value, .tested)) })
        },
        // Later drafts split this keyword in two. It still works in those drafts, as in jsonschema-rs, because it would otherwise
        // have no effect.
        Keyword("dependencies", .schemasByName, for: .object, in: ["applicator"]) { value, program in
            DependentSchemas(
                keyword: "dependencies", rules: value.members.map { ($0.name, program.node(ofDependency: $0.value)) })
        },
    ]
}

struct AllOf: Rule {
    let nodes: [Int]

    func acceptsEverything(_ accepts: (Int) -> Bool) -> Bool { nodes.allSatisfy(accepts) }

    func holds(_ value: JSONCursor, _ at: At, _ run: inout SchemaEvaluator) -> Bool {
        var isValid = true
        for (position, node) in nodes.enumerated() {
            isValid = run.follow(node, "allOf", String(position), value) && isValid
            if !isValid, run.report == nil { return false }
        }
        return isValid
    }
}

struct AnyOf: Rule {
    let nodes: [Int]

    // One schema that accepts everything is enough.
    func acceptsEverything(_ accepts: (Int) -> Bool) -> Bool { nodes.contains(where: accepts) }

    func holds(_ value: JSONCursor, _ at: At, _ run: inout SchemaEvaluator) -> Bool {
        var hasFit = false
        for node in nodes where run.fitsAlone(node, value) {
            hasFit = true
            // Continues if marks are wanted, because other schemas may evaluate more members.
            if !run.marks.isWanted { break }
        }
        return hasFit || run.explain(nodes, "anyOf", value, at)
    }
}

struct OneOf: Rule {
    let nodes: [Int]

    func holds(_ value: JSONCursor, _ at: At, _ run: inout SchemaEvaluator) -> Bool {
        var fitting: [Int] = []
        for (position, node) in nodes.enumerated() where run.fitsAlone(node, value) {
            fitting.append(position)
            if fitting.count > 1, run.report == nil { return false }
        }
        if fitting.count == 1 { return true }
        if fitting.isEmpty { return run.explain(nodes, "oneOf", value, at) }
        let list = fitting.prefix(5).map(String.init).joined(separator: ", ") + (fitting.count > 5 ? ", …" : "")
        return run.fail(
            at, value, "a value that matches exactly one schema of \"oneOf\"",
            found: "a value that matches the schemas at \(list)")
    }
}

struct Not: Rule {
    let node: Int

    func holds(_ value: JSONCursor, _ at: At, _ run: inout SchemaEvaluator) -> Bool {
        !run.fitsAlone(node, value) || run.fail(at, value, "a value that doesn't match the schema in \"not\"")
    }
}

/// `if` with `then` and `else`.
struct Conditional: Rule {
    private let condition: Int
    private let then: Int?
    private let otherwise: Int?

    init?(_ program: inout ProgramBuilder) {
        guard let condition = program.schema["if"] else { return nil }
        self.condition = program.node(condition, .tested)
        then = program.schema["then"].map { program.node($0, .alternative) }
        otherwise = program.schema["else"].map { program.node($0, .alternative) }
    }

    func acceptsEverything(_ accepts: (Int) -> Bool) -> Bool {
        then.map(accepts) ?? true && otherwise.map(accepts) ?? true
    }

    func holds(_ value: JSONCursor, _ at: At, _ run: inout SchemaEvaluator) -> Bool {
        if run.fitsAlone(condition, value) {
            return then.map { run.follow($0, "then", nil, value) } ?? true
        }
        return otherwise.map { run.follow($0, "else", nil, value) } ?? true
    }
}

/// The schemas that an object must fit if it has a member of a certain name.
struct DependentSchemas: Rule {
    let keyword: String
    let rules: [(name: String, node: Int)]

    func acceptsEverything(_ accepts: (Int) -> Bool) -> Bool { rules.allSatisfy { accepts($0.node) } }

    func holds(_ object: JSONCursor, _ at: At, _ run: inout SchemaEvaluator) -> Bool {
        var isValid = true
        let present = object.names
        for rule in rules where present.contains(rule.name) {
            isValid = run.follow(rule.node, keyword, rule.name, object) && isValid
            if !isValid, run.report == nil { return false }
        }
        return isValid
    }
}

extension ProgramBuilder {
    /// The node of a schema in `dependencies`. A list of names is built as a schema that requires these names.
    fileprivate mutating func node(ofDependency value: JSONValue) -> Int {
        guard value.kind == .array else { return node(value, .tested) }
        let required = KeywordAssertion(
            keyword: "", value: value, kinds: .object, rule: Required(names: KeywordNameIndex(in: value)))
        return linked(add(Node(schema: value, resource: schema.resource, assertions: [required])), .tested)
    }
}
