import Glibc
import HostileServing
import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing

@testable import Exchange

/// Waiting costs no processor time, and no longer than allowed.
@Suite(.timeLimit(.minutes(10))) struct WaitingTests {
    /// The processor time of the thread of that name, in seconds.
    private func processorTime(ofThread name: String) throws -> Double {
        // While others end, a listing may lack a thread that is there.
        for _ in 0..<100 {
            if let time = try listedProcessorTime(ofThread: name) { return time }
        }
        throw SetupFailure("no thread \(name)")
    }

    private func listedProcessorTime(ofThread name: String) throws -> Double? {
        for id in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") {
            guard let comm = try? String(contentsOfFile: "/proc/self/task/\(id)/comm", encoding: .utf8),
                comm.trimmingCharacters(in: .newlines) == name
            else { continue }
            let status = try String(contentsOfFile: "/proc/self/task/\(id)/stat", encoding: .utf8)
            // The fields after the name in parentheses; user and system time are the 12th and 13th of them.
            let fields = status.drop { $0 != ")" }.split(separator: " ").dropFirst().map(String.init)
            return [fields[11], fields[12]].compactMap(Double.init).reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
        }
        return nil
    }

    enum Wait: String, CaseIterable {
        case forHead, inBody, onReader, forConnection, onFeed, onFeedAlone
    }

    @Test("a wait keeps no core busy", arguments: Wait.allCases)
    func idle(wait: Wait) async throws {
        let name = "wait-\(wait.rawValue)"
        let engine = Engine(name: name)
        let server = try HostileServer { connection in
            if wait == .onFeedAlone {
                _ = connection.readHead()
                return
            }
            _ = connection.readRequest()
            switch wait {
            case .forHead, .forConnection, .onFeed, .onFeedAlone: break
            case .inBody: connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome")
            case .onReader:
                connection.send("HTTP/1.1 200 OK\r\n\r\n")
                while connection.send([UInt8](repeating: 0, count: 1 << 20)) {}
            }
            connection.waitForClose()
        }
        let busy = try BusyListener()
        let url = wait == .forConnection ? busy.url : server.url()
        let transport = SettledTransport(
            TransferSettings(timeouts: Timeouts(connect: .seconds(1), firstByte: .seconds(1), idle: .seconds(1))),
            over: URLSessionTransport(engine: engine))
        if wait == .onFeed || wait == .onFeedAlone {
            var request = PreparedRequest(url: url, method: .post)
            request.feed = BodyFeed(length: 10) {}
            let sending = Task { [request] in try await transport.send(request) }
            try await Task.sleep(for: .seconds(1))
            sending.cancel()
            await #expect(throws: CancellationError.self) { try await sending.value }
        } else if wait == .onReader {
            let response = try await transport.send(PreparedRequest(url: url))
            try await Task.sleep(for: .seconds(1))
            #expect(response.status == 200)
        } else {
            let error = await #expect(throws: TransportError.self) {
                _ = try await transport.send(PreparedRequest(url: url)).body.data()
            }
            let kind: TransportError.Timeout =
                switch wait {
                case .forHead: .firstByte
                case .forConnection: .connect
                case .inBody, .onReader, .onFeed, .onFeedAlone: .idle
                }
            #expect(error?.kind == .timeout(kind))
        }
        server.stop()
        #expect(try processorTime(ofThread: String(name.prefix(15))) <= 0.1)
    }

    @Test(
        "limits are kept to fractions of a second",
        arguments: [
            Timeouts(firstByte: .milliseconds(250)), Timeouts(idle: .milliseconds(250)),
            Timeouts(total: .milliseconds(250)),
        ])
    func fractions(timeouts: Timeouts) async throws {
        let server = try HostileServer { $0.waitForClose() }
        defer { server.stop() }
        let transport = SettledTransport(TransferSettings(timeouts: timeouts))
        let start = ContinuousClock.now
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(PreparedRequest(url: server.url()))
        }
        let kinds: [TransportError.Kind] = [.timeout(.firstByte), .timeout(.idle), .timeout(.total)]
        #expect(error.map { kinds.contains($0.kind) } == true)
        #expect(error?.description.contains("limit 0.25 s") == true)
        let time = ContinuousClock.now - start
        #expect(time >= .milliseconds(250) && time < .seconds(20))
    }

    @Test("a limit of 60 s, which each URLRequest has, is kept, also where a server sends byte by byte")
    func sixtySeconds() throws {
        for builder in [
            RequestBuilder().baseURL("http://h").timeout(.seconds(60)),
            RequestBuilder().environment(RequestEnvironment(name: "test", host: "h")),
        ] {
            var clock = TransferClock(try TransferPlan(builder.prepared()).settings.timeouts, now: 0)
            clock.connected(now: 0)
            clock.answered(now: 0)
            for second in 1...59 { clock.touched(now: Int64(second) * 1_000_000_000) }
            #expect(clock.expired(at: 59_900_000_000) == nil)
            #expect(clock.expired(at: 60_000_000_000)?.kind == .total)
        }
    }

    @Test("a session that is used directly keeps the time that a URLRequest says")
    func ofURLRequest() async throws {
        let server = try HostileServer { $0.waitForClose() }
        defer { server.stop() }
        let request = try RequestBuilder().baseURL(server.url()).timeout(.milliseconds(300)).makeRequest()
        let session = URLSession(configuration: .exchange)
        let error = await withCheckedContinuation { continuation in
            session.dataTask(with: request) { _, _, error in continuation.resume(returning: error) }.resume()
        }
        #expect((error as? TransportError)?.description.contains("limit 0.3 s") == true)
    }
}

/// A port whose queue of connections is full, so that a further one waits.
private final class BusyListener {
    private let listener: Int32
    private var clients: [Int32] = []
    let url: URL

    init() throws {
        let (socket, port) = try HostileServer.Address.ipv4.listen(backlog: 0)
        listener = socket
        url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        for _ in 0..<4 {
            let client = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            clients.append(client)
            _ = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
    }

    deinit {
        for socket in clients + [listener] { close(socket) }
    }
}
