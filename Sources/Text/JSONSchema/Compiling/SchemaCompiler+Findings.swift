import ReqcliBasics
package import ReqcliText

extension SchemaCompiler {
    /// All mistakes of a schema and of the file that contains it, including parts that nothing refers to. Also finds the places
    /// where the schema checks less than its author may think.
    package mutating func findings(in schema: JSONValue) -> [Diagnostic] {
        let (compiled, problems) = compile(schema)
        guard let resource = library.owner(of: schema) else { return problems }
        return findings(SchemaLibrary.Subschema(value: schema, resource: resource), compiled, problems)
    }

    /// The findings for the schema at a path below the folder.
    package mutating func findings(at reference: JSONValue) -> [Diagnostic] {
        let (compiled, problems) = compile(at: reference)
        guard let target = library.target(of: reference) else { return problems }
        return findings(target, compiled, problems)
    }

    private mutating func findings(
        _ target: SchemaLibrary.Subschema, _ compiled: JSONSchema?, _ problems: [Diagnostic]
    ) -> [Diagnostic] {
        let document = library.resources[target.resource].document
        for problem in problems { library.report(problem) }
        // Inspects each document once, because many schemas may be parts of one document.
        if inspected.insert(document).inserted {
            let schemas = library.subschemas(of: document)
            buildAll(schemas)
            for schema in schemas {
                SchemaFindings.keywords(of: schema.value, library.resources[schema.resource].dialect) {
                    library.report($0)
                }
            }
        }
        if let compiled { compiled.laxity().map { library.report($0) } }
        return library.takeProblems()
    }
}

/// The checks of one schema object.
enum SchemaFindings {
    static func keywords(of schema: JSONValue, _ dialect: Dialect, report: (Diagnostic) -> Void) {
        if let key = schema.repeatedKey {
            report(Diagnostic(code: .schemaKeyword, "this keyword occurs twice", at: key.place))
        }
        let isOnlyReference = dialect.isReferenceAlone && schema["$ref"]?.kind == .string
        for member in schema.members {
            let name = member.name
            guard let keyword = dialect.keywords[name] else {
                unknown(member.key, dialect).map(report)
                continue
            }
            if isOnlyReference, name != "$ref", keyword.asserts {
                report(
                    Diagnostic(
                        .warning, code: .schemaKeyword, "\"\(name)\" has no effect next to \"$ref\"",
                        at: member.key.place,
                        hint: "\(dialect.draft.name) ignores the keyword; put both into \"allOf\""))
            }
            if name == "format", let format = member.value.string, Format.named(format) == nil {
                let near = NearNames.question(for: format, among: Format.all.map(\.name))
                report(
                    Diagnostic(
                        .warning, code: .schemaValue, "unknown format \"\(format)\": it has no effect",
                        at: member.value.place, hint: near))
            }
        }
    }

    /// Warnings about keywords that are probably misspelt. They are not errors, because a description may have its own keywords.
    static func misspelt(in schema: JSONValue, _ dialect: Dialect) -> [Diagnostic] {
        schema.members.compactMap { member in
            guard dialect.keywords[member.name] == nil, let found = unknown(member.key, dialect),
                found.severity == .error
            else { return nil }
            return Diagnostic(
                .warning, code: found.code, found.message + ": it has no effect", at: found.place, hint: found.hint)
        }
    }

    /// The finding for an unknown keyword: an error if another keyword was probably meant, otherwise a warning.
    private static func unknown(_ key: JSONValue, _ dialect: Dialect) -> Diagnostic? {
        let name = key.string ?? ""
        // By convention, a name with `x-` is an extension that no validator needs to know.
        if name.hasPrefix("x-") { return nil }
        let drafts = Draft.allCases.filter { Dialect.all[$0]?.keywords[name] != nil }
        if let first = drafts.first {
            let known =
                drafts.contains(dialect.draft) ? "another vocabulary" : first.name + (drafts.count > 1 ? " on" : "")
            return Diagnostic(
                .warning, code: .schemaKeyword, "\"\(name)\" is not a keyword of this dialect: it has no effect",
                at: key.place, hint: "this schema is \(dialect.draft.name); the keyword belongs to \(known)")
        }
        // Suggests only keywords that assert something. A name that merely begins like a keyword is an extension, such as
        // "enumNames".
        let asserting = dialect.keywords.filter(\.value.asserts).keys.sorted()
        let near = NearNames.nearest(to: name, among: asserting).filter { abs($0.utf8.count - name.utf8.count) <= 1 }
        if let question = NearNames.question(near) {
            return Diagnostic(code: .schemaKeyword, "unknown keyword \"\(name)\"", at: key.place, hint: question)
        }
        return Diagnostic(
            .warning, code: .schemaKeyword, "unknown keyword \"\(name)\": it has no effect", at: key.place)
    }
}

extension JSONSchema {
    /// A warning if the schema accepts more than it seems to; otherwise nil.
    fileprivate func laxity() -> Diagnostic? {
        let place = program.nodes[root].schema.place
        let start = Place(place.file, place.range.lowerBound..<place.range.lowerBound + 1)
        var known: [Int: Bool] = [:]
        if acceptsEverything(root, &known, depth: 0) {
            return Diagnostic(.warning, code: .schemaValue, "this schema accepts everything", at: start)
        }
        var visited: Set<Int> = []
        guard let keyword = objectKeyword(root, &visited), let list = JSONDocument.list.root, accepts(list) else {
            return nil
        }
        return Diagnostic(
            .warning, code: .schemaValue, "a list passes this schema: \"\(keyword.keyword)\" applies only to objects",
            at: keyword.value.place, hint: "add \"type\": \"object\"")
    }

    /// Whether no assertion of the node can fail. A schema that contains itself is not counted again: it adds no assertion.
    private func acceptsEverything(_ node: Int, _ known: inout [Int: Bool], depth: Int) -> Bool {
        if let known = known[node] { return known }
        guard depth < 100 else { return false }
        known[node] = true
        let result = program.nodes[node].assertions.allSatisfy { assertion in
            assertion.rule.acceptsEverything { acceptsEverything($0, &known, depth: depth + 1) }
        }
        known[node] = result
        return result
    }

    /// The first keyword that is only for objects.
    private func objectKeyword(_ node: Int, _ visited: inout Set<Int>) -> KeywordAssertion? {
        guard visited.count < 100, visited.insert(node).inserted else { return nil }
        for assertion in program.nodes[node].assertions {
            if assertion.kinds == .object { return assertion }
            for schema in assertion.links.also {
                if let found = objectKeyword(schema, &visited) { return found }
            }
        }
        return nil
    }
}

extension JSONDocument {
    fileprivate static let list = JSONDocument.read(SourceFile(name: "", text: "[]"))
}
