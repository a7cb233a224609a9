extension JSONValue {
    /// The number of keys up to which comparing them one by one is faster than building a table.
    private static let fewKeys = 8

    /// The first key of an object that has occurred before; nil if no key is repeated.
    package var repeatedKey: JSONValue? {
        guard kind == .object, count > 1 else { return nil }
        if count <= Self.fewKeys {
            var position = 0
            for member in members {
                if members.prefix(position).contains(where: { $0.key.isEqual(to: member.key) }) {
                    return member.key
                }
                position += 1
            }
            return nil
        }
        var seen: [Int: [JSONValue]] = [:]
        seen.reserveCapacity(count)
        for member in members {
            let hash = member.key.textHash
            if seen[hash]?.contains(where: { $0.isEqual(to: member.key) }) == true { return member.key }
            seen[hash, default: []].append(member.key)
        }
        return nil
    }

    /// Whether two keys are equal scalar by scalar, as a path compares them.
    private func isEqual(to other: JSONValue) -> Bool {
        let plain = withPlainBytes { mine in other.withPlainBytes { mine.equals($0) } }
        return plain.flatMap(\.self) ?? other.string.map { equals($0) } ?? false
    }

    private var textHash: Int {
        func hash(_ bytes: some Sequence<UInt8>) -> Int {
            var hasher = Hasher()
            for byte in bytes { hasher.combine(byte) }
            return hasher.finalize()
        }
        return withPlainBytes { hash($0) } ?? hash((string ?? "").utf8)
    }
}
