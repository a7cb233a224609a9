import CReqcliLibcurl
import Foundation
import TestSupport
import Testing

/// Reads the list of libraries that a library file needs. The file may contain anything.
struct NeededLibrariesTests {
    private static let limit: Int32 = 64

    @Test("The needed libraries are read from a library file")
    func libcurl() throws {
        #expect(lc_load())
        // Not `String(contentsOfFile:)`, which stops after the first piece of such a file.
        let file = try #require(FileHandle(forReadingAtPath: "/proc/self/maps"))
        let maps = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        let line = try #require(maps.split(separator: "\n").first { $0.contains("/libcurl.so.4") })
        let path = try #require(line.firstIndex(of: "/").map { String(line[$0...]) })
        let needs = Self.needs(of: try Data(contentsOf: URL(filePath: path)))
        #expect(needs.contains("libc.so.6"))
        for name in needs { #expect(maps.contains("/\(name.prefix { $0 != "." })"), "\(name)") }
    }

    @Test(
        "A file that is not a library needs nothing",
        arguments: ["", "\u{7F}ELF", "#!/bin/sh\n", String(repeating: "\u{7F}ELF", count: 4096)])
    func others(_ text: String) {
        #expect(Self.needs(of: Data(text.utf8)) == [])
    }

    @Test("A truncated or damaged library file causes no crash")
    func broken() throws {
        let library = SmallLibrary(needs: ["libone.so.1", "libtwo.so.2"]).bytes
        #expect(Self.needs(of: library) == ["libone.so.1", "libtwo.so.2"])
        for length in stride(from: 0, to: library.count, by: 7) { _ = Self.needs(of: library.prefix(length)) }
        for place in library.indices {
            for byte in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] where library[place] != byte {
                var other = library
                other[place] = byte
                #expect(Self.needs(of: other).count <= Self.limit)
            }
        }
    }

    @Test("A list of libraries that is too long is cut after the first ones")
    func many() {
        let names = (0..<100).map { "lib\($0).so" }
        #expect(Self.needs(of: SmallLibrary(needs: names).bytes) == Array(names.prefix(Int(Self.limit))))
    }

    private static func needs(of file: Data) -> [String] {
        guard let handle = tmpfile() else { return [] }
        defer { fclose(handle) }
        let descriptor = fileno(handle)
        guard file.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == file.count else { return [] }
        return withUnsafeTemporaryAllocation(of: lc_library_name.self, capacity: Int(limit)) { names in
            guard let first = names.baseAddress else { return [] }
            let count = lc_read_needs(descriptor, first, limit)
            return names.prefix(Int(count)).map { name in
                withUnsafeBytes(of: name.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            }
        }
    }
}

/// A 64-bit library that contains only a list of needed libraries.
private struct SmallLibrary {
    let needs: [String]

    var bytes: Data {
        let headSize = 64, segmentSize = 56, entrySize = 16
        let dynamic = headSize + 2 * segmentSize
        let strings = dynamic + entrySize * (needs.count + 2)
        var table = Data([0])
        let places = needs.map { name in
            defer { table.append(contentsOf: Array(name.utf8) + [0]) }
            return table.count
        }
        let end = strings + table.count
        var file = Data([0x7F, 0x45, 0x4C, 0x46, 2, 1, 1]) + Data(count: 9)
        file += word(3, 2) + word(62, 2) + word(1, 4) + word(0, 8) + word(headSize, 8) + word(0, 8) + word(0, 4)
        file += word(headSize, 2) + word(segmentSize, 2) + word(2, 2) + word(0, 6)
        file += segment(kind: 1, offset: 0, size: end) + segment(kind: 2, offset: dynamic, size: strings - dynamic)
        for place in places { file += word(1, 8) + word(place, 8) }
        file += word(5, 8) + word(strings, 8) + word(0, 16)
        return file + table
    }

    private func segment(kind: Int, offset: Int, size: Int) -> Data {
        word(kind, 4) + word(4, 4) + word(offset, 8) + word(offset, 8) + word(offset, 8) + word(size, 8) + word(size, 8)
            + word(8, 8)
    }

    private func word(_ value: Int, _ size: Int) -> Data {
        Data((0..<size).map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * $0)) : 0 })
    }
}
