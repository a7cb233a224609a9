import ReqcliText
import TestSupport
import Testing

@testable import Checking

/// The file of a recorded run.
@Suite struct RecordingFileTests {
    private func archive(_ entries: [(String, String)]) throws -> [UInt8] {
        var archive = StoredZip()
        for (name, text) in entries { try archive.add(name, Array(text.utf8)) }
        return archive.bytes
    }

    @Test("an archive has the bytes that zip programs read")
    func bytes() throws {
        let bytes = try archive([("a", "hello")])
        #expect(bytes.count == 30 + 1 + 5 + 46 + 1 + 22)
        // The checksum is that of zlib.crc32(b"hello").
        #expect(bytes[14..<18].elementsEqual([0x86, 0xA6, 0x10, 0x36]))
        #expect(try StoredZip(reading: bytes).entries == [StoredZip.Entry(name: "a", bytes: Array("hello".utf8))])
        #expect(try StoredZip(reading: try archive([])).entries.isEmpty == true)
    }

    @Test("each changed bit, each cut and each byte more of an archive is noticed")
    func damage() throws {
        let bytes = try archive([("run.json", "{}"), ("bodies/0", "hello")])
        for index in bytes.indices {
            for bit in 0..<8 {
                var other = bytes
                other[index] ^= 1 << UInt8(bit)
                #expect(throws: StoredZip.Problem.self) { try StoredZip(reading: other) }
            }
            #expect(throws: StoredZip.Problem.self) { try StoredZip(reading: Array(bytes[..<index])) }
            #expect(throws: StoredZip.Problem.self) {
                try StoredZip(reading: Array(bytes[..<index]) + [0] + bytes[index...])
            }
        }
    }

    private static let head = """
        "words": [], "environment": "e", "root": "/w", "folder": "/w", "date": 1, "origin": 2, "exitCode": 1, "files": []
        """

    @Test(
        "the reason names what is wrong with a recording",
        arguments: [
            ([("x", "{}")], "it is not a recording of check: it has no entry run.json"),
            ([("run.json", "[")], "run.json is not valid JSON"),
            ([("run.json", "{}")], "it is not a recording of check"),
            (
                [("run.json", #"{"format": "reqcli.recording", "version": 2}"#)],
                "a newer version of reqcli made it; update reqcli to replay it"
            ),
            (
                [("run.json", #"{"format": "reqcli.recording", "version": 1}"#)], "\"words\" is missing at 1:1"
            ),
            (
                [("run.json", #"{"format": "reqcli.recording", "version": 1, \#(head)}"#)],
                "it is not a recording of check: it has no entry calls.json"
            ),
            (
                [
                    ("run.json", #"{"format": "reqcli.recording", "version": 1, \#(head)}"#),
                    ("calls.json", #"[{"key": 1}]"#),
                ],
                "1:10 is not a string"
            ),
            (
                [
                    ("run.json", #"{"format": "reqcli.recording", "version": 1, \#(head)}"#), ("calls.json", "[]"),
                    ("../x", ""),
                ], "it has entries that reqcli didn't write"
            ),
        ] as [([(String, String)], String)])
    func reasons(entries: [(String, String)], reason: String) throws {
        let bytes = try archive(entries)
        let error = #expect(throws: RunRecording.Unreadable.self) { try RunRecording(reading: bytes) }
        #expect(error?.reason == reason)
    }
}
