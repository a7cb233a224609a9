import Exchange
import TestSupport
import Testing

@Suite("Event streams")
struct EventParserTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var format = EventFormat.eventStream
        let bytes: [UInt8]
        let events: [StreamEvent]
        var testDescription: String { name }

        init(_ name: String, _ text: String, _ data: String...) {
            self.init(name, bytes: Array(text.utf8), data.map { StreamEvent(data: $0) })
        }

        init(_ name: String, bytes: [UInt8], _ events: [StreamEvent], _ format: EventFormat = .eventStream) {
            self.name = name
            self.bytes = bytes
            self.events = events
            self.format = format
        }
    }

    /// The rules of the HTML standard, section 9.2.6; the names are those of the files `eventsource/format-…` of
    /// web-platform-tests where one has the case.
    static let standard = [
        Row("bom", "\u{FEFF}data:1\n\n\u{FEFF}data:2\n\ndata:3\n\n", "1", "3"),
        Row("bom-2", "\u{FEFF}\u{FEFF}data:1\n\ndata:2\n\ndata:3\n\n", "2", "3"),
        Row(
            "comments",
            "data:1\n:\0\n:\ndata:2\n:\(String(repeating: "x", count: 2000))\ndata:3\n:data:fail\n: \r\ndata:4\n\n",
            "1\n2\n3\n4"),
        Row("data-before-final-empty-line", "data:1\n\nid:test\ndata:2", "1"),
        Row("data-before-final-empty-line, with the line's end", "data:1\n\ndata:2\n", "1"),
        Row("field-data", "data:\n\ndata\ndata\n\ndata:test\n\n", "", "\n", "test"),
        Row(
            "field-event", bytes: Array("event:test\ndata:x\n\ndata:y\n\nevent:a\nevent:b\ndata:z\n\n".utf8),
            [
                StreamEvent(event: "test", data: "x"), StreamEvent(data: "y"), StreamEvent(event: "b", data: "z"),
            ]),
        Row("field-event-empty", "event: \ndata:data\n\nevent\ndata:data\n\n", "data", "data"),
        Row("an event without data is none, and its type is forgotten", "event:a\n\ndata:x\n\n", "x"),
        Row(
            "field-id", bytes: Array("id:1\ndata:a\n\ndata:b\n\nid:2\n\ndata:c\n\nid\ndata:d\n\n".utf8),
            [
                StreamEvent(id: "1", data: "a"), StreamEvent(id: "1", data: "b"), StreamEvent(id: "2", data: "c"),
                StreamEvent(data: "d"),
            ]),
        Row(
            "field-id-null", bytes: Array("id:7\nid:a\0b\ndata:x\n\nid:\0\ndata:y\n\n".utf8),
            [StreamEvent(id: "7", data: "x"), StreamEvent(id: "7", data: "y")]),
        Row(
            "field-parsing",
            "data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\ndata:4\n\n",
            "\0\n 2\n1\n3\n\n4"),
        Row("field-retry", "retry:3000\ndata:x\n\n", "x"),
        Row("field-retry-bogus", "retry:3000\nretry:1000x\nretry:\nretry\nretry:-1\ndata:x\n\n", "x"),
        Row(
            "field-unknown",
            "data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\ndata:test\n\n", "test\n\ntest"),
        Row("leading-space", "data:\ttest\rdata: \ndata:test\n\n", "\ttest\n\ntest"),
        Row("newlines", "data:test\r\ndata\ndata:test\r\n\r\n", "test\n\ntest"),
        Row(
            "newlines, each kind alone and mixed", "data:1\r\rdata:2\n\ndata:3\r\n\r\ndata:4\r\n\rdata:5\n\r\n", "1",
            "2", "3", "4", "5"),
        Row("null-character", "data:\0\n\n\n\n", "\0"),
        Row("utf-8", "data:ok…\n\n", "ok…"),
        Row(
            "invalid UTF-8 is replaced", bytes: [0x64, 0x61, 0x74, 0x61, 0x3A, 0x61, 0xFF, 0xE2, 0x82, 0x0A, 0x0A],
            [StreamEvent(data: [0x61, 0xFF, 0xE2, 0x82])]),
        Row("a colon in the value", "data:a:b\n\n", "a:b"),
        Row("nothing", ""),
    ]

    static let lines = [
        Row(
            "lines", bytes: Array("{\"n\":1}\n[2]\n".utf8), [#"{"n":1}"#, "[2]"].map { StreamEvent(data: $0) },
            .jsonLines),
        Row(
            "a last line without its end, blank lines, and spaces around",
            bytes: Array("\r\n 1 \r\n\n\t\n\"a\rb\"".utf8), ["1", "\"a\rb\""].map { StreamEvent(data: $0) }, .jsonLines),
        Row("BOM", bytes: [0xEF, 0xBB, 0xBF, 0x31], [StreamEvent(data: "1")], .jsonLines),
        Row("only whitespace", bytes: Array(" \n ".utf8), [], .jsonLines),
    ]

    @Test("The events are those of the standard, wherever the chunks are cut", arguments: standard + lines)
    func cases(_ row: Row) throws {
        #expect(try Self.events(in: [row.bytes[...]], row.format) == row.events)
        #expect(try Self.events(in: row.bytes.map { [$0] }, row.format) == row.events)
        for cut in row.bytes.indices {
            #expect(try Self.events(in: [row.bytes[..<cut], row.bytes[cut...]], row.format) == row.events)
        }
    }

    @Test("An event is there with the first byte that ends it")
    func promptness() throws {
        var parser = EventParser(.eventStream)
        var bytes = Array("data:x\r\r".utf8)[...]
        #expect(try parser.next(in: &bytes) == StreamEvent(data: "x"))
        bytes = Array("\ndata:y\n\nrest".utf8)[...]
        #expect(try parser.next(in: &bytes) == StreamEvent(data: "y"))
        #expect(String(decoding: bytes, as: UTF8.self) == "rest")
        #expect(!parser.isInsideEvent)
        #expect(try parser.next(in: &bytes) == nil && bytes.isEmpty && parser.isInsideEvent)
    }

    @Test(
        "An event that never ends is refused", arguments: ["x", "data:\(String(repeating: "x", count: 1000))\n", "x\n"])
    func endless(_ text: String) {
        let limit = 1 << 16
        let chunk = Array(String(repeating: text, count: limit / 16 / text.utf8.count + 1).utf8)
        var parser = EventParser(.eventStream, limit: limit)
        func feed() throws {
            for _ in 0...16 {
                var bytes = chunk[...]
                while try parser.next(in: &bytes) != nil {}
            }
        }
        if text == "x\n" {
            // Lines of unknown fields are forgotten.
            #expect(throws: Never.self) { try feed() }
        } else {
            #expect(throws: EventTooLarge(limit: limit)) { try feed() }
        }
    }

    @Test("Random streams have the same events however they are cut")
    func random() throws {
        var generator = SeededGenerator(seed: 6)
        let pieces = ["data", ":", " ", "\n", "\r", "\r\n", "\n\n", "id:", "event:", "é", "\u{FEFF}", "\0", "{}"]
        for _ in 0..<300 {
            let text = (0..<40).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            let bytes = Array(text.utf8)
            let whole = try Self.events(in: [bytes[...]], .eventStream)
            var chunks: [ArraySlice<UInt8>] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...9, using: &generator)
                chunks.append(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            #expect(try Self.events(in: chunks, .eventStream) == whole, "\(text.debugDescription)")
        }
    }

    @Test(
        "The format is that of the Content-Type",
        arguments: [
            ("text/event-stream", EventFormat.eventStream), ("Text/Event-Stream ; charset=utf-8", .eventStream),
            ("text/event-stream;", .eventStream), ("application/x-ndjson", .jsonLines),
            ("application/jsonl", .jsonLines),
            ("application/json", nil), ("text/event-stream bogus", nil), ("", nil),
        ])
    func format(_ type: String, _ format: EventFormat?) {
        #expect(EventFormat(contentType: type) == format)
    }

    private static func events(in chunks: [ArraySlice<UInt8>], _ format: EventFormat) throws -> [StreamEvent] {
        var parser = EventParser(format)
        var events: [StreamEvent] = []
        for chunk in chunks {
            var rest = chunk
            while let event = try parser.next(in: &rest) { events.append(event) }
        }
        return events + [parser.end()].compactMap(\.self)
    }
}
