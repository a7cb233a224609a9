extension JSONValue {
    /// So many keys are compared one by one, which takes less than a table of them.
    private static let fewKeys = 8

    /// The first key of an object that has stood there before; nil if each stands once.
    package var repeatedKey: JSONValue? {
        guard kind == .object, count > 1 else { return nil }
        if count <= Self.fewKeys {
            var position = 0
            for member in members {
                if members.prefix(position).contains(where: { $0.key.saysTheSame(as: member.key) }) {
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
            if seen[hash]?.contains(where: { $0.saysTheSame(as: member.key) }) == true { return member.key }
            seen[hash, default: []].append(member.key)
        }
        return nil
    }

    /// Scalar by scalar, as a path tells keys apart.
    private func saysTheSame(as other: JSONValue) -> Bool {
        let plain = withPlainBytes { mine in other.withPlainBytes { mine.says($0) } }
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
