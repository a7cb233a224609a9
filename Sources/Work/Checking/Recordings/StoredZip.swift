/// A zip archive whose entries are stored and not compressed. Any program for zip archives can read it.
///
/// Reading accepts only the bytes that writing makes of the entries, so that every change of the archive is noticed. Entries are
/// found by their names, and nothing is unpacked to a folder.
struct StoredZip {
    struct Entry: Equatable {
        let name: String
        let bytes: [UInt8]
    }

    /// The reason why an archive can't be read or written.
    struct Problem: Error {
        let reason: String
    }

    /// The size up to which archives are written and read. Zip without extensions ends at 4 GiB.
    static let largest = 1 << 30
    private static let mostEntries = 0xFFFE

    private(set) var entries: [Entry] = []
    private var size = 22

    mutating func add(_ name: String, _ bytes: [UInt8]) throws(Problem) {
        size += bytes.count + 76 + 2 * name.utf8.count
        guard entries.count < Self.mostEntries, size <= Self.largest, name.utf8.count < 0x10000 else {
            throw Problem(reason: "it would be larger than 1 GiB, or have more than \(Self.mostEntries) entries")
        }
        entries.append(Entry(name: name, bytes: bytes))
    }

    // MARK: Writing

    var bytes: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(size)
        var directory: [UInt8] = []
        for entry in entries {
            let start = result.count
            let name = Array(entry.name.utf8)
            // Version 2.0, names in UTF-8, stored, the first day of zip's calendar.
            var fields: [UInt8] = []
            for value in [20, 0x800, 0, 0, 0x21] { fields += Self.number(value, 2) }
            fields += Self.number(Int(Self.checksum(entry.bytes)), 4)
            fields += Self.number(entry.bytes.count, 4) + Self.number(entry.bytes.count, 4)
            fields += Self.number(name.count, 2) + [0, 0]
            result += [0x50, 0x4B, 3, 4] + fields + name
            result += entry.bytes
            directory += [0x50, 0x4B, 1, 2, 20, 0] + fields
            directory += [UInt8](repeating: 0, count: 10) + Self.number(start, 4) + name
        }
        let start = result.count
        result += directory
        result += [0x50, 0x4B, 5, 6, 0, 0, 0, 0]
        result += Self.number(entries.count, 2) + Self.number(entries.count, 2)
        result += Self.number(directory.count, 4) + Self.number(start, 4) + [0, 0]
        return result
    }

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    // MARK: Reading

    init() {}

    init(reading bytes: [UInt8]) throws(Problem) {
        var index = 0
        var names: Set<String> = []
        func number(at offset: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
        }
        guard bytes.starts(with: [0x50, 0x4B]) else { throw Problem(reason: "it is not a zip archive") }
        while index + 30 <= bytes.count, bytes[index..<index + 4].elementsEqual([0x50, 0x4B, 3, 4]) {
            let (size, nameSize) = (number(at: index + 18, 4), number(at: index + 26, 2))
            let start = index + 30 + nameSize
            guard start + size <= bytes.count else { throw Problem(reason: "it is cut off") }
            guard number(at: index + 8, 2) == 0 else {
                throw Problem(reason: "its entries are compressed, so reqcli has not written it")
            }
            guard let name = String(validating: bytes[index + 30..<start], as: UTF8.self),
                names.insert(name).inserted
            else { throw Problem(reason: "it is damaged") }
            try add(name, Array(bytes[start..<start + size]))
            index = start + size
        }
        guard self.bytes == bytes else { throw Problem(reason: "it is damaged, or was changed after it was written") }
    }

    // MARK: CRC-32

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }
}
