import Foundation
import HTTPWire
import TestSupport
import Testing

/// Bodies in chunks by chance.
struct ChunkFuzzTests {
    static let count = RandomInputs.count(2_000)

    static let pieces =
        [
            "0", "1", "3", "A", "f", "00", "ffffffffffffffff", "8000000000000000", "\r\n", "\r\n", "\r\n", "\r\n", "\r",
            "\n", "a", "abc", "0123456789", ";", ";a", "=", "b", "\"", "\\", " ", "\t", "\0", "é", "A: b\r\n", ":",
            "0\r\n\r\n", "3\r\nabc\r\n", "1;a=\"\\\"\"\r\n", String(repeating: "x", count: 253),
        ].map { Array($0.utf8) }

    static func bytes(_ pieces: [[UInt8]], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1...14, using: &generator) {
            bytes += pieces.randomElement(using: &generator) ?? []
        }
        return bytes
    }

    @Test("Random chunks are refused or read as the grammar says, however they are cut")
    func chunks() throws {
        var generator = SeededGenerator(seed: 12)
        let grammar = try ChunkGrammar()
        var complete = 0
        for _ in 0..<Self.count {
            let bytes = Self.bytes(Self.pieces, &generator)
            let whole = ChunkTests.outcome([bytes[...]])
            let cut = Int.random(in: 0...bytes.count, using: &generator)
            let isRight =
                whole == grammar.outcome(bytes) && whole == ChunkTests.outcome([bytes[..<cut], bytes[cut...]])
                && whole == ChunkTests.outcome(bytes.indices.map { bytes[$0...$0] })
            #expect(isRight, "\(whole), not \(grammar.outcome(bytes)): \(bytes)")
            if !["more", "400", "413"].contains(whole) { complete += 1 }
        }
        // Else it would try little.
        #expect(complete > Self.count / 50)
    }

    @Test("Random requests behind one another are read in the same way, however they are cut")
    func requests() {
        var generator = SeededGenerator(seed: 13)
        let heads = [
            "P /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n",
            "P /b HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n", "GET /c HTTP/1.1\r\nHost: h\r\n\r\n",
            "P /d HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n", "0\r\n\r\n",
        ].map { Array($0.utf8) }
        for _ in 0..<Self.count {
            let bytes = Self.bytes(heads + heads + heads + Self.pieces, &generator)
            let whole = RequestReaderTests.outcome([bytes[...]])
            let cut = Int.random(in: 0...bytes.count, using: &generator)
            let isSame =
                whole == RequestReaderTests.outcome([bytes[..<cut], bytes[cut...]])
                && whole == RequestReaderTests.outcome(bytes.indices.map { bytes[$0...$0] })
            #expect(isSame, "\(bytes)")
        }
    }
}

/// The grammar of RFC 9112, section 7.1, in regular expressions, for a body that is there as a whole.
private struct ChunkGrammar {
    private let size: NSRegularExpression
    private let trailer: NSRegularExpression

    init() throws {
        let token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
        let quoted = #""(?:[\t\x20!\x23-\x5B\x5D-\x7E\x80-\xFF]|\\[\t\x20-\x7E\x80-\xFF])*""#
        let space = "[ \\t]*"
        size = try NSRegularExpression(
            pattern: "\\A([0-9A-Fa-f]+)(?:\(space);\(space)\(token)(?:\(space)=\(space)(?:\(token)|\(quoted)))?)*\\z")
        trailer = try NSRegularExpression(pattern: "\\A\(token):[\\t\\x20-\\x7E\\x80-\\xFF]*\\z")
    }

    /// As `ChunkTests.outcome` has it.
    func outcome(_ bytes: [UInt8]) -> String {
        var rest = bytes[...]
        var body: [UInt8] = []
        while true {
            switch line(&rest, longest: 256) {
            case .failure(let end): return end.outcome
            case .success(let text):
                guard let digits = first(size, in: text) else { return "400" }
                guard let count = Int(digits, radix: 16), body.count + count <= 10 else { return "413" }
                if count == 0 { return outcome(ofTrailers: rest, body) }
                let data = rest.prefix(count)
                rest = rest.dropFirst(count)
                body += data
                if data.count < count { return "more" }
            }
            switch line(&rest, longest: 0) {
            case .failure(let end): return end.outcome
            case .success(let text): if !text.isEmpty { return "400" }
            }
        }
    }

    private func outcome(ofTrailers bytes: ArraySlice<UInt8>, _ body: [UInt8]) -> String {
        var rest = bytes
        while true {
            switch line(&rest, longest: 8192) {
            case .failure(let end): return end.outcome
            case .success(""): return String(decoding: body, as: UTF8.self) + (rest.isEmpty ? "" : " +\(rest.count)")
            case .success(let text): if first(trailer, in: text) == nil { return "400" }
            }
        }
    }

    private struct End: Error {
        let outcome: String
    }

    /// The next line, each byte as one character.
    private func line(_ rest: inout ArraySlice<UInt8>, longest: Int) -> Result<String, End> {
        guard let end = rest.firstIndex(of: 0x0A) else {
            return .failure(End(outcome: rest.count > longest + 1 ? "400" : "more"))
        }
        let line = rest[..<end]
        rest = rest[(end + 1)...]
        guard line.count <= longest + 1, line.last == 0x0D else { return .failure(End(outcome: "400")) }
        return .success(String(String.UnicodeScalarView(line.dropLast().map { Unicode.Scalar($0) })))
    }

    /// What the first group has, or all of the text.
    private func first(_ expression: NSRegularExpression, in text: String) -> String? {
        let all = NSRange(location: 0, length: text.utf16.count)
        guard let match = expression.firstMatch(in: text, range: all) else { return nil }
        return (text as NSString).substring(with: match.range(at: match.numberOfRanges > 1 ? 1 : 0))
    }
}
