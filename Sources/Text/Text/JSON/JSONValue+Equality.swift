extension JSONValue {
    /// Whether two values are equal: numbers by value, strings scalar by scalar, members in any order.
    ///
    /// If a key occurs twice, its last value is compared, as in a lookup of the key.
    package func isEquivalent(to other: JSONValue) -> Bool {
        var steps = Int.max
        return isEquivalent(to: other, steps: &steps) ?? false
    }

    /// Compares the values in at most `steps` steps; nil if the comparison needs more steps.
    package func isEquivalent(to other: JSONValue, steps: inout Int) -> Bool? {
        if kind != .array, kind != .object {
            steps -= 1
            return steps < 0 ? nil : isSameScalar(as: other)
        }
        // Uses a list of pairs instead of recursion, because the tree may be deeper than the stack allows.
        var pairs = [(self, other)]
        while let (one, other) = pairs.popLast() {
            guard one.kind == other.kind else { return false }
            steps -= 1
            if steps < 0 { return nil }
            switch one.kind {
            case .true, .false, .null, .invalid, .number, .string: if !one.isSameScalar(as: other) { return false }
            case .array:
                guard one.count == other.count else { return false }
                steps -= one.count
                if steps < 0 { return nil }
                pairs.append(contentsOf: zip(one.elements, other.elements))
            case .object:
                steps -= one.count + other.count
                if steps < 0 { return nil }
                guard let members = one.pairedMembers(with: other) else { return false }
                pairs.append(contentsOf: members)
            }
        }
        return true
    }

    private func isSameScalar(as other: JSONValue) -> Bool {
        guard kind == other.kind else { return false }
        switch kind {
        case .true, .false, .null: return true
        case .number: return text == other.text || number == other.number
        case .string: return equals(other)
        case .invalid, .array, .object: return false
        }
    }

    private func equals(_ other: JSONValue) -> Bool {
        let areEqual = withPlainBytes { mine in other.withPlainBytes { mine.equals($0) } } ?? nil
        return areEqual ?? other.string.map(equals) ?? false
    }

    /// The values of two objects, paired by key; nil if the keys differ.
    private func pairedMembers(with other: JSONValue) -> [(JSONValue, JSONValue)]? {
        let mine = valuesByKey
        let others = other.valuesByKey
        guard mine.count == others.count else { return nil }
        var pairs: [(JSONValue, JSONValue)] = []
        pairs.reserveCapacity(mine.count)
        for (key, value) in mine {
            guard let otherValue = others[key] else { return nil }
            pairs.append((value, otherValue))
        }
        return pairs
    }

    /// The values by the UTF-8 of their keys. With `String` keys, é as one scalar and é as two scalars would be equal.
    private var valuesByKey: [[UInt8]: JSONValue] {
        var values: [[UInt8]: JSONValue] = [:]
        values.reserveCapacity(count)
        for member in members { values[Array(member.name.utf8)] = member.value }
        return values
    }
}

extension JSONValue {
    /// The first key of an object that has occurred before, compared scalar by scalar; nil if no key is repeated.
    package var repeatedKey: JSONValue? {
        if count < 2 || count <= 16 && hasDifferentPlainKeys { return nil }
        var seen: Set<[UInt8]> = []
        return members.lazy.map(\.key).first { !seen.insert(Array(($0.string ?? "").utf8)).inserted }
    }

    /// Whether all keys are different and none has escapes. For the few keys of most objects, comparing all pairs is faster than a set.
    private var hasDifferentPlainKeys: Bool {
        document.file.bytes.withUnsafeBufferPointer { bytes in
            var keys: [Range<Int>] = []
            keys.reserveCapacity(count)
            for member in members {
                let range = member.key.innerRange
                let isRepeated = keys.contains { $0.count == range.count && bytes[$0].elementsEqual(bytes[range]) }
                if member.key.hasEscapes || isRepeated { return false }
                keys.append(range)
            }
            return true
        }
    }
}

extension OrderedJSON {
    /// Whether two values are equal, as ``JSONValue/isEquivalent(to:)`` compares them.
    package func isEquivalent(to other: OrderedJSON) -> Bool {
        guard let one = JSONDocument.writing(self, name: "").root,
            let other = JSONDocument.writing(other, name: "").root
        else { return false }
        return one.isEquivalent(to: other)
    }
}
