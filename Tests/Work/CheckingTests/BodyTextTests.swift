import Calling
import Checking
import Foundation
import ReqcliText
import RequestBuilding
import Testing

/// A body is judged as the text that it says; one that can't be read meets no condition, and no `not` either.
struct BodyTextTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let headers: [(String, String)]
        let body: [UInt8]
        /// Why it can't be judged; nil where it says "a failure, é".
        let reason: String?

        init(_ description: String, _ headers: [(String, String)], _ body: [UInt8], _ reason: String? = nil) {
            (testDescription, self.headers, self.body, self.reason) = (description, headers, body, reason)
        }

        func answer(status: Int = 200, method: String = "GET", isDecoded: Bool = false) -> ReceivedResponse {
            ReceivedResponse(
                status: status, headers: HeaderFields(headers.map { HeaderFields.Field($0.0, $0.1) }),
                body: ReceivedBody(body), method: method,
                isDecoded: isDecoded)
        }
    }

    private static func base64(_ text: String) -> [UInt8] { Data(base64Encoded: text).map { [UInt8]($0) } ?? [] }

    private static let text = "a failure, é"
    private static let plain = Array(text.utf8)
    private static let gzip = base64("H4sIAAAAAAACA0tUSEvMzCktStVROLwSAENN/AENAAAA")
    private static let deflate = base64("eJxLVEhLzMwpLUrVUTi8EgAgzgUi")
    private static let bigEndian = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    private static let littleEndian = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    private static let latin1 = text.unicodeScalars.map { UInt8($0.value) }

    private static func type(_ charset: String) -> [(String, String)] {
        [("Content-Type", "text/plain; charset=\(charset)")]
    }

    private static func coding(_ name: String) -> [(String, String)] { [("Content-Encoding", name)] }

    static let readable: [Case] = [
        Case("UTF-8 that names no charset", [], plain), Case("UTF-8", type("utf-8"), plain),
        Case(
            "UTF-8, quoted, in capitals, behind another parameter", [("content-type", #"a/b; x=y; CHARSET="UTF-8""#)],
            plain),
        Case("gzip", coding("gzip"), gzip), Case("x-gzip", coding("X-GZIP"), gzip),
        Case("deflate", coding("deflate"), deflate), Case("identity", coding("identity"), plain),
        Case("UTF-16 with a byte order mark", type("utf-16"), [0xFF, 0xFE] + littleEndian),
        Case("UTF-16 with the other one", type("utf-16"), [0xFE, 0xFF] + bigEndian),
        Case("UTF-16 without one, big-endian", type("utf-16"), bigEndian),
        Case("UTF-16 without one, little-endian", type("utf-16"), littleEndian),
        Case("UTF-16BE", type("utf-16be"), bigEndian), Case("UTF-16LE", type("UTF-16LE"), littleEndian),
        Case("UTF-16 that only its byte order mark names", [], [0xFF, 0xFE] + littleEndian),
        Case("ISO-8859-1", type("ISO-8859-1"), latin1), Case("Latin-1", type("latin1"), latin1),
        Case("windows-1252", type("windows-1252"), latin1),
        Case("one charset twice", type("utf-8; charset=UTF-8") + type("utf-8"), plain),
        Case("gzip and a charset", coding("identity, gzip") + type("utf-8"), gzip),
    ]

    static let unreadable: [Case] = [
        Case(
            "an unknown coding", coding("compress"), [1, 2, 3],
            #"its Content-Encoding is "compress", which reqcli cannot decode"#),
        Case("gzip that is none", coding("gzip"), plain + plain, "it is not valid for its Content-Encoding"),
        Case(
            "gzip that is cut off", coding("gzip"), Array(gzip.dropLast(9)),
            "it is cut off before its Content-Encoding ends"),
        Case(
            "gzip with a charset that it isn't in", coding("gzip") + type("us-ascii"), gzip, "it is not valid US-ASCII"),
        Case(
            "two charsets in one type", type("utf-8; charset=latin1"), plain,
            #"its Content-Type names several charsets: "utf-8", "latin1""#),
        Case(
            "two types with two charsets", type("utf-8") + type("utf-16"), plain,
            #"its Content-Type names several charsets: "utf-8", "utf-16""#),
        Case("an unknown charset", type("koi8-r"), plain, #"its charset is "koi8-r", which reqcli doesn't know"#),
        Case("bytes that are not UTF-8", type("utf-8"), latin1, "it is not valid UTF-8"),
        Case(
            "bytes that are not UTF-8, without a charset", [], latin1,
            "it is not valid UTF-8, and its Content-Type names no charset"),
        Case("half a character of UTF-16", type("utf-16"), bigEndian + [0], "it is not valid UTF-16"),
        Case("half a pair of UTF-16", type("utf-16be"), [0xD8, 0x00], "it is not valid UTF-16"),
        Case("bytes beyond ASCII", type("us-ascii"), plain, "it is not valid US-ASCII"),
        Case("a byte that windows-1252 hasn't", type("windows-1252"), [0x81], "it is not valid windows-1252"),
    ]

    @Test("A body is judged without its coding and in its charset", arguments: readable)
    func read(_ each: Case) throws {
        #expect(try Workshop.failures(#"{"body": {"equals": "a failure, é", "length": 12}}"#, each.answer()).isEmpty)
        let failures = try Workshop.failures(#"{"body": {"not": {"contains": "é"}}}"#, each.answer())
        #expect(
            failures.map(\.message) == [#"body: expected something that doesn't contain "é", found "a failure, é""#])
    }

    static let conditions = [
        #""equals": "x""#, #""equals": {"a": 1}"#, #""contains": "x""#, #""startsWith": "x""#, #""endsWith": "x""#,
        #""matches": "x""#, #""length": 3"#,
    ]

    @Test("A body that can't be read meets no condition, beside not neither", arguments: unreadable, conditions)
    func unread(_ each: Case, _ condition: String) throws {
        for text in ["{\(condition)}", "{\"not\": {\(condition)}}"] {
            let failures = try Workshop.failures("{\"body\": \(text)}", each.answer())
            #expect(failures.map(\.actual) == ["a body that can't be checked: \(each.reason ?? "")"], "\(text)")
        }
        #expect(try Workshop.failures(#"{"body": {"not": {"empty": true}}}"#, each.answer()).isEmpty)
    }

    @Test(
        "Where a response has no body there is none to judge",
        arguments: [
            ("HEAD", 200, "a response to HEAD"), ("GET", 204, "a response with status 204"),
            ("GET", 304, "a response with status 304"),
        ])
    func missing(_ method: String, _ status: Int, _ cause: String) throws {
        let answer = ReceivedResponse(status: status, method: method)
        for condition in Self.conditions {
            let text = "{\"status\": \(status), \"body\": {\"not\": {\(condition)}}}"
            #expect(try Workshop.failures(text, answer).map(\.actual) == ["no body to check: \(cause) has no body"])
        }
        #expect(try Workshop.failures("{\"status\": \(status), \"body\": {\"empty\": true}}", answer).isEmpty)
        let json = try Workshop.failures("{\"status\": \(status), \"json\": {\"$\": {\"exists\": false}}}", answer)
        #expect(json.map(\.actual) == ["no body to check: \(cause) has no body"])
    }

    @Test("A body over the limit fails what looks into it, and nothing else")
    func tooLarge() throws {
        let answer = ReceivedResponse(
            status: 200, headers: ["A": "b"],
            body: ReceivedBody(Array("[1,".utf8), size: 9 << 20, limit: 8 << 20))
        let reason = "a body that can't be checked: it is larger than 8 MiB; --max-body allows more"
        for condition in Self.conditions {
            #expect(try Workshop.failures("{\"body\": {\"not\": {\(condition)}}}", answer).map(\.actual) == [reason])
        }
        let json = #"{"json": {"$.a": {"exists": false}}}"#
        #expect(try Workshop.failures(json, answer).map(\.actual) == [reason])
        #expect(try Workshop.failures(#"{"body": {"empty": true}}"#, answer).count == 1)
        #expect(try Workshop.failures(#"{"status": 200, "headers": {"A": "b"}, "maxTime": "1s"}"#, answer).isEmpty)
        #expect(try Workshop.failures(#"{"status": 201, "headers": {"A": "c"}}"#, answer).count == 2)
    }

    @Test("A body that is larger than the limit only when decompressed is no different")
    func tooLargeDecompressed() throws {
        let answer = ReceivedResponse(
            status: 200, headers: ["Content-Encoding": "gzip"],
            body: ReceivedBody(Self.base64("H4sIAAAAAAACA0tMHAWjYBQMdwAAA9o4mugDAAA="), limit: 999))
        // 1,000 times the letter a.
        #expect(
            try Workshop.failures(#"{"body": {"contains": "a"}}"#, answer).map(\.actual) == [
                "a body that can't be checked: it is larger than 999 bytes after decompression; --max-body allows more"
            ])
    }

    @Test("What the transport has decoded is not decoded again, whatever the header says")
    func decodedBefore() throws {
        let answer = Case("", Self.coding("gzip"), Self.plain).answer(isDecoded: true)
        #expect(try Workshop.failures(#"{"body": "a failure, é"}"#, answer).isEmpty)
    }

    @Test("JSON and what is captured are read like text")
    func json() throws {
        let body = Self.base64("H4sIAAAAAAACA6tWSlSyUlBKS8zMKS1KVaoFAJ6Vod0QAAAA")
        let answer = Case("", Self.coding("gzip"), body).answer()
        #expect(try Workshop.failures(#"{"json": {"$.a": "failure"}}"#, answer).isEmpty)
        let unknown = Case("", Self.coding("compress"), body).answer()
        #expect(
            try Workshop.failures(#"{"json": {"$.a": {"exists": false}}}"#, unknown).map(\.message) == [
                #"body: expected JSON, found a body that can't be checked: its Content-Encoding is "compress", which reqcli cannot decode"#
            ])
        #expect(try CaptureTests.read(#"{"c": {"json": "$.a"}, "b": {"body": true}}"#, answer).problems.isEmpty)
        #expect(
            try CaptureTests.read(#"{"c": {"json": "$.a"}}"#, unknown).problems.map(\.message) == [
                #"the capture "c" of a found a body that can't be checked: its Content-Encoding is "compress", which reqcli cannot decode"#
            ])
    }
}
