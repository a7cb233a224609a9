import ReqcliText

extension Keyword {
    static let counts = [
        ("minLength", KindSet.string, true), ("maxLength", .string, false), ("minItems", .array, true),
        ("maxItems", .array, false), ("minProperties", .object, true), ("maxProperties", .object, false),
    ].map { name, kinds, isMinimum in
        Keyword(name, .count, for: kinds) { value, _ in CountLimit(value, isMinimum: isMinimum) }
            .broken { _, limit, value in CountLimit(limit, isMinimum: isMinimum)?.broken(value) ?? [] }
    }
}

/// A lower or upper limit of the number of characters, items or members.
struct CountLimit: Rule {
    private let isMinimum: Bool
    private let limit: Int

    init?(_ value: JSONValue, isMinimum: Bool) {
        guard let limit = value.limit else { return nil }
        (self.isMinimum, self.limit) = (isMinimum, limit)
    }

    func acceptsEverything(_ accepts: (Int) -> Bool) -> Bool { isMinimum && limit <= 0 }

    func holds(_ value: JSONCursor, _ at: At, _ run: inout SchemaEvaluator) -> Bool {
        let isText = value.kind == .string
        let count = isText ? value.characterCount : value.count
        if isMinimum ? count >= limit : count <= limit { return true }
        if isText { return run.fail(at, value, "text of \(Self.phrase(isMinimum, limit, "character"))") }
        let noun = value.kind == .array ? "item" : "member"
        return run.fail(at, value, Self.phrase(isMinimum, limit, noun), found: counted(count, noun))
    }

    /// The largest limit for which a longer value is made. A server may refuse a longer value only because of its size.
    private static let mostAdded = 1000

    /// The value with one character, item or member too few or too many; none if such a value can't be made.
    fileprivate func broken(_ value: OrderedJSON) -> [OrderedJSON] {
        guard isMinimum ? limit > 0 : (0..<Self.mostAdded).contains(limit) else { return [] }
        let count = isMinimum ? limit - 1 : limit + 1
        func added(to number: Int) -> Int { isMinimum ? 0 : max(0, count - number) }
        switch value {
        case .string(let text):
            let end = String(repeating: text.last ?? "a", count: added(to: text.count))
            return [.string(text.prefix(count) + end)]
        case .array(let elements):
            let end = repeatElement(elements.last ?? .null, count: added(to: elements.count))
            return [.array(Array(elements.prefix(count) + end))]
        case .object(let members):
            let end = (0..<added(to: members.count)).map { OrderedJSON.Member("reqcli-probe-\($0)", .int(1)) }
            return [.object(Array(members.prefix(count) + end))]
        case .null, .bool, .number: return []
        }
    }

    static func phrase(_ isMinimum: Bool, _ limit: Int, _ noun: String) -> String {
        "at \(isMinimum ? "least" : "most") \(counted(limit, noun))"
    }
}

extension JSONValue {
    /// The value of a keyword that is a limit of a count; nil if it is not a whole number.
    var limit: Int? {
        guard let number, number.isInteger else { return nil }
        // No value has more items than fit into an Int.
        return number.int ?? .max
    }
}

extension JSONCursor {
    /// The number of Unicode characters in a string, because JSON Schema counts lengths in this way.
    fileprivate var characterCount: Int {
        plainBytes.map { $0.count { $0 & 0xC0 != 0x80 } } ?? string.unicodeScalars.count
    }
}
