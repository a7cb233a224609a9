// Writes a part of ICU's data: the items named, under the header of the whole.
// usage: icu-data WHOLE PART ITEM...
//
// The layout is that of ICU's "CmnD" packages: a header that says its own size; a table of contents, which is a count and
// a pair of offsets (of a name, of its data) for each item, sorted by name; the names; the data, on multiples of 16 bytes.
// Offsets count from the table. Names are "icudt76l/uts46.nrm" and the like. All numbers are little-endian.
import Foundation

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("icu-data: \(message)\n".utf8))
    exit(1)
}

func number(_ bytes: Data, at offset: Int, size: Int = 4) -> Int {
    guard offset >= 0, offset + size <= bytes.count else { fail("the data ends before byte \(offset + size)") }
    return (0..<size).reduce(0) { $0 | Int(bytes[bytes.startIndex + offset + $1]) << (8 * $1) }
}

func little(_ number: Int) -> Data {
    withUnsafeBytes(of: UInt32(number).littleEndian) { Data($0) }
}

guard CommandLine.arguments.count > 3 else { fail("usage: icu-data WHOLE PART ITEM...") }
let (whole, part) = (CommandLine.arguments[1], CommandLine.arguments[2])
var wanted = Set(CommandLine.arguments[3...])
guard let bytes = FileManager.default.contents(atPath: whole) else { fail("cannot read \(whole)") }
guard number(bytes, at: 2, size: 2) == 0x27DA, bytes[12..<16].elementsEqual("CmnD".utf8) else {
    fail("\(whole) is not an ICU data package")
}

let table = number(bytes, at: 0, size: 2)
let count = number(bytes, at: table)
var items: [(name: Data, data: Data)] = []
for index in 0..<count {
    let entry = table + 4 + 8 * index
    let start = table + number(bytes, at: entry)
    let name = bytes[start...].prefix { $0 != 0 }
    let item = String(decoding: name, as: UTF8.self).split(separator: "/", maxSplits: 1).last.map(String.init) ?? ""
    guard wanted.remove(item) != nil else { continue }
    let end = index + 1 < count ? table + number(bytes, at: entry + 12) : bytes.count
    items.append((Data(name) + [0], bytes[(table + number(bytes, at: entry + 4))..<end]))
}
if !wanted.isEmpty { fail("the toolchain's ICU data has no \(wanted.sorted().joined(separator: ", "))") }

var contents = little(items.count)
var names = Data()
var data = Data()
let nameStart = 4 + 8 * items.count
let namesSize = items.reduce(0) { $0 + $1.name.count }
let dataStart = (nameStart + namesSize + 15) & ~15
for item in items {
    contents += little(nameStart + names.count) + little(dataStart + data.count)
    names += item.name
    data += item.data + Data(count: (16 - item.data.count % 16) % 16)
}
let output = bytes[..<table] + contents + names + Data(count: dataStart - nameStart - namesSize) + data
guard FileManager.default.createFile(atPath: part, contents: output) else { fail("cannot write \(part)") }
