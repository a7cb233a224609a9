import Foundation
import HTTPWire
import OAuth
import ReqcliBasics
import ReqcliServing
import ReqcliText

/// Waits on this machine for the browser at the end of a login. One request is taken: a GET with the right path, host and state.
/// All other requests get status 404 and change nothing.
final class LoginListener: Sendable {
    /// The address that the browser ends at.
    let redirect: String
    private let server: Server
    private let loop: EventLoop
    private let wait: Wait

    /// - Parameter redirect: The address that the client is registered with. Without a port, any free port is used (RFC 8252, 7.3).
    init(_ redirect: String) throws(Failure) {
        var parts = URLComponents(string: redirect) ?? URLComponents()
        let host = parts.host?.lowercased() ?? "127.0.0.1"
        // The number is in this range: see `OAuthClient.complaint(aboutRedirect:)`.
        let port = UInt16(exactly: parts.port ?? 0) ?? 0
        let wait = Wait()
        do throws(ListenProblem) {
            loop = try EventLoop()
            let address: ListenAddress =
                host == "localhost" ? .loopback(port: port) : .address(host.filter { !"[]".contains($0) }, port: port)
            server = try Server(on: [address], loop: loop, handler: ServerHandler { wait.reply(to: $0) })
        } catch {
            throw Failure(
                .usage, code: .usageInvalid, "cannot wait for the browser at \(redirect): \(own: error.reason)",
                hint: "end the program that uses this port, or pass --no-browser")
        }
        self.wait = wait
        if parts.port == nil { parts.port = Int(server.port) }
        self.redirect = parts.string ?? redirect
        wait.hosts.withLock { $0 = ["\(host):\(server.port)"] + (server.port == 80 ? [host] : []) }
    }

    /// Takes the browser's request from now on.
    func expect(_ request: AuthorizationRequest) { wait.state.withLock { $0.request = request } }

    /// The target of the browser's request; nil if it doesn't arrive in time.
    func answer(within limit: Duration) async -> String? {
        loop.run(after: limit) { [wait] in wait.end() }
        let answer = await wait.answer()
        await server.stop(grace: .seconds(2))
        return answer
    }
}

extension LoginListener {
    fileprivate final class Wait: Sendable {
        struct State {
            var request: AuthorizationRequest?
            var answer: String?
            var isOver = false
            var waiting: CheckedContinuation<String?, Never>?
        }

        let hosts = Mutex<[String]>([])
        let state = Mutex(State())

        func answer() async -> String? {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if !state.isOver { state.waiting = continuation }
                    return state.isOver
                }
                if isOver { continuation.resume(returning: state.withLock(\.answer)) }
            }
        }

        func end(_ answer: String? = nil) {
            let waiting = state.withLock { state in
                if !state.isOver { (state.isOver, state.answer) = (true, answer) }
                defer { state.waiting = nil }
                return state.waiting
            }
            waiting?.resume(returning: state.withLock(\.answer))
        }

        func reply(to request: ServerRequest) -> ServerReply {
            let target = request.head.target.path + (request.head.target.query.map { "?\($0)" } ?? "")
            let isExpected = state.withLock { state in
                !state.isOver && request.head.method == "GET" && state.request?.isAnswered(by: target) == true
            }
            guard isExpected, let host = request.head.authority, hosts.withLock({ $0.contains(host.lowercased()) })
            else { return Self.page(404, "This is not the end of a login.") }
            end(target)
            return Self.page(200, "The login has ended. You can close this page, and go back to the terminal.")
        }

        private static func page(_ status: Int, _ text: String) -> ServerReply {
            let html =
                "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>reqcli</title><p>\(text)</p></html>\n"
            return ServerReply(
                status: status,
                fields: [
                    ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
                    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
                    ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
                ], body: .bytes(Array(html.utf8)))
        }
    }
}
