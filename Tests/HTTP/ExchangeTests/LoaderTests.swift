import Exchange
import HostileServing
import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct LoaderTests {
    @Test("an answer comes with its head as it was sent")
    func plainAnswer() async throws {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil {
                connection.send("HTTP/1.1 201 Made Up\r\nX-One: 1\r\nx-one:  2 \r\nContent-Length: 5\r\n\r\nhello")
            }
        }
        let response = try await URLSessionTransport().send(PreparedRequest(url: server.url("/a?b=c")))
        #expect(response.status == 201)
        #expect(response.head.reason == "Made Up")
        #expect(response.head.version == "HTTP/1.1")
        #expect(response.headers.values("X-One") == ["1", "2"])
        #expect(response.headers.map(\.name) == ["X-One", "x-one", "Content-Length"])
        #expect(try await response.body.data() == Data("hello".utf8))
        #expect(response.body.ending?.timings != nil)
        #expect(server.requests.map(\.head) == ["GET /a?b=c HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n"])
    }

    @Test("a transfer has the times of its steps, and a connection that was open needs no time to open")
    func timings() async throws {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil { connection.respond(body: "x") }
        }
        let transport = URLSessionTransport()
        var all: [Timings] = []
        for _ in 0..<2 {
            let response = try await transport.send(PreparedRequest(url: server.url("/")))
            _ = try await response.body.data()
            all.append(try #require(response.body.ending?.timings))
        }
        #expect(all.allSatisfy { $0.queued > .zero && $0.sending > .zero && $0.sent >= $0.sending })
        #expect(all.allSatisfy { $0.firstByte >= $0.sent && $0.service > .zero && $0.service < $0.total })
        #expect(
            all[0].connect > .zero && all[0].sending >= all[0].connect && all[0].firstByte >= all[0].connect
                && all[0].total >= all[0].firstByte)
        #expect(all[1].nameLookup == .zero && all[1].connect == .zero && all[1].tls == .zero)
        #expect(all[1].firstByte > .zero && all[1].total >= all[1].firstByte)
    }

    @Test("a transfer that fails has the times of the steps that it has reached")
    func timingsOfFailures() async throws {
        let server = try HostileServer { connection in
            let request = connection.readRequest()
            if request?.line.hasPrefix("GET /half ") == true {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
            }
        }
        func timings(_ url: URL, _ timeouts: Timeouts = Timeouts()) async throws -> Timings? {
            var request = PreparedRequest(url: url)
            request.transfer.timeouts = timeouts
            let error = await #expect(throws: TransportError.self) {
                _ = try await URLSessionTransport().send(request).body.data()
            }
            return error?.timings
        }
        let cut = try #require(await timings(server.url("/cut")))
        #expect(cut.connect > .zero && cut.sent >= cut.connect && cut.firstByte == .zero && cut.total >= cut.sent)
        let half = try #require(await timings(server.url("/half")))
        #expect(half.firstByte >= half.sent && half.total >= half.firstByte)
        let refused = try #require(URL(string: "http://127.0.0.1:1/"))
        let dead = try #require(await timings(refused))
        #expect(dead.connect == .zero && dead.sending == .zero && dead.total > .zero)
        let silent = try HostileServer { connection in
            _ = connection.readRequest()
            connection.pause(5)
        }
        let late = try #require(await timings(silent.url("/"), Timeouts(total: .milliseconds(50))))
        #expect(late.sent > .zero && late.total >= .milliseconds(50))
    }

    @Test("many requests in parallel are each answered with their own answer")
    func parallel() async throws {
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                connection.respond(body: String(request.line.split(separator: " ")[1]))
            }
        }
        let transport = URLSessionTransport()
        let wrong = try await withThrowingTaskGroup(of: Int.self) { group in
            for worker in 0..<16 {
                group.addTask {
                    var wrong = 0
                    for number in 0..<200 {
                        let path = "/\(worker)/\(number)"
                        let response = try await transport.send(PreparedRequest(url: server.url(path)))
                        let body = try await response.body.data()
                        if body != Data(path.utf8) { wrong += 1 }
                    }
                    return wrong
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(wrong == 0)
        #expect(server.requests.count == 3200)
        #expect(server.connections <= 32)
    }
}
