/// The names that an object's keys may have. The bytes of a key are compared with the bytes of all names. If the key is compared
/// with one string after the other, `list` of 1,000 endpoints takes 13 % more instructions.
package struct KeyNames: Sendable {
    package let all: [String]
    /// All names in one array. `ends` has the offset at which each name ends.
    private let bytes: [UInt8]
    private let ends: [Int]

    package init(_ names: [String]) {
        all = names
        var (bytes, ends): ([UInt8], [Int]) = ([], [])
        for name in names {
            bytes += name.utf8
            ends.append(bytes.count)
        }
        (self.bytes, self.ends) = (bytes, ends)
    }

    /// The index of the name that equals a key, scalar by scalar.
    package func index(of key: JSONValue) -> Int? {
        guard let found = key.withPlainBytes({ index(of: $0) }) else { return all.firstIndex { key.equals($0) } }
        return found
    }

    private func index(of text: UnsafeBufferPointer<UInt8>) -> Int? {
        bytes.withUnsafeBufferPointer { bytes in
            var start = 0
            for (index, end) in ends.enumerated() {
                if end - start == text.count, text.equals(UnsafeBufferPointer(rebasing: bytes[start..<end])) {
                    return index
                }
                start = end
            }
            return nil
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether both buffers contain the same bytes.
    func equals(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }
}
