import ReqcliJSONPath
import ReqcliText

/// Builds the node of one schema from its keywords.
///
/// A keyword whose value is of a wrong kind is left out here: the metaschema reports it.
struct NodeBuilder {
    let schema: SchemaLibrary.Subschema
    let dialect: Dialect
    private let members: [String: JSONValue]

    static func node(_ schema: SchemaLibrary.Subschema, _ program: inout ProgramBuilder) -> Node {
        let builder = NodeBuilder(schema, program.library.resources[schema.resource].dialect)
        let assertions = builder.assertions(&program)
        let usesMarks = assertions.contains { assertion in
            switch assertion.rule {
            case .unevaluatedItems, .unevaluatedProperties: true
            default: false
            }
        }
        return Node(schema: schema.value, resource: schema.resource, assertions: assertions, usesMarks: usesMarks)
    }

    private init(_ schema: SchemaLibrary.Subschema, _ dialect: Dialect) {
        (self.schema, self.dialect) = (schema, dialect)
        let members = schema.value.members.map { ($0.name, $0.value) }
        self.members = Dictionary(members, uniquingKeysWith: { $1 })
    }

    private func assertions(_ program: inout ProgramBuilder) -> [KeywordAssertion] {
        if schema.value.kind == .false { return [KeywordAssertion(keyword: "", value: schema.value, rule: .never)] }
        var present = members.compactMap { name, value in
            dialect.keywords[name].map { (name: name, step: $0.step, value: value) }
        }
        if dialect.isReferenceAlone, members["$ref"]?.kind == .string { present.removeAll { $0.step != .reference } }
        present.sort { ($0.step.rawValue, $0.value.range.lowerBound) < ($1.step.rawValue, $1.value.range.lowerBound) }
        var assertions: [KeywordAssertion] = []
        var last = Keyword.Step.nothing
        for (name, step, value) in present where step != .nothing && step != last {
            last = step
            guard let rule = rule(step, name, value, &program) else { continue }
            assertions.append(KeywordAssertion(keyword: name, value: value, rule: rule))
        }
        return assertions
    }

    private func rule(
        _ step: Keyword.Step, _ name: String, _ value: JSONValue, _ program: inout ProgramBuilder
    ) -> KeywordAssertion.Rule? {
        switch step {
        case .writeOnly: value.bool == true ? .writeOnly : nil
        case .type, .exactType: types(value, isExact: step == .exactType).map { .types($0) }
        case .enumeration: value.kind == .array ? .oneOf(ValueSet(Array(value.elements))) : nil
        case .constant: .oneOf(ValueSet([value]))
        case .minimum: value.number.map { .bound(Bound(.least, $0)) }
        case .maximum: value.number.map { .bound(Bound(.most, $0)) }
        case .exclusiveMinimum: value.number.map { .bound(Bound(.above, $0)) }
        case .exclusiveMaximum: value.number.map { .bound(Bound(.below, $0)) }
        case .minimumWithFlag:
            members["minimum"]?.number.map { .bound(Bound(isSet("exclusiveMinimum") ? .above : .least, $0)) }
        case .maximumWithFlag:
            members["maximum"]?.number.map { .bound(Bound(isSet("exclusiveMaximum") ? .below : .most, $0)) }
        case .multipleOf: divisor(value, &program).map { .multiple(of: $0) }
        case .minLength, .maxLength: limit(value, isMinimum: step == .minLength).map { .length($0) }
        case .minItems, .maxItems: limit(value, isMinimum: step == .minItems).map { .items($0) }
        case .minProperties, .maxProperties: limit(value, isMinimum: step == .minProperties).map { .members($0) }
        case .pattern: pattern(value, &program).map { .pattern($0) }
        case .format: format(value, program.formats)
        case .required: value.kind == .array ? .required(names(value)) : nil
        case .dependentRequired: .dependentRequired(value.members.map { ($0.name, names($0.value)) })
        case .uniqueItems: value.bool == true ? .unique : nil
        case .members: .properties(properties(&program))
        case .propertyNames: .names(node(value, &program))
        case .items: .elements(elements(&program))
        case .tupleItems: tupleElements(&program).map { .elements($0) }
        case .contains, .containsForUnevaluated:
            .contains(contains(value, marksItems: step == .containsForUnevaluated, &program))
        case .reference: program.node(forReference: value, in: schema.resource).map { .reference($0) }
        case .dynamicReference: dynamicReference(value, &program)
        case .recursiveReference: recursiveReference(value, &program)
        case .allOf: .all(nodes(value, &program))
        case .anyOf: .any(nodes(value, &program))
        case .oneOf: .one(nodes(value, &program))
        case .not: .not(node(value, &program))
        case .condition: condition(&program)
        case .dependentSchemas: .dependentSchemas(value.members.map { ($0.name, node($0.value, &program)) })
        case .dependencies: .dependentSchemas(dependencies(value, &program))
        case .unevaluatedItems: .unevaluatedItems(node(value, &program))
        case .unevaluatedProperties: .unevaluatedProperties(node(value, &program))
        case .nothing: nil
        }
    }
}

// MARK: - Assertions

extension NodeBuilder {
    private func isSet(_ name: String) -> Bool { members[name]?.bool == true }

    private func types(_ value: JSONValue, isExact: Bool) -> TypeSet? {
        let names = value.kind == .array ? value.elements.map(\.string) : [value.string]
        var types = names.compactMap { $0.flatMap(JSONTypeName.init) }
        if dialect.hasNullable, isSet("nullable"), !types.contains(.null) { types.append(.null) }
        return types.isEmpty ? nil : TypeSet(types, isExact: isExact)
    }

