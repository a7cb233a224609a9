import Exchange
import HostileServing
import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing

/// The server receives exactly what the request says.
@Suite(.timeLimit(.minutes(10))) struct RequestOnTheWireTests {
    private let server: HostileServer
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        server = try HostileServer { connection in
            while let request = connection.readRequest() {
                if request.line.hasPrefix("HEAD") {
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n")
                } else {
                    connection.respond(body: "ok")
                }
            }
        }
    }

    /// Sends a request and returns it as the server received it.
    private func sent(
        _ method: String = "GET", _ headers: HeaderFields = [:], body: RequestBody? = nil, path: String = "/"
    ) async throws -> HostileServer.Request {
        var request = PreparedRequest(url: server.url(path))
        request.method = try HTTPMethod(method)
        request.headers = headers
        request.body = body
        let response = try await URLSessionTransport().send(request)
        _ = try await response.body.data()
        return try #require(server.requests.last)
    }

    @Test("headers keep their order, spelling and repetition")
    func headers() async throws {
        let request = try await sent("GET", ["x-b": "2", "Accept": "*/*", "X-A": "1", "X-B": "3", "User-Agent": "me"])
        #expect(
            request.headerLines == [
                "Host: 127.0.0.1:\(server.port)", "x-b: 2", "Accept: */*", "X-A: 1", "X-B: 3", "User-Agent: me",
            ])
    }

    @Test("a header with an empty value is sent")
    func emptyValue() async throws {
        #expect(try await sent("GET", ["X-Empty": ""]).values("X-Empty") == [""])
    }

    @Test("no header is added to the request", arguments: ["GET", "DELETE", "POST", "PUT", "OPTIONS", "PURGE"])
    func nothingInvented(method: String) async throws {
        let request = try await sent(method)
        #expect(request.line == "\(method) / HTTP/1.1")
        #expect(request.headerLines == ["Host: 127.0.0.1:\(server.port)"])
    }

    @Test("any method may have a body", arguments: ["GET", "POST", "PUT", "DELETE", "HEAD", "QUERY"])
    func bodies(method: String) async throws {
        let request = try await sent(method, body: .data(Data("a=b".utf8)))
        #expect(request.line == "\(method) / HTTP/1.1")
        #expect(request.headerLines == ["Host: 127.0.0.1:\(server.port)", "Content-Length: 3"])
        #expect(request.body == Data("a=b".utf8))
    }

    @Test("an empty body is sent with Content-Length 0")
    func emptyBody() async throws {
        #expect(try await sent("POST", body: .data(Data())).values("Content-Length") == ["0"])
    }

    @Test("a file body is sent with its size as Content-Length")
    func file() async throws {
        let content = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let request = try await sent("PUT", body: .file(path: try folder.write("a", Array(content))))
        #expect(request.values("Content-Length") == ["3000000"])
        #expect(request.values("Expect") == [])
        #expect(request.body == content)
    }

    @Test("multipart parts are sent in order, with files read from disk")
    func multipart() async throws {
        let body = MultipartBody(
            boundary: "XX",
            parts: [.text("name", "value"), .file("file", path: try folder.write("f.bin", [0, 1, 2]))])
        let request = try await sent("POST", body: .multipart(body))
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == "--XX\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nvalue\r\n--XX\r\n"
                + "Content-Disposition: form-data; name=\"file\"; filename=\"f.bin\"\r\n"
                + "Content-Type: application/octet-stream\r\n\r\n\u{0}\u{1}\u{2}\r\n--XX--\r\n")
        #expect(request.values("Content-Length") == ["\(request.body.count)"])
    }

    @Test(
        "the request target is the URL's path and query, without its fragment",
        arguments: [
            "/a/../b/./c", "/a%2Fb", "/a//b", "/?q=a%20b&q=c", "/%7Euser", "/a?",
        ])
    func target(path: String) async throws {
        #expect(try await sent(path: path + "#part").line == "GET \(path) HTTP/1.1")
    }

    @Test("user and password in a URL become Basic credentials")
    func userInfo() async throws {
        let url = try #require(URL(string: "http://me:p%40ss@127.0.0.1:\(server.port)/"))
        _ = try await URLSessionTransport().send(PreparedRequest(url: url)).body.data()
        #expect(server.requests.last?.values("Authorization") == ["Basic bWU6cEBzcw=="])
    }

    @Test("a correct Content-Length header is kept in its position")
    func ownLength() async throws {
        let request = try await sent("POST", ["Content-Length": "2", "X-A": "b"], body: .data(Data("ok".utf8)))
        #expect(request.headerLines.dropFirst() == ["Content-Length: 2", "X-A: b"])
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let kind: TransportError.Kind
        let message: String
        let change: @Sendable (inout PreparedRequest) -> Void
    }

    @Test(
        "a request that cannot be sent is rejected before anything is sent",
        arguments: [
            Refusal(testDescription: "wrong length", kind: .invalidRequest, message: "Content-Length is 5") {
                $0.headers = ["Content-Length": "5"]
            },
            Refusal(testDescription: "line break", kind: .invalidRequest, message: "X-A contains CR, LF or NUL") {
                $0.headers = ["X-A": "a\r\nX-B: c"]
            },
            Refusal(testDescription: "header name", kind: .invalidRequest, message: "can't be a header name") {
                $0.headers = ["X A": "a"]
            },
            Refusal(testDescription: "scheme", kind: .invalidRequest, message: "neither http nor https") {
                if let url = URL(string: "ftp://127.0.0.1/") { $0.url = url }
            },
            Refusal(testDescription: "missing file", kind: .unreadableBody, message: "No such file") {
                $0.body = .file(path: "/nowhere/at/all")
            },
            Refusal(testDescription: "not a file", kind: .unreadableBody, message: "not a regular file") {
                $0.body = .file(path: "/dev/zero")
            },
            Refusal(testDescription: "cache", kind: .notCached, message: "no cache") {
                $0.transfer.cachePolicy = .returnCacheDataDontLoad
            },
        ])
    func refused(refusal: Refusal) async throws {
        var request = PreparedRequest(url: server.url())
        refusal.change(&request)
        let error = await #expect(throws: TransportError.self) { try await URLSessionTransport().send(request) }
        #expect(error?.kind == refusal.kind)
        #expect(error?.description.contains(refusal.message) == true, "\(error?.description ?? "")")
        #expect(server.connections == 0)
    }
}
