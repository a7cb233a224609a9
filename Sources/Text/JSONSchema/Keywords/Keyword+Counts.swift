import ReqcliText

extension Keyword {
    static let counts = [
        Keyword("minLength", for: .string) { value, _ in CountLimit(atLeast: value) },
        Keyword("maxLength", for: .string) { value, _ in CountLimit(atMost: value) },
        Keyword("minItems", for: .array) { value, _ in CountLimit(atLeast: value) },
        Keyword("maxItems", for: .array) { value, _ in CountLimit(atMost: value) },
        Keyword("minProperties", for: .object) { value, _ in CountLimit(atLeast: value) },
        Keyword("maxProperties", for: .object) { value, _ in CountLimit(atMost: value) },
    ]
}

/// A lower or upper limit of the number of characters, items or members.
struct CountLimit: Rule {
    private let isMinimum: Bool
    private let limit: Int

    init?(atLeast value: JSONValue) { self.init(value, isMinimum: true) }
    init?(atMost value: JSONValue) { self.init(value, isMinimum: false) }

    private init?(_ value: JSONValue, isMinimum: Bool) {
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
