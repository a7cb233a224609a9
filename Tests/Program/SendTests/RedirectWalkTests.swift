import Foundation
import HostileServing
import TestSupport
import Testing
import ToolSupport

/// Random chains of redirects, with locations that need escapes and with cookies: the rendered `curl` makes the same
/// requests as `send`, over one connection. `WIRE_CASES` sets the number of chains, `WIRE_SEED` the seed.
@Suite(.serialized, .enabled(if: ShellCommand.has("curl"), "curl is needed")) struct RedirectWalkTests {
    private static func number(_ variable: String) -> Int? {
        ProcessInfo.processInfo.environment[variable].flatMap(Int.init)
    }

    @Test("send and the rendered curl command make the same requests along random redirects")
    func walks() async throws {
        var chance = Chance(random: SeededGenerator(seed: UInt64(Self.number("WIRE_SEED") ?? 22)))
        for number in 0..<(Self.number("WIRE_CASES") ?? 40) {
            let answers = chance.answers()
            let server = try HostileServer { connection in
                var rest = answers[...]
                while let request = connection.readRequest() {
                    let port = request.values("Host").first?.split(separator: ":").last.map(String.init) ?? ""
                    guard let answer = rest.popFirst() else {
                        connection.respond()
                        continue
                    }
                    connection.respond(
                        answer.status, answer.headers.map { $0.replacing("PORT", with: port) },
                        body: request.line.hasPrefix("HEAD ") ? "" : "elsewhere")
                }
            }
            defer { server.stop() }
            let workspace = try ToolWorkspace(
                server: "http://127.0.0.1:\(server.port)", endpoint: chance.endpoint(),
                environment: #""redirects": { "follow": true }"#)
            let call = ["it", "--cookie-jar", "jar"]
            _ = try await Tool.run(["send"] + call, in: workspace)
            let bySend = server.requests
            let command = try await Tool.run(["render"] + call, in: workspace)
            try workspace.write("jar", "")
            _ = try ShellCommand.run("cd '\(workspace.path(""))' && { \(command.outputText)} || true")
            let byCurl = server.requests.dropFirst(bySend.count)
            #expect(bySend.count > 1)
            #expect(bySend.map(\.comparable) == byCurl.map(\.comparable), "\(number): \(answers)")
        }
    }
}

/// A random server: its responses, and the paths that they belong to.
private struct Chance {
    struct Answer: Sendable {
        let status: Int
        let headers: [String]
    }

    private static let pieces = [
        "a", "b c", "x", "%20", "%e9", "é", "|", "^", "{y}", "..", ".", "/", "/../", "/./", "%2e%2e", "?q=", "&", "+",
        "=",
        "'", "\"", "[1]", "~", "!", "%", "%zz", "\\", ";", "@", "$", "`", "<", ">", ",", "*", "(", ":",
    ]
    private static let values = ["1", "a b", "\"q\"", "x=y", "%20", "v,w", "#", "é"]
    private static let attributes = [
        "; Path=/", "; Path=/start", "; Max-Age=60", "; Max-Age=0", "; HttpOnly", "; Secure",
        "; Expires=Tue, 14 Nov 2000 00:00:00 GMT",
    ]
    /// At most one: the last of several counts, but curl ignores the cookie if any is for another host.
    private static let domains = ["", "", "; Domain=127.0.0.1", "; Domain=example.com"]

    var random: SeededGenerator

    mutating func answers() -> [Answer] {
        (0..<int(1...4)).map { _ in
            let cookies = (0..<int(0...2)).map { _ in
                "Set-Cookie: n\(int(0...3))=\(pick(Self.values))"
                    + (0..<int(0...2)).map { _ in pick(Self.attributes) }.joined() + pick(Self.domains)
            }
            return Answer(status: pick([301, 302, 303, 307, 308]), headers: ["Location: \(location())"] + cookies)
        }
    }

    mutating func endpoint() -> String {
        int(1...3) == 1
            ? #"{ "path": "/start/here", "method": "POST", "body": { "form": { "a": "b c" } } }"#
            : #"{ "path": "/start/here", "query": { "sent": "1" } }"#
    }

    /// Locations, except those that curl reads differently, as the documentation says: a fragment other than a word at
    /// the end, a `?` with nothing after it, double slashes.
    private mutating func location() -> String {
        let start = pick(["/", "", "/x?", "http://127.0.0.1:PORT/", "//127.0.0.1:PORT/", "../"])
        while true {
            let text = (0..<int(1...7)).map { _ in pick(Self.pieces) }.joined()
            let isRelative = start.isEmpty && text.contains { "?:".contains($0) }
            if !isRelative, !text.hasPrefix("/"), !text.contains("//"), !text.hasSuffix("?"), !text.hasSuffix("?q=") {
                return start + text + pick(["", "", "#f"])
            }
        }
    }

    private mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func pick<Element>(_ list: [Element]) -> Element { list[int(0...(list.count - 1))] }
}
