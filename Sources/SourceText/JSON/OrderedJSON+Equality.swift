extension OrderedJSON {
    /// Whether two values are equal: numbers by value, strings scalar by scalar, members in any order.
    ///
    /// If a key is there twice, the last value counts.
    package func isEquivalent(to other: OrderedJSON) -> Bool {
        switch (self, other) {
        case (.number(let one), .number(let other)):
            return one == other || JSONNumber(one).map { $0 == JSONNumber(other) } ?? false
        case (.string(let one), .string(let other)): return one.utf8.elementsEqual(other.utf8)
        case (.array(let one), .array(let other)):
            return one.count == other.count && zip(one, other).allSatisfy { $0.isEquivalent(to: $1) }
        case (.object(let one), .object(let other)):
            let (mine, others) = (Self.valuesByKey(one), Self.valuesByKey(other))
            return mine.count == others.count
                && mine.allSatisfy { key, value in others[key].map { value.isEquivalent(to: $0) } ?? false }
        default: return self == other
        }
    }

    /// The values by the UTF-8 of their keys. `String` keys would treat é as one scalar and é as two scalars as equal.
    private static func valuesByKey(_ members: [Member]) -> [[UInt8]: OrderedJSON] {
        Dictionary(members.map { (Array($0.name.utf8), $0.value) }, uniquingKeysWith: { $1 })
    }
}
