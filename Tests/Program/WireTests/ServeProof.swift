import Calling
import Foundation
import ReqcliText
import TestSupport
import Testing
import ToolSupport

/// Sends many hostile calls to `serve`, and to their stubs without a server, and compares what comes back.
struct ServeProof {
    let count: Int
    let seed: UInt64

    struct Result {
        var failures: [String] = []
        var compared = 0
    }

    private static let environment = #"""
        { "baseURL": "http://localhost:1/api", "variables": { "v": "é 'v'" },
          "secrets": { "s0": { "env": "S0" }, "s1": { "env": "S1" } } }
        """#
    private static let secrets = ["S0": "s3cr3t'0", "S1": "s3cr3t\"1"]

    /// A call whose stub has responded.
    private struct Expected {
        let one: HostileWorkspace.Case
        let arguments: [String]
        let outcome: Caller.Outcome
    }

    func result() async throws -> Result {
        let workspace = try ToolWorkspace(["environments/served.json": Self.environment])
        let caller = Caller(workspace: workspace, variables: Self.secrets)
        var source = HostileWorkspace(seed: seed, server: "http://localhost:1", in: workspace)
        var variants = RandomVariants(text: HostileText(random: SeededGenerator(seed: seed &+ 1)))
        var expected: [Expected] = []
        for number in 0..<count {
            let one = try source.next(number, stubs: variants.next())
            try FileManager.default.removeItem(atPath: workspace.path("environments/e\(number).json"))
            let arguments = one.arguments.map { $0 == "e\(number)" ? "served" : $0 }
            let outcome = await caller.run(["send"] + arguments + ["--stub", "--json"])
            let file = workspace.read("endpoints/c\(number).json").map { String(decoding: $0, as: UTF8.self) } ?? ""
            if [2, 3].contains(outcome.status) || file.contains(#""Host""#) {
                // What can't be sent, or is meant for another host.
                try FileManager.default.removeItem(atPath: workspace.path("endpoints/c\(number).json"))
                continue
            }
            expected.append(Expected(one: one, arguments: arguments, outcome: outcome))
        }
        return try await compare(expected, caller, workspace)
    }

    private func compare(_ expected: [Expected], _ caller: Caller, _ workspace: ToolWorkspace) async throws -> Result {
        let input = try Descriptor.pipe()
        let output = try Descriptor.pipe()
        let server = try Tool.start(
            ["serve", "--port", "0", "--json", "--until-eof", "--env", "served"], in: workspace, input: input.reading,
            output: .descriptor(output.writing))
        Descriptor.close(output.writing)
        Descriptor.close(input.reading)
        var result = Result()
        var log = LogReader(output.reading)
        let ready = log.next()
        if let url = ready?["url"] as? String {
            for one in expected {
                let outcome = await caller.run(["send"] + one.arguments + ["--base-url", url + "/api", "--json"])
                let problems = log.next()?["problems"] as? [String] ?? []
                // A path with a dot segment is refused, since clients remove it.
                if Self.hasDotSegment(outcome) { continue }
                result.compared += 1
                // A request that `send` makes from an endpoint's file fits that file.
                if one.one.isPlain, !problems.isEmpty { result.failures.append("\(one.one.number): \(problems)") }
                if let difference = Self.difference(one.outcome, outcome) {
                    result.failures.append("\(one.one.number): \(difference)")
                }
            }
        }
        Descriptor.close(input.writing)
        let run = try await server.end(within: .seconds(60))
        #expect(run.status == 0, "\(run.errors.prefix(2000))")
        return result
    }

    /// Reads the objects that `serve --json` prints, one a line.
    private struct LogReader {
        private let descriptor: Int32
        private var rest: [UInt8] = []

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        /// The next object; nil at the end.
        mutating func next() -> [String: Any]? {
            while true {
                if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    defer { rest.removeFirst(end + 1) }
                    return try? JSONSerialization.jsonObject(with: Data(rest[..<end])) as? [String: Any]
                }
                guard let bytes = Descriptor.read(descriptor, upTo: 1 << 16), !bytes.isEmpty else { return nil }
                rest += bytes
            }
        }
    }

    private static func hasDotSegment(_ outcome: Caller.Outcome) -> Bool {
        let document = JSONDocument.read(SourceFile(name: "output", bytes: outcome.output))
        let url = document.root?["request"]?["url"]?.string ?? ""
        return url.split(separator: "?").first?.split(separator: "/").contains { segment in
            [".", ".."].contains(segment.lowercased().replacing("%2e", with: "."))
        } ?? false
    }

    private static func difference(_ stub: Caller.Outcome, _ server: Caller.Outcome) -> String? {
        // A fault has no response, and messages that name the stub or the server.
        if stub.status == 6 || stub.status == 7 { return server.status == stub.status ? nil : "\(server)" }
        let (wanted, found) = (response(stub), response(server))
        if stub.status == server.status, wanted == found { return nil }
        return "status \(stub.status), \(wanted)\nstatus \(server.status), \(found)\n\(server.errors.prefix(1000))"
    }

    /// The response, without the headers that every server adds.
    private static func response(_ outcome: Caller.Outcome) -> String {
        let document = JSONDocument.read(SourceFile(name: "output", bytes: outcome.output))
        guard let response = document.root?["response"] else { return "no response" }
        var headers: [String] = []
        for header in response["headers"].map({ Array($0.elements) }) ?? [] {
            let text = OrderedJSON(header).compact
            let isAdded = added.contains { text.lowercased().hasPrefix("{\"name\":\"\($0)") }
            if !isAdded { headers.append(text) }
        }
        let status = response["status"].map { OrderedJSON($0).compact } ?? ""
        let body = response["body"].map { OrderedJSON($0).compact } ?? "no body"
        return "\(status) \(headers) \(body)"
    }

    private static let added = ["date", "content-length", "x-reqcli-stub", "vary", "access-control-", "connection"]
}

/// Makes stub variants of all kinds.
struct RandomVariants {
    var text: HostileText

    mutating func next() -> OrderedJSON {
        var members = [
            OrderedJSON.Member("first", variant()), OrderedJSON.Member("second", variant()),
            OrderedJSON.Member("turns", .object(["sequence": ["second", "first"]])),
        ]
        if text.chance(2) { members.insert(OrderedJSON.Member("conditional", conditional()), at: text.int(0...2)) }
        let chosen = text.pick(["first", "second", "turns"])
        return .object(["default": text.chance(4) ? nil : .string(chosen), "variants": .object(members)])
    }

    private mutating func conditional() -> OrderedJSON {
        let condition: OrderedJSON =
            switch text.int(0...3) {
            case 0: .object(["headers": .object(["X-Flag": .object(["exists": true])])])
            case 1: .object(["query": .object(["qaz": .object(["exists": true])])])
            case 2: .object(["body": .object(["contains": "a"])])
            default: .object(["params": .object(["absent": .object(["exists": false])])])
            }
        return .object(["when": condition, "text": "conditional"])
    }

    private mutating func variant() -> OrderedJSON {
        if text.chance(15) { return .object(["error": .string(text.pick(["reset", "truncated", "refused"]))]) }
        var members: [OrderedJSON.Member] = []
        if text.chance(2) {
            members.append(
                .init("status", .int(text.pick([200, 201, 204, 205, 302, 304, 400, 404, 418, 429, 500, 503, 599]))))
        }
        if text.chance(2) {
            members.append(.init("headers", .object(["X-Own": .string(text.plain()), "X-Two": ["a", "b"]])))
        }
        if text.chance(5) { members.append(.init("delay", "1ms..3ms")) }
        if text.chance(8) { members.append(.init("bodyTime", "5ms")) }
        switch text.int(0...5) {
        case 0: break
        case 1: members.append(.init("text", .string(text.pieces(0...8))))
        case 2: members.append(.init("base64", .string(Data(text.bytes(0...2000)).base64EncodedString())))
        case 3: members.append(.init("json", .object(["a": [1, .null, .string(text.pieces(0...3))]])))
        case 4: members.append(.init("text", .string(String(repeating: text.plain(), count: text.int(1...3000)))))
        default:
            members.append(.init("fill", true))
            members.append(
                .init(
                    "json",
                    .object([
                        "method": "{{request.method}}", "path": "{{request.path}}", "flag": "{{request.header.X-Flag}}",
                        "count": "{{$count}}", "absent": "{{absent}}", "text": "is {{request.body}}",
                    ])))
        }
        return .object(members)
    }
}
