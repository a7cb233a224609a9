import HTTPWire
import ReqcliServing
import TestSupport
import Testing

@Suite("Responses on the wire")
struct ResponseTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let status: Int
        let fields: [(name: String, value: String)]
        let body: ServerReply.Body
        let request: String
        let text: String
    }

    private static func row(
        _ name: String, _ status: Int = 200, _ fields: [(name: String, value: String)] = [], _ body: String? = "{}",
        request: String = "GET / HTTP/1.1", text: String
    ) -> Row {
        Row(
            testDescription: name, status: status, fields: fields, body: body.map { .bytes(Array($0.utf8)) } ?? .none,
            request: request, text: text)
    }

    static let rows = [
        row(
            "headers in their order", 200, [("B", "1"), ("A", "2"), ("B", "3")],
            text: "HTTP/1.1 200 OK\nB: 1\nA: 2\nB: 3\nContent-Length: 2\nConnection: close\n\n{}"),
        row("no body", 404, [], nil, text: "HTTP/1.1 404 Not Found\nContent-Length: 0\nConnection: close\n\n"),
        row(
            "a date of its own", 200, [("date", "now")],
            text: "HTTP/1.1 200 OK\ndate: now\nContent-Length: 2\nConnection: close\n\n{}"),
        row(
            "framing is the server's", 200, [("Content-Length", "9"), ("Connection", "keep-alive"), ("A", "b")],
            text: "HTTP/1.1 200 OK\nA: b\nContent-Length: 2\nConnection: close\n\n{}"),
        row(
            "HEAD keeps the length", request: "HEAD / HTTP/1.1",
            text: "HTTP/1.1 200 OK\nContent-Length: 2\nConnection: close\n\n"),
        row(
            "HEAD with a length alone", 200, [("Content-Length", "9")], nil, request: "HEAD / HTTP/1.1",
            text: "HTTP/1.1 200 OK\nContent-Length: 9\nConnection: close\n\n"),
        row(
            "HEAD of chunks", 200, [("Transfer-Encoding", "chunked")], request: "HEAD / HTTP/1.1",
            text: "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nConnection: close\n\n"),
        row("204 has neither body nor length", 204, text: "HTTP/1.1 204 No Content\nConnection: close\n\n"),
        row("205 has no body", 205, text: "HTTP/1.1 205 Reset Content\nContent-Length: 0\nConnection: close\n\n"),
        row(
            "304 has no body", 304, [("ETag", "\"a\"")],
            text: "HTTP/1.1 304 Not Modified\nETag: \"a\"\nConnection: close\n\n"
        ),
        row(
            "304 has the length that it states", 304, [("Content-Length", "9")],
            text: "HTTP/1.1 304 Not Modified\nContent-Length: 9\nConnection: close\n\n"),
        row(
            "chunks", 200, [("Transfer-Encoding", "chunked")],
            text: "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nConnection: close\n\n2\n{}\n0\n\n"),
        row(
            "chunks without a byte", 200, [("Transfer-Encoding", "chunked")], "",
            text: "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nConnection: close\n\n0\n\n"),
        row(
            "no chunks in HTTP/1.0", 200, [("Transfer-Encoding", "chunked")], request: "GET / HTTP/1.0",
            text: "HTTP/1.1 200 OK\nContent-Length: 2\nConnection: close\n\n{}"),
        row(
            "a status that ends no request", 100, [], nil,
            text: "HTTP/1.1 500 Internal Server Error\nContent-Length: 0\nConnection: close\n\n"),
        row(
            "a value with the end of a line", 200, [("A", "b\r\nC: d")],
            text: "HTTP/1.1 200 OK\nA: b  C: d\nContent-Length: 2\nConnection: close\n\n{}"),
    ]

    @Test("A response has its headers and its body, and says what becomes of the connection", arguments: rows)
    func response(_ row: Row) throws {
        let server = try TestServer { _ in ServerReply(status: row.status, fields: row.fields, body: row.body) }
        #expect(try server.exchange("\(row.request)\r\nHost: h\r\nConnection: close\r\n\r\n") == row.text)
    }

    @Test("A connection of HTTP/1.0 that is kept says so")
    func keptHTTP10() throws {
        let server = try TestServer()
        let client = try server.connect()
        client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(
            client.text(until: "GET / ") == "HTTP/1.1 200 OK\nContent-Length: 6\nConnection: keep-alive\n\nGET / ")
    }

    @Test("A reply can close the connection")
    func closing() throws {
        let server = try TestServer { _ in ServerReply(status: 200, fields: [("Connection", "a, Close")]) }
        let text = try server.exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(text == "HTTP/1.1 200 OK\nContent-Length: 0\nConnection: close\n\n")
    }

    @Test("A response has the date of its second")
    func date() throws {
        let server = try TestServer()
        let client = try server.connect()
        client.send(FramingTests.close)
        let text = String(decoding: client.receive().bytes, as: UTF8.self)
        #expect(text.contains(/Date: (Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/))
    }

    /// A body that neither a packet nor the socket's buffer holds.
    private static let large = (0..<(8 << 20)).map { UInt8(truncatingIfNeeded: $0 / 7) }

    @Test("A large body arrives whole, and its connection is kept")
    func largeBody() throws {
        let server = try TestServer { _ in ServerReply(status: 200, body: .bytes(Self.large)) }
        let client = try server.connect()
        for _ in 0..<2 {
            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            let bytes = client.receive { $0.count >= Self.large.count + 80 }.bytes
            #expect(bytes.suffix(Self.large.count).elementsEqual(Self.large))
        }
    }

    @Test("A file arrives whole or in part, and in one chunk")
    func files() throws {
        let folder = try TemporaryFolder(["a.txt": String(repeating: "0123456789", count: 300_000)])
        let file = try OpenFile(path: folder.path("a.txt"))
        #expect(file.count == 3_000_000)
        let server = try TestServer { request in
            switch request.head.target.path {
            case "/part": ServerReply(status: 206, body: .file(file, 8..<12))
            case "/chunk":
                ServerReply(status: 200, fields: [("Transfer-Encoding", "chunked")], body: .file(file, 1..<4))
            default: ServerReply(status: 200, body: .file(file, 0..<file.count))
            }
        }
        let client = try server.connect()
        client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        let bytes = client.receive { $0.count >= file.count + 80 }.bytes
        #expect(bytes.count < file.count + 100 && bytes.suffix(10).elementsEqual("0123456789".utf8))
        client.send("GET /part HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(client.text(until: "8901") == "HTTP/1.1 206 Partial Content\nContent-Length: 4\n\n8901")
        client.send("GET /chunk HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(
            client.text(until: "\r\n0\r\n\r\n")
                == "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n3\n123\n0\n\n")
    }

    @Test("A file that has become shorter ends the connection, so that no client takes it for whole")
    func shorterFile() throws {
        let folder = try TemporaryFolder(["a.txt": "0123456789"])
        let file = try OpenFile(path: folder.path("a.txt"))
        let server = try TestServer { _ in ServerReply(status: 200, body: .file(file, 0..<20)) }
        let text = try server.exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(text == "HTTP/1.1 200 OK\nContent-Length: 20\n\n0123456789RESET")
    }

    @Test("What is no file can't be opened")
    func noFile() throws {
        let folder = try TemporaryFolder()
        func problem(_ path: String) -> String? {
            do throws(OpenFile.Problem) { _ = try OpenFile(path: path) } catch { return error.reason }
            return nil
        }
        #expect(problem(folder.path) == "it is not a regular file")
        #expect(problem(folder.path("a")) == "No such file or directory")
    }
}
