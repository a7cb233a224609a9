import ReqcliText

// MARK: - Objects

extension SchemaEvaluator {
    /// The positions in `names` of the names that the object has.
    private func found(_ names: KeywordNameIndex, in object: JSONCursor) -> Marks {
        var found = Marks(isWanted: true)
        for member in object.children { names.position(of: member.key).map { found.insert($0) } }
        return found
    }

    mutating func hasAll(_ names: KeywordNameIndex, _ object: JSONCursor, _ at: At) -> Bool {
        let found = found(names, in: object)
        var isValid = true
        var judging: [Int]?
        for (position, name) in names.names.enumerated() where !found.contains(position) {
            if program.hasWriteOnly {
                let nodes = judging ?? nodesOfValue(beside: at.node)
                judging = nodes
                if isWriteOnly(name, nodes) { continue }
            }
            isValid = fail(at, object, .missing(name))
            if report == nil { break }
        }
        return isValid
    }

    mutating func hasDependents(_ rules: [(name: String, needed: KeywordNameIndex)], _ object: JSONCursor, _ at: At)
        -> Bool
    {
        var isValid = true
        let present = NameSet(object)
        for rule in rules where present.contains(rule.name) {
            for name in rule.needed.names where !present.contains(name) {
                isValid = fail(at, object, .missing(name, because: rule.name))
                if report == nil { return false }
            }
        }
        return isValid
    }

    mutating func properties(_ rules: PropertyRules, _ object: JSONCursor, _ marks: inout Marks) -> Bool {
        var isValid = true
        for (position, member) in object.children.enumerated() {
            var isNamed = false
            if let property = rules.names.position(of: member.key) {
                isNamed = true
                let fits = descend(rules.nodes[property], "properties", rules.names.names[property], member)
                isValid = fits && isValid
            }
            for (pattern, node) in rules.patterns where isFound(pattern, in: member.key) {
                isNamed = true
                isValid = descend(node, "patternProperties", pattern.text, member) && isValid
            }
            if !isNamed, let rest = rules.rest {
                isNamed = true
                isValid = descend(rest, "additionalProperties", nil, member) && isValid
            }
            if isNamed { marks.insert(position) }
            if !isValid, report == nil { return false }
        }
        return isValid
    }

    mutating func names(_ schema: Int, _ object: JSONCursor) -> Bool {
        var isValid = true
        let outer = nameOwner
        defer { nameOwner = outer }
        for member in object.children {
            nameOwner = member
            isValid = descend(schema, "propertyNames", nil, member.key) && isValid
            if !isValid, report == nil { return false }
        }
        return isValid
    }

    mutating func dependentSchemas(
        _ rules: [(name: String, node: Int)], _ keyword: String, _ object: JSONCursor, _ marks: inout Marks
    ) -> Bool {
        var isValid = true
        let present = NameSet(object)
        for rule in rules where present.contains(rule.name) {
            isValid = follow(rule.node, keyword, rule.name, object, &marks) && isValid
            if !isValid, report == nil { return false }
        }
        return isValid
    }

    /// Evaluates the members or items that no other keyword has evaluated.
    mutating func unevaluated(_ schema: Int, _ keyword: String, _ value: JSONCursor, _ marks: inout Marks) -> Bool {
        var isValid = true
        for (position, child) in value.children.enumerated() where !marks.contains(position) {
            isValid = descend(schema, keyword, nil, child) && isValid
            if !isValid, report == nil { return false }
        }
        marks.insertAll()
        return isValid
    }
}

/// The names of an object's members.
private struct NameSet {
    private let names: Set<String>

    init(_ object: JSONCursor) { names = Set(object.children.map(\.key.string)) }

    func contains(_ name: String) -> Bool { names.contains(name) }
}

// MARK: - Arrays

extension SchemaEvaluator {
    mutating func elements(_ rules: ElementRules, _ array: JSONCursor, _ marks: inout Marks) -> Bool {
        var isValid = true
        for (position, element) in array.children.enumerated() {
            if position < rules.first.count {
                isValid = descend(rules.first[position], rules.firstKeyword, String(position), element) && isValid
                marks.insert(position)
            } else if let rest = rules.rest {
                isValid = descend(rest, rules.restKeyword, nil, element) && isValid
            } else {
                return isValid
            }
            if !isValid, report == nil { return false }
        }
        if rules.rest != nil { marks.insertAll() }
        return isValid
    }

    mutating func contains(_ rule: ContainsRule, _ array: JSONCursor, _ marks: inout Marks, _ at: At) -> Bool {
        var count = 0
        for (position, element) in array.children.enumerated() {
            guard silently({ $0.descend(rule.node, "contains", nil, element) }) else { continue }
            count += 1
            if rule.marksItems { marks.insert(position) }
            // The rest of the items can't change the result.
            if rule.most == nil, count >= rule.least, !(rule.marksItems && marks.isWanted) { return true }
            if let most = rule.most, count > most, report == nil { return false }
        }
        if count >= rule.least, count <= rule.most ?? .max { return true }
        return fail(at, array, .contains(rule, count, of: array.count))
    }

    mutating func isUnique(_ array: JSONCursor, _ at: At) -> Bool {
        var seen: [HashedValue: Int] = [:]
        seen.reserveCapacity(array.count)
        for (position, element) in array.children.enumerated() {
            if let first = seen.updateValue(position, forKey: HashedValue(element.value)) {
                return fail(at, element, .repeated(first, element.value))
            }
        }
        return true
    }
}
