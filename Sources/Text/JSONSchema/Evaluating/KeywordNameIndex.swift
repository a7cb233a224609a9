import ReqcliText

/// An index of names and their positions. A member's name is found without making a string of it.
final class KeywordNameIndex: Sendable {
    let names: [String]
    /// All names as bytes, one after the other. `starts` has the offset of each name's first byte, and the offset of the end.
    private let bytes: [UInt8]
    private let starts: [Int]
    /// A hash table of the names' positions; -1 is an empty slot. Its size is a power of two, at least twice the number of names.
    private let table: [Int32]

    init(_ names: some Sequence<String>) {
        var (bytes, starts): ([UInt8], [Int]) = ([], [0])
        self.names = Array(names)
        for name in self.names {
            bytes += name.utf8
            starts.append(bytes.count)
        }
        var size = 4
        while size < self.names.count * 2 { size *= 2 }
        var table = [Int32](repeating: -1, count: size)
        for position in self.names.indices {
            var slot = Self.hash(bytes[starts[position]..<starts[position + 1]]) & (size - 1)
            while table[slot] >= 0 { slot = (slot + 1) & (size - 1) }
            table[slot] = Int32(position)
        }
        (self.bytes, self.starts, self.table) = (bytes, starts, table)
    }

    /// The strings in a list.
    convenience init(in list: JSONValue) { self.init(list.elements.compactMap(\.string)) }

    /// The position of the name whose bytes are equal to the bytes of a key.
    func position(of key: JSONCursor) -> Int? {
        guard let plain = key.plainBytes else {
            let decoded = Array(key.string.utf8)
            return decoded.withUnsafeBufferPointer { position(of: $0) }
        }
        return position(of: plain)
    }

    func position(of name: String) -> Int? {
        var name = name
        return name.withUTF8 { position(of: $0) }
    }

    private func position(of name: UnsafeBufferPointer<UInt8>) -> Int? {
        var slot = Self.hash(name) & (table.count - 1)
        while table[slot] >= 0 {
            let position = Int(table[slot])
            let start = starts[position]
            if starts[position + 1] - start == name.count {
                var index = 0
                while index < name.count, bytes[start + index] == name[index] { index += 1 }
                if index == name.count { return position }
            }
            slot = (slot + 1) & (table.count - 1)
        }
        return nil
    }

    /// The hash function FNV-1a.
    private static func hash(_ bytes: some Sequence<UInt8>) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Int(truncatingIfNeeded: hash ^ hash >> 32) & Int(Int32.max)
    }
}

extension JSONCursor {
    /// The text of a string with its escapes resolved.
    var string: String { plainBytes.map { String(decoding: $0, as: UTF8.self) } ?? value.string ?? "" }
}
