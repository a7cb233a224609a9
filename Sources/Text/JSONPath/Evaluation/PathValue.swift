import ReqcliText

/// A side of a comparison: a node of the document, a value from the path, or nothing.
enum PathValue {
    case nothing
    case node(JSONValue)
    case string(String)
    case number(JSONNumber)
    case bool(Bool)
    case null

    var string: String? {
        switch self {
        case .string(let text): text
        case .node(let node): node.string
        case .nothing, .number, .bool, .null: nil
        }
    }

    var number: JSONNumber? {
        switch self {
        case .number(let number): number
        case .node(let node): node.number
        case .nothing, .string, .bool, .null: nil
        }
    }

    /// The result of `length()`: the number of Unicode scalars, elements or members; nil for any other kind of value.
    var length: Int? {
        if let string { return string.unicodeScalars.count }
        guard case .node(let node) = self, node.kind == .array || node.kind == .object else { return nil }
        return node.count
    }
}

// MARK: - Comparing

extension PathValue {
    /// Whether the values are equal by RFC 9535, section 2.3.5.2.2. `nothing` is equal only to `nothing`. Nil if the number of
    /// steps was too small.
    func equals(_ other: PathValue, steps: inout Int) -> Bool? {
        switch (self, other) {
        case (.nothing, .nothing): return true
        case (.nothing, _), (_, .nothing): return false
        case (.node(let one), .node(let other)): return one.isEquivalent(to: other, steps: &steps)
        case (.node(let node), let literal): return literal.isSaid(by: node)
        case (let literal, .node(let node)): return literal.isSaid(by: node)
        case (.string(let one), .string(let other)): return one.utf8.elementsEqual(other.utf8)
        case (.number(let one), .number(let other)): return one == other
        case (.bool(let one), .bool(let other)): return one == other
        case (.null, .null): return true
        default: return false
        }
    }

    private func isSaid(by node: JSONValue) -> Bool {
        switch self {
        case .string(let text): node.equals(text)
        case .number(let number): node.number == number
        case .bool(let bool): node.bool == bool
        case .null: node.isNull
        case .nothing, .node: false
        }
    }

    /// Whether this value is less than the other. Only numbers and strings have an order: numbers by value, strings by their
    /// Unicode scalars.
    func isLess(than other: PathValue) -> Bool {
        if let one = number, let other = other.number { return one < other }
        // UTF-8 preserves the order of the scalars.
        if let one = string, let other = other.string { return one.utf8.lexicographicallyPrecedes(other.utf8) }
        return false
    }
}
