import Exchange
import HostileServing
import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing

/// Server faults and the errors that report them.
@Suite(.timeLimit(.minutes(10))) struct HostileServerTests {
    struct Scenario: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var timeouts = Timeouts(connect: .seconds(5), idle: .seconds(5), total: .seconds(10))
        var decodes = false
        var method = "GET"
        let kind: TransportError.Kind
        /// A part of the message that says what happened.
        let message: String
        let script: @Sendable (HostileConnection) -> Void

        init(
            _ name: String, _ kind: TransportError.Kind, _ message: String, timeouts: Timeouts? = nil,
            decodes: Bool = false, method: String = "GET", script: @escaping @Sendable (HostileConnection) -> Void
        ) {
            testDescription = name
            self.kind = kind
            self.message = message
            if let timeouts { self.timeouts = timeouts }
            self.decodes = decodes
            self.method = method
            self.script = script
        }
    }

    static let faults: [Scenario] = [
        Scenario("closes without an answer", .reset, "no line of a response was received") { _ = $0.readRequest() },
        Scenario("resets before the head", .reset, "connection reset") {
            _ = $0.readRequest()
            $0.reset()
        },
        Scenario("cuts the head in the middle of a line", .truncated, "head of the response is incomplete") {
            _ = $0.readRequest()
            $0.send("HTTP/1.1 200 OK\r\nContent-Le")
        },
        Scenario("cuts the head between two lines", .truncated, "head of the response is incomplete") {
            _ = $0.readRequest()
            $0.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n")
        },
        Scenario("cuts the status line", .reset, "no line of a response was received") {
            _ = $0.readRequest()
            $0.send("HTTP/1.")
        },
        Scenario("sends less than its Content-Length", .truncated, "ended before it was complete") {
            _ = $0.readRequest()
            $0.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")
        },
        Scenario("resets in the body", .truncated, "connection reset") {
            _ = $0.readRequest()
            $0.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")
            $0.pause(0.05)
            $0.reset()
        },
        Scenario("ends within a chunk", .truncated, "ended before it was complete") {
            _ = $0.readRequest()
            $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel")
        },
        Scenario("has a chunk size that is no number", .badResponse, "no valid HTTP response") {
            _ = $0.readRequest()
            $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nhello\r\n0\r\n\r\n")
        },
        Scenario("has a Content-Length that is no number", .badResponse, "no valid HTTP response") {
            _ = $0.readRequest()
            $0.send("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nhello")
        },
        Scenario("has a Content-Length below zero", .badResponse, "no valid HTTP response") {
            _ = $0.readRequest()
            $0.send("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello")
        },
        Scenario("has two numbers in its Content-Length", .badResponse, "its Content-Length is \"2, 100\"") {
            _ = $0.readRequest()
            $0.send("HTTP/1.1 200 OK\r\nContent-Length: 2, 100\r\n\r\nok")
        },
        Scenario("has two different lines of Content-Length", .badResponse, "its Content-Length is \"2, 3\"") {
            _ = $0.readRequest()
            $0.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok")
        },
        Scenario("has a sign in its Content-Length", .badResponse, "its Content-Length is \"+2\"") {
            _ = $0.readRequest()
            $0.send("HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nok")
        },
        Scenario("has a Content-Length of 2^63", .badResponse, "its Content-Length is \"9223372036854775808\"") {
            _ = $0.readRequest()
            $0.send("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775808\r\n\r\nok")
        },
        Scenario("has a very large Content-Length", .badResponse, "its Content-Length is \"99999999999999999999999\"") {
            _ = $0.readRequest()
            $0.send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nok")
        },
        Scenario("uses an unknown Transfer-Encoding", .badResponse, "its Transfer-Encoding \"moo\" is unknown") {
            _ = $0.readRequest()
            $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: moo\r\n\r\nok")
        },
        Scenario("speaks another protocol", .badResponse, "no valid HTTP response") {
            _ = $0.readRequest()
            $0.send("220 mail.example.com ESMTP\r\n")
        },
        Scenario("begins its headers with a folded line", .badResponse, "its first header begins with a space") {
            _ = $0.readRequest()
            $0.send("HTTP/1.1 200 OK\r\n folded: x\r\nContent-Length: 2\r\n\r\nok")
        },
        Scenario("has half an empty line in its head", .badResponse, "begins with a carriage return") {
            _ = $0.readRequest()
            $0.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r=\r\nok")
        },
        Scenario("has 1 MiB of headers", .badResponse, "larger than 256 KiB") { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n")
            for number in 0..<1024 {
                connection.send("X-\(number): \(String(repeating: "a", count: 1000))\r\n")
            }
            connection.send("Content-Length: 0\r\n\r\n")
        },
        Scenario("has headers without end", .badResponse, "larger than 256 KiB") { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n")
            while connection.send("X-More: and more\r\n") {}
        },
        Scenario("has a header line without end", .badResponse, "a line in the head of the response is too long") {
            connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nX-Long: ")
            while connection.send(String(repeating: "a", count: 4096)) {}
        },
        Scenario("has broken gzip", .badResponse, "compressed body is broken", decodes: true) {
            _ = $0.readRequest()
            $0.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 9\r\n\r\nnot gzip!")
        },
        Scenario("is silent", .timeout(.firstByte), "limit 0.3 s", timeouts: Timeouts(firstByte: .milliseconds(300))) {
            $0.waitForClose()
        },
        Scenario(
            "sends one interim head after the other", .timeout(.firstByte), "limit 0.3 s",
            timeouts: Timeouts(firstByte: .milliseconds(300), total: .seconds(5))
        ) {
            _ = $0.readRequest()
            while $0.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n") { $0.pause(0.02) }
        },
        Scenario(
            "takes the body and is silent", .timeout(.firstByte), "limit 0.3 s",
            timeouts: Timeouts(firstByte: .milliseconds(300), total: .seconds(5)), method: "POST"
        ) {
            _ = $0.readRequest()
            $0.waitForClose()
        },
        Scenario("falls silent in the body", .timeout(.idle), "0.3 s", timeouts: Timeouts(idle: .milliseconds(300))) {
            _ = $0.readRequest()
            $0.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")
            $0.waitForClose()
        },
        Scenario(
            "drips without end", .timeout(.total), "limit 0.5 s",
            timeouts: Timeouts(idle: .seconds(5), total: .milliseconds(500))
        ) { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            while connection.send("a") { connection.pause(0.02) }
        },
        Scenario("drips its head", .timeout(.total), "0.5 s", timeouts: Timeouts(total: .milliseconds(500))) {
            connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nX-Slow: ")
            while connection.send("a") { connection.pause(0.02) }
        },
        Scenario("has a body without end", .timeout(.total), "0.5 s", timeouts: Timeouts(total: .milliseconds(500))) {
            connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            let block = [UInt8](repeating: 0x61, count: 64 << 10)
            while connection.send(block) {}
        },
        Scenario("sends 1xx heads without end", .badResponse, "larger than 256 KiB") { connection in
            _ = connection.readRequest()
            while connection.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n") {}
        },
    ]

    @Test("each server fault has its own error, in one line and in time", arguments: faults)
    func fault(_ scenario: Scenario) async throws {
        let server = try HostileServer(scenario.script)
        defer { server.stop() }
        let transport = SettledTransport(
            TransferSettings(timeouts: scenario.timeouts, decodesContent: scenario.decodes))
        var request = PreparedRequest(url: server.url())
        request.method = try HTTPMethod(scenario.method)
        if scenario.method == "POST" { request.body = .data(Data("pay".utf8)) }
        let start = ContinuousClock.now
        let error = await #expect(throws: TransportError.self) {
            let response = try await transport.send(request)
            for try await _ in response.body {}
        }
        // Far more than any limit, and more than a busy machine needs.
        #expect(ContinuousClock.now - start < .seconds(20))
        let message = error?.description ?? ""
        #expect(error?.kind == scenario.kind, "\(message)")
        #expect(message.contains(scenario.message), "\(message)")
        #expect(message.contains("127.0.0.1") && !message.contains("\n") && message.count < 300, "\(message)")
    }

    @Test("a closed port is the error refused")
    func refused() async throws {
        let server = try HostileServer { _ in }
        server.stop()
        let error = await #expect(throws: TransportError.self) {
            _ = try await URLSessionTransport().send(PreparedRequest(url: server.url()))
        }
        #expect(error?.kind == .refused)
        let message =
            "127.0.0.1:\(server.port) refused the connection: check that the server runs and listens there"
        #expect(error?.description == message)
    }

    @Test("an unknown host name is the error dns")
    func unknownHost() async throws {
        let error = await #expect(throws: TransportError.self) {
            _ = try await URLSessionTransport().send(
                PreparedRequest(url: #require(URL(string: "http://nowhere.invalid/"))))
        }
        #expect(error?.kind == .dns)
        #expect(error?.description.contains("can't find the host nowhere.invalid") == true)
    }
}
