import CommandLineKit
import Importing
import ReqcliBasics
import ReqcliText

/// A kind of source that `import` doesn't read, and how to get a source that it reads.
struct ForeignSource {
    /// The words that a message has after the name of the file: "is a collection of Thunder Client".
    let description: String
    let advice: String
    fileprivate let marks: [Mark]

    fileprivate init(_ description: String, _ advice: String, _ marks: Mark...) {
        self.description = description
        self.advice = advice
        self.marks = marks
    }

    /// A mark that every source of the kind has.
    fileprivate enum Mark {
        /// No content, or only whitespace.
        case nothing
        /// A zero byte.
        case binary
        /// The first bytes.
        case bytes([UInt8])
        /// A zero byte at one of the first two positions, and none at the other.
        case zeroByte(at: Int)
        /// The beginning of the text, in small letters and without whitespace before it.
        case text(String)
        /// The beginning of a line.
        case line(String)
        /// Keys of the outermost object, and keys that it doesn't have. For a list, those of the first object in it.
        case keys([String], without: [String] = [])
        /// A text in the outermost object.
        case value(String, of: String)
    }

    static let all: [ForeignSource] = [
        ForeignSource("is empty", "name a file with requests", .nothing),
        ForeignSource("is compressed with gzip", "decompress it first: gunzip FILE", .bytes([0x1F, 0x8B])),
        ForeignSource("is a ZIP archive", "unpack it first: unzip FILE", .bytes(Array("PK\u{3}\u{4}".utf8))),
        ForeignSource("is UTF-16, not UTF-8", convert("UTF-16"), .bytes([0xFF, 0xFE]), .bytes([0xFE, 0xFF])),
        ForeignSource("is UTF-16, not UTF-8", convert("UTF-16LE"), .zeroByte(at: 1)),
        ForeignSource("is UTF-16, not UTF-8", convert("UTF-16BE"), .zeroByte(at: 0)),
        ForeignSource(
            "is an HTML page",
            "save the file itself, not a page that shows it (on GitHub: \"Raw\") or that asks for a login",
            .text("<!doctype html"), .text("<html")),
        ForeignSource(
            "is a collection of Thunder Client", viaPostman, .value("Thunder Client", of: "clientName"),
            .value("Thunder Client", of: "client")),
        ForeignSource(
            "is a collection of Hoppscotch",
            "copy its requests as curl commands to a file, and run: \(Program.name) import curl NEW_FILE",
            .keys(["v", "folders", "requests"])),
        ForeignSource(
            "is a collection of Postman in the format v1", viaPostman, .keys(["requests", "order"], without: ["info"])),
        ForeignSource(
            "is a description in AsyncAPI", "it describes messages, not HTTP requests; import a description in OpenAPI",
            .keys(["asyncapi"]), .line("asyncapi:")),
        ForeignSource("is binary, not text", "name a file with requests", .binary),
    ]

    private static let viaPostman =
        "import it into Postman, export it there as \"Collection v2.1\", and import the exported file"

    private static func convert(_ encoding: String) -> String {
        "convert it first: iconv -f \(encoding) -t UTF-8 FILE > NEW_FILE"
    }

    /// The kind of a file; nil for a kind that isn't known.
    static func kind(of file: SourceFile) -> ForeignSource? { all.first { $0.marks.contains { $0.isIn(file) } } }
}

extension ForeignSource.Mark {
    fileprivate func isIn(_ file: SourceFile) -> Bool {
        let bytes = file.bytes
        switch self {
        case .nothing: return bytes.allSatisfy(\.isJSONWhitespace)
        case .binary: return bytes.prefix(1000).contains(0)
        case .bytes(let start): return bytes.starts(with: start)
        case .zeroByte(let position): return bytes.count > 1 && bytes[position] == 0 && bytes[1 - position] != 0
        case .text(let start):
            let head = String(decoding: bytes.drop { $0.isJSONWhitespace || $0 >= 0x80 }.prefix(20), as: UTF8.self)
            return head.lowercased().hasPrefix(start)
        case .line(let start): return SourceLine.lines(of: file, atMost: 200).contains { $0.begins(with: start) }
        case .keys(let keys, let others):
            guard let object = Self.object(of: file) else { return false }
            return keys.allSatisfy { object[$0] != nil } && others.allSatisfy { object[$0] == nil }
        case .value(let text, let key): return Self.object(of: file)?[key]?.string == text
        }
    }

    private static func object(of file: SourceFile) -> JSONValue? {
        guard let first = file.bytes.first(where: { !$0.isJSONWhitespace && $0 < 0x80 }) else { return nil }
        if first != UInt8(ascii: "[") { return SourceJSON.object(of: file) }
        return JSONDocument.read(file, limits: JSONReader.Limits(problems: 1)).root?.elements.first { _ in true }
    }
}