    private func divisor(_ value: JSONValue, _ program: inout ProgramBuilder) -> JSONNumber? {
        guard let number = value.number, JSONNumber(0) < number else { return nil }
        if number.canDivide { return number }
        program.library.report(
            Diagnostic(
                code: .schemaValue, "a multiple of a number with more than 18 digits can't be computed",
                at: value.place))
        return nil
    }

    private func limit(_ value: JSONValue, isMinimum: Bool) -> Limit? {
        guard let number = value.number, number.isInteger else { return nil }
        // No value has more items than fit into an Int.
        return Limit(isMinimum: isMinimum, count: number.int ?? .max)
    }

    private func pattern(_ value: JSONValue, _ program: inout ProgramBuilder) -> Pattern? {
        guard let text = value.string else { return nil }
        do throws(IRegexpProblem) {
            return try Pattern(text)
        } catch {
            program.library.report(
                Diagnostic(
                    code: .schemaPattern, error.message, at: value.place(ofText: error.range), hint: error.hint))
            return nil
        }
    }

    private func format(_ value: JSONValue, _ use: SchemaCompiler.FormatUse) -> KeywordAssertion.Rule? {
        guard use == .assert || dialect.assertsFormats else { return nil }
        return value.string.flatMap(Format.init).map { .format($0) }
    }

    private func names(_ value: JSONValue) -> KeywordNameIndex { KeywordNameIndex(value.elements.compactMap(\.string)) }
}

// MARK: - Applicators

extension NodeBuilder {
    private func node(_ value: JSONValue, _ program: inout ProgramBuilder) -> Int {
        program.node(for: value, in: schema.resource)
    }

    private func nodes(_ value: JSONValue, _ program: inout ProgramBuilder) -> [Int] {
        value.elements.map { node($0, &program) }
    }

    private func properties(_ program: inout ProgramBuilder) -> PropertyRules {
        let properties = members["properties"].map { Array($0.members) } ?? []
        let patterns = members["patternProperties"].map { Array($0.members) } ?? []
        return PropertyRules(
            names: KeywordNameIndex(properties.map(\.name)),
            nodes: properties.map { node($0.value, &program) },
            patterns: patterns.compactMap { member in
                pattern(member.key, &program).map { ($0, node(member.value, &program)) }
            },
            rest: members["additionalProperties"].map { node($0, &program) })
    }

    private func elements(_ program: inout ProgramBuilder) -> ElementRules {
        ElementRules(
            first: members["prefixItems"].map { nodes($0, &program) } ?? [],
            rest: members["items"].map { node($0, &program) }, firstKeyword: "prefixItems", restKeyword: "items")
    }

    /// Before 2020-12, `items` may also be a list, and `additionalItems` has an effect only next to such a list.
    private func tupleElements(_ program: inout ProgramBuilder) -> ElementRules? {
        guard let items = members["items"] else { return nil }
        let isTuple = items.kind == .array
        let rest = isTuple ? members["additionalItems"] : items
        return ElementRules(
            first: isTuple ? nodes(items, &program) : [], rest: rest.map { node($0, &program) },
            firstKeyword: "items", restKeyword: isTuple ? "additionalItems" : "items")
    }

    private func contains(
        _ value: JSONValue, marksItems: Bool, _ program: inout ProgramBuilder
    ) -> ContainsRule {
        func count(_ name: String) -> Int? {
            dialect.keywords[name] == nil ? nil : members[name].flatMap { limit($0, isMinimum: true) }?.count
        }
        return ContainsRule(
            node: node(value, &program), least: count("minContains") ?? 1, most: count("maxContains"),
            marksItems: marksItems)
    }

    private func condition(_ program: inout ProgramBuilder) -> KeywordAssertion.Rule? {
        guard let condition = members["if"] else { return nil }
        return .condition(
            ConditionRule(
                condition: node(condition, &program), then: members["then"].map { node($0, &program) },
                otherwise: members["else"].map { node($0, &program) }))
    }

    /// Builds the schemas of `dependencies`. A list of names is built as a schema that requires these names.
    private func dependencies(_ value: JSONValue, _ program: inout ProgramBuilder) -> [(name: String, node: Int)] {
        value.members.map { member in
            guard member.value.kind == .array else { return (member.name, node(member.value, &program)) }
            let required = KeywordAssertion(keyword: "", value: member.value, rule: .required(names(member.value)))
            let node = Node(
                schema: member.value, resource: schema.resource, assertions: [required], usesMarks: false)
            return (member.name, program.add(node))
        }
    }

    /// Builds `$dynamicRef`. If its target has no `$dynamicAnchor` with the name in the reference, the keyword is treated as a
    /// plain `$ref`.
    private func dynamicReference(_ value: JSONValue, _ program: inout ProgramBuilder) -> KeywordAssertion.Rule? {
        guard let text = value.string, let target = program.library.target(of: value, from: schema.resource) else {
            return nil
        }
        let fallback = program.node(for: target)
        let name = URIReference(text).fragment?.percentDecoded ?? ""
        let anchor = program.library.resources[target.resource].dynamicAnchors[name]
        guard !name.isEmpty, anchor.map(Spot.init) == Spot(target.value) else { return .reference(fallback) }
        program.useDynamicAnchor(name)
        return .dynamicReference(name: name, fallback: fallback)
    }

    private func recursiveReference(_ value: JSONValue, _ program: inout ProgramBuilder) -> KeywordAssertion.Rule? {
        guard let target = program.library.target(of: value, from: schema.resource) else { return nil }
        let fallback = program.node(for: target)
        let name = SchemaLibrary.recursiveAnchor
        guard program.library.resources[target.resource].dynamicAnchors[name] != nil else {
            return .reference(fallback)
        }
        program.useDynamicAnchor(name)
        return .dynamicReference(name: name, fallback: fallback)
    }
}
