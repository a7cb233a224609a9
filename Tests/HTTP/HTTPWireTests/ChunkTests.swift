import HTTPWire
import TestSupport
import Testing

@Suite("Bodies in chunks")
struct ChunkTests {
    static let rows: [(name: String, text: String, outcome: String)] = [
        ("two chunks", "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", "abcde"), ("no bytes", "0\r\n\r\n", ""),
        ("hexadecimal digits", "00A\r\n0123456789\r\n0\r\n\r\n", "0123456789"),
        ("what follows stays", "1\r\na\r\n0\r\n\r\nGET /", "a +5"), ("half a chunk", "3\r\nab", "more"),
        ("no last empty line", "1\r\na\r\n0\r\n", "more"),
        ("trailers", "1\r\na\r\n0\r\nA: b\r\nC:\r\n\r\n", "a"), ("a bad trailer", "0\r\nA\r\n\r\n", "400"),
        ("a folded trailer", "0\r\nA: b\r\n c\r\n\r\n", "400"),
        ("extensions", "1;a;b=c; d = \"e;\\\"\r\na\r\n0\r\n\r\n", "400"),
        ("an extension in quotes", "1;a=\"b;\\\"c\" ; d=e\r\na\r\n0;x\r\n\r\n", "a"),
        ("an extension without a name", "1;\r\na\r\n0\r\n\r\n", "400"),
        ("an extension without a sign", "1 a\r\na\r\n", "400"),
        ("a space before a size", " 1\r\na\r\n", "400"), ("a space behind a size", "1 \r\na\r\n0\r\n\r\n", "400"),
        ("a sign", "+1\r\na\r\n", "400"), ("a prefix", "0x1\r\na\r\n", "400"), ("no size", "\r\na\r\n", "400"),
        ("no digits", "g\r\n", "400"), ("LF alone behind a size", "1\na\r\n", "400"),
        ("LF alone behind a chunk", "1\r\na\n0\r\n\r\n", "400"), ("CR alone in a size", "1\r\r\na\r\n", "400"),
        ("a chunk longer than its size", "1\r\nab\r\n0\r\n\r\n", "400"),
        ("a chunk shorter than its size", "3\r\na\r\n0\r\n\r\n", "400"),
        ("a control character in an extension", "1;a=\"\u{1}\"\r\na\r\n", "400"),
        ("the largest body", "5\r\nabcde\r\n5\r\nabcde\r\n0\r\n\r\n", "abcdeabcde"),
        ("a larger body", "5\r\nabcde\r\n6\r\n", "413"), ("a huge chunk", "ffffffffffffffffff\r\n", "413"),
        ("the largest number", "7fffffffffffffff\r\n", "413"),
        ("the longest line", "1;\(String(repeating: "a", count: 254))\r\na\r\n0\r\n\r\n", "a"),
        ("a longer line", "1;\(String(repeating: "a", count: 255))\r\na\r\n0\r\n\r\n", "400"),
        ("the longest trailers", "0\r\nA:\(String(repeating: "a", count: 8190))\r\n\r\n", ""),
        (
            "longer trailers",
            "0\r\nA:\(String(repeating: "a", count: 8100))\r\nB:\(String(repeating: "a", count: 91))\r\n\r\n", "400"
        ),
    ]

    /// The body, with the number of bytes behind it, or the status that refuses it.
    static func outcome(_ parts: [ArraySlice<UInt8>]) -> String {
        var limits = RequestLimits()
        limits.body = 10
        var reader = ChunkReader(limits: limits)
        var body: [UInt8] = []
        var left = 0
        do throws(WireProblem) {
            for part in parts {
                let count = try reader.read(part, into: &body)
                left += part.count - count
            }
        } catch {
            return "\(error.status)"
        }
        let text = String(decoding: body, as: UTF8.self)
        return reader.isDone ? text + (left > 0 ? " +\(left)" : "") : "more"
    }

    @Test("A body is read in the same way, however its bytes come", arguments: rows)
    func reading(_ name: String, _ text: String, _ outcome: String) {
        let bytes = Array(text.utf8)
        #expect(Self.outcome([bytes[...]]) == outcome)
        #expect(Self.outcome(bytes.indices.map { bytes[$0...$0] }) == outcome)
        for cut in bytes.indices.prefix(400) {
            #expect(Self.outcome([bytes[..<cut], bytes[cut...]]) == outcome, "cut at \(cut)")
        }
    }

    @Test(
        "A refusal says what is wrong with the chunks",
        arguments: [
            ("1\r\nab\r\n", "a chunk has more data than its size says"),
            ("1\r\nabc", "a chunk has more data than its size says"),
            ("1;\(String(repeating: "a", count: 255))\r\n", "the line with a chunk's size has more than 256 bytes"),
            (
                "0\r\nA:\(String(repeating: "a", count: 5000))\r\nB:\(String(repeating: "a", count: 5000))\r\n",
                "the trailers have more than 8192 bytes"
            ),
        ])
    func wording(_ text: String, _ reason: String) {
        var reader = ChunkReader()
        var body: [UInt8] = []
        let problem = #expect(throws: WireProblem.self) { try reader.read(Array(text.utf8)[...], into: &body) }
        #expect(problem?.reason == reason)
    }

    @Test("A body of random chunks is what was written")
    func random() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<300 {
            var wire: [UInt8] = []
            var written: [UInt8] = []
            for _ in 0..<Int.random(in: 0...5, using: &generator) {
                let chunk = (0..<Int.random(in: 1...400, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
                wire += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + [0x0D, 0x0A]
                written += chunk
            }
            wire += "0\r\n\r\n".utf8
            var reader = ChunkReader()
            var body: [UInt8] = []
            var place = 0
            while place < wire.count {
                let end = min(wire.count, place + Int.random(in: 1...500, using: &generator))
                #expect(try reader.read(wire[place..<end], into: &body) == end - place)
                place = end
            }
            #expect(reader.isDone && body == written)
        }
    }
}

@Suite("Heads of responses")
struct HeadWriterTests {
    @Test("A head has its status, its phrase, and its fields in order")
    func head() {
        let head = HeadWriter.lines(status: 404, fields: [("B", "1"), ("A", "é")])
        #expect(String(decoding: head, as: UTF8.self) == "HTTP/1.1 404 Not Found\r\nB: 1\r\nA: é\r\n")
    }

    @Test("A status without a phrase keeps the space before it")
    func unknown() {
        #expect(String(decoding: HeadWriter.lines(status: 299, fields: []), as: UTF8.self) == "HTTP/1.1 299 \r\n")
    }

    @Test("No value ends a line")
    func injection() {
        let head = HeadWriter.lines(status: 200, fields: [("A", "b\r\nC: d\0")])
        #expect(String(decoding: head, as: UTF8.self) == "HTTP/1.1 200 OK\r\nA: b  C: d \r\n")
    }
}
