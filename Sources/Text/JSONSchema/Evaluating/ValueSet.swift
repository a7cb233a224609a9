import ReqcliBasics
import ReqcliText

/// A set of JSON values that are equal as JSON Schema compares them: numbers by value, members in any order.
struct ValueSet: Sendable {
    private let known: Set<HashedValue>
    /// The values in the order of the schema.
    let values: [JSONValue]

    init(_ values: [JSONValue]) {
        self.values = values
        known = Set(values.map(HashedValue.init))
    }

    func contains(_ value: JSONValue) -> Bool { known.contains(HashedValue(value)) }
}

/// A JSON value as a key of a set.
struct HashedValue: Hashable, Sendable {
    let value: JSONValue

    init(_ value: JSONValue) { self.value = value }

    static func == (one: HashedValue, other: HashedValue) -> Bool { one.value.isEquivalent(to: other.value) }

    func hash(into hasher: inout Hasher) { Self.hash(value, into: &hasher, depth: 0) }

    /// The maximum depth of values that are hashed, so that the recursion stays small. Deeper values are only compared.
    private static let deepest = 64

    private static func hash(_ value: JSONValue, into hasher: inout Hasher, depth: Int) {
        hasher.combine(value.kind)
        guard depth < deepest else { return }
        switch value.kind {
        case .string: hasher.combine(value.string)
        case .number:
            // The same number can be written in many ways, so its value is hashed.
            if let number = value.number { hasher.combine(number) }
        case .array:
            for element in value.elements { hash(element, into: &hasher, depth: depth + 1) }
        case .object:
            // In a comparison, only the last value of a repeated key is used. The members of an object with a repeated key are
            // therefore not hashed.
            let isRepeated = value.repeatedKey != nil
            var sum = 0
            for member in value.members where !isRepeated {
                var inner = Hasher()
                inner.combine(member.name)
                hash(member.value, into: &inner, depth: depth + 1)
                sum &+= inner.finalize()
            }
            hasher.combine(sum)
        case .true, .false, .null, .invalid: break
        }
    }
}
