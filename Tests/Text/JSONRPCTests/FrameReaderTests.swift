import JSONRPC
import ReqcliBasics
import Testing

@Suite struct FrameReaderTests {
    private func frames(_ framing: Framing, _ text: String, pieces: Int = 1) -> [String] {
        var reader = FrameReader(framing)
        var found: [String] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: max(1, bytes.count / pieces)) {
            reader.add(bytes[start..<min(bytes.count, start + max(1, bytes.count / pieces))])
            while let frame = reader.next() {
                switch frame {
                case .message(let bytes): found.append(String(decoding: bytes, as: UTF8.self))
                case .damaged(let reason): found.append("! \(reason)")
                }
            }
        }
        return found
    }

    @Test(arguments: [1, 3, 1000])
    func headersAndTheirMessages(pieces: Int) {
        let text =
            "Content-Length: 2\r\n\r\n{}content-length:4\r\nContent-Type: x; y\r\n\r\n\"é\"Content-Length: 0\r\n\r\n"
        #expect(frames(.header, text, pieces: pieces) == ["{}", "\"é\"", ""])
    }

    @Test(arguments: [
        "Content-Length: two\r\n\r\n", "Content-Length: -1\r\n\r\n", "Content-Length: 99999999999999999999\r\n\r\n",
        "Content-Type: x\r\n\r\n", "nonsense\r\n\r\n", "Content-Length: 1\r\nContent-Length: 1\r\n\r\n",
    ])
    func afterADamagedHeaderTheNextOneIsRead(damage: String) {
        let found = frames(.header, damage + "Content-Length: 2\r\n\r\n[]", pieces: 4)
        #expect(found.last == "[]")
        #expect(found.first == "! a header has no valid Content-Length" || found.first == "\r")
    }

    @Test func aHeaderWithoutEnd() {
        let found = frames(.header, String(repeating: "x", count: 5000) + "Content-Length: 2\r\n\r\n[]", pieces: 1000)
        #expect(found.first == "! a header has no end")
        #expect(found.last == "[]")
    }

    @Test func aMessageThatIsTooLargeIsLeftOut() {
        var reader = FrameReader(.header)
        reader.add(Array("Content-Length: \(FrameReader.largestMessage + 1)\r\n\r\n".utf8))
        #expect(reader.next() == .damaged("a message is larger than 64 MiB"))
        reader.add([UInt8](repeating: 0x20, count: FrameReader.largestMessage))
        #expect(reader.next() == nil)
        reader.add(Array(" Content-Length: 2\r\n\r\n{}".utf8))
        #expect(reader.next() == .message(Array("{}".utf8)))
    }

    @Test(arguments: [1, 2, 1000])
    func lines(pieces: Int) {
        #expect(frames(.line, "{}\n\n  \r\n[1]\r\n{\"a\":\n", pieces: pieces) == ["{}", "[1]", "{\"a\":"])
    }

    @Test func framesAreReadBack() {
        for framing in [Framing.header, .line] {
            #expect(frames(framing, String(decoding: framing.framed("{\"é\":1}"), as: UTF8.self)) == ["{\"é\":1}"])
        }
    }
}
