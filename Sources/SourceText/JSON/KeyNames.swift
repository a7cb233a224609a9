/// The names that keys may have, for finding the one that a key is: an object has more names to know than keys.
package struct KeyNames: Sendable {
    package let all: [String]
    /// All of them, one behind the other, and where each ends.
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

    /// The position of the name that a key says, scalar by scalar.
    package func index(of key: JSONValue) -> Int? {
        guard let found = key.withPlainBytes({ index(of: $0) }) else { return all.firstIndex { key.equals($0) } }
        return found
    }

    private func index(of text: UnsafeBufferPointer<UInt8>) -> Int? {
        bytes.withUnsafeBufferPointer { bytes in
            var start = 0
            for (index, end) in ends.enumerated() {
                if end - start == text.count, text.says(UnsafeBufferPointer(rebasing: bytes[start..<end])) {
                    return index
                }
                start = end
            }
            return nil
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether both hold the same bytes.
    func says(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }
}
