import ReqcliText

extension Keyword {
    static let arrays = [
        Keyword("uniqueItems", .flag, for: .array) { value, _ in value.bool == true ? UniqueItems() : nil }
            .broken { _, _, value in
                if case .array(let elements) = value { [.array(elements.prefix(1) + elements)] } else { [] }
            },
        Keyword(
            ["prefixItems": .schemas, "items": .schema], since: .draft202012, for: .array, in: ["applicator"]
        ) { _, program in
            Items(program.schema["prefixItems"], "prefixItems", program.schema["items"], "items", &program)
        }.refusing(Items.refusal),
        // Before 2020-12, `items` may also be a list, and `additionalItems` has an effect only next to such a list.
        Keyword(
            ["items": .schemaOrSchemas, "additionalItems": .schema], until: .draft201909, for: .array,
            in: ["applicator"]
        ) { _, program in
            guard let items = program.schema["items"] else { return nil }
            return items.kind == .array
                ? Items(items, "items", program.schema["additionalItems"], "additionalItems", &program)
                : Items(nil, "items", items, "items", &program)
        }.refusing(Items.refusal),
        Keyword("contains", .schema, since: .draft202012, for: .array, in: ["applicator"]) { value, program in
            Contains(value, marksItems: true, &program)
        },
        Keyword("contains", .schema, since: .draft06, until: .draft201909, for: .array, in: ["applicator"]) {
            value, program in Contains(value, marksItems: false, &program)
        },
    ]
}

struct UniqueItems: Rule {
    func holds(_ array: JSONCursor, _ at: At, _ run: inout SchemaEvaluator) -> Bool {
        var seen: [HashedValue: Int] = [:]
        seen.reserveCapacity(array.count)
        for (position, element) in array.children.enumerated() {
            guard let first = seen.updateValue(position, forKey: HashedValue(element.value)) else { continue }
            return run.fail(
                at, element, "an item that differs from the item at [\(first)] (uniqueItems)")
        }
        return true
    }
}

/// The schemas for the items of an array, in the order of the items.
struct Items: Rule {
    private let first: [Int]
    private let rest: Int?
    /// The keywords whose values are the schemas `first` and `rest`.
    private let firstKeyword: String
    private let restKeyword: String

    init(
        _ first: JSONValue?, _ firstKeyword: String, _ rest: JSONValue?, _ restKeyword: String,
        _ program: inout ProgramBuilder
    ) {
        self.first = first.map { program.nodes($0, .inner) } ?? []
        self.rest = rest.map { program.node($0, .inner) }
        (self.firstKeyword, self.restKeyword) = (firstKeyword, restKeyword)
    }

    static func refusal(_ keyword: String, _ position: String?) -> String {
        position.map { "no item at position \($0)" } ?? "no further items (\(keyword))"
    }

    func acceptsEverything(_ accepts: (Int) -> Bool) -> Bool { first.allSatisfy(accepts) && rest.map(accepts) ?? true }

    func holds(_ array: JSONCursor, _ at: At, _ run: inout SchemaEvaluator) -> Bool {
        var isValid = true
        for (position, element) in array.children.enumerated() {
            if position < first.count {
                isValid = run.descend(first[position], firstKeyword, String(position), element) && isValid
                run.marks.insert(position)
            } else if let rest {
                isValid = run.descend(rest, restKeyword, nil, element) && isValid
            } else {
                return isValid
            }
            if !isValid, run.report == nil { return false }
        }
        if rest != nil { run.marks.insertAll() }
        return isValid
    }
}

struct Contains: Rule {
    private let node: Int
    private let least: Int
    private let most: Int?
    /// Whether the items that fit are marked as evaluated.
    private let marksItems: Bool

    init(_ value: JSONValue, marksItems: Bool, _ program: inout ProgramBuilder) {
        func limit(_ name: String) -> Int? {
            program.schema.dialect.keywords[name] == nil ? nil : program.schema[name]?.limit
        }
        (least, most, self.marksItems) = (limit("minContains") ?? 1, limit("maxContains"), marksItems)
        node = program.node(value, .inner)
    }

    func holds(_ array: JSONCursor, _ at: At, _ run: inout SchemaEvaluator) -> Bool {
        var count = 0
        for (position, element) in array.children.enumerated() {
            guard run.silently({ $0.descend(node, "contains", nil, element) }) else { continue }
            count += 1
            if marksItems { run.marks.insert(position) }
            // The rest of the items can't change the result.
            if most == nil, count >= least, !(marksItems && run.marks.isWanted) { return true }
            if let most, count > most, run.report == nil { return false }
        }
        if count >= least, count <= most ?? .max { return true }
        return run.fail(
            at, array, expected(count), found: "\(count) of \(counted(array.count, "item"))")
    }

    private func expected(_ count: Int) -> String {
        let (isMinimum, limit) = count < least ? (true, least) : (false, most ?? 0)
        return CountLimit.phrase(isMinimum, limit, "item") + " that match\(limit == 1 ? "es" : "") \"contains\""
    }
}
