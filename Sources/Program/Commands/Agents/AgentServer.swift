import CommandLineKit
import Glibc
import JSONRPC
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// The server that an agent talks to. It carries out one call after the other.
struct AgentServer: ~Copyable {
    private let context: Context
    private let root: String
    private let environments: [String]
    private let rule: AgentRule
    private let tools: [AgentTool]
    private var peer: RPCPeer
    private var revisions = AgentProtocol()
    private var results: AgentResults
    private(set) var hasInputEnded = false

    init(_ context: Context, root: String, environments: [String], _ rule: AgentRule, resultSize: Int) {
        self.context = context
        self.root = root
        self.environments = environments
        self.rule = rule
        tools = AgentTool.offered(allowingChanges: !rule.methods.isEmpty || !rule.endpoints.isEmpty)
        let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
        results = AgentResults(
            size: resultSize, prefix: String((0..<3).map { _ in letters[Int.random(in: letters.indices)] }))
        let output = context.output
        peer = RPCPeer(
            .line, cancelMethod: "notifications/cancelled", cancelKey: "requestId", answersCancelled: false
        ) { output.writeUnfiltered($0) }
    }

    // MARK: The loop

    mutating func receive(_ event: StandardInputStream.Event) {
        switch event {
        case .bytes(let bytes): peer.receive(bytes)
        case .end: hasInputEnded = true
        case .nothing: break
        }
    }

    /// Carries out what is queued.
    mutating func work(_ input: StandardInputStream) {
        while context.output.isOpen, let message = peer.next() {
            guard case .request(let id, let method, let params) = message else { continue }
            do throws(RPCError) {
                if let result = try answer(id, method, params, input) { peer.send(result: result, to: id) }
            } catch {
                peer.send(error: error, to: id)
            }
        }
    }

    /// The answer to a request; nil if the request was cancelled.
    private mutating func answer(
        _ id: RequestID, _ method: String, _ params: JSONValue?, _ input: StandardInputStream
    ) throws(RPCError) -> OrderedJSON? {
        let isNamed = try revisions.isNamed(in: params, of: method)
        let result: OrderedJSON
        switch method {
        case "initialize": return revisions.initialize(params)
        case "ping": result = .object([])
        case "server/discover" where isNamed: result = AgentProtocol.discovered
        case "tools/list": result = .object(["tools": .array(tools.map(\.json))])
        case "tools/call":
            guard let called = try call(id, params, input) else { return nil }
            result = called
        default: throw RPCError(RPCError.methodNotFound, "this server has no method of this name")
        }
        guard isNamed else { return result }
        return AgentProtocol.complete(result, mayBeKept: ["server/discover", "tools/list"].contains(method))
    }

    // MARK: Calls

    private mutating func call(
        _ id: RequestID, _ params: JSONValue?, _ input: StandardInputStream
    ) throws(RPCError) -> OrderedJSON? {
        guard let name = params?["name"]?.string, let tool = tools.first(where: { $0.name == name }) else {
            throw RPCError(
                RPCError.invalidParams,
                "there is no such tool; the tools are \(tools.map(\.name).joined(separator: ", "))")
        }
        do throws(ToolProblem) {
            let words = try ToolWords(tool, params?["arguments"])
            guard tool.command != nil else {
                return results.read(
                    words.text("call") ?? "", select: words.text("select"), offset: words.count("offset"))
            }
            let line = try words.words(root: root, environments: environments)
            try refuseFiles(outsideFor: words)
            var limits = rule
            if tool.effect == .reads { limits.reading = words.text("endpoint") }
            return try carryOut(
                [AgentRule.call, limits.word] + line, tool, from: words.count("offset") ?? 0, id, input)
        } catch {
            log("\(tool.name): refused: \(error.message)")
            return AgentResults.problem(error)
        }
    }

    /// Refuses values that name files outside the workspace, and words that the command would take for something else than a value.
    private func refuseFiles(outsideFor words: ToolWords) throws(ToolProblem) {
        let values = try words.values()
        guard let id = words.text("endpoint"), !values.isEmpty else { return }
        let endpoint = try? Workspace.locate(named: root, from: root, files: context.files).endpoint(id).value
        guard case .found(let endpoint)? = endpoint else { return }
        for (name, texts) in values {
            let parameter = endpoint.parameters.first { $0.name == name }
            for text in texts {
                if parameter == nil, text.utf8.first == UInt8(ascii: "=") {
                    throw ToolProblem("\(id) has no param \"\(name)\"", hint: "`show` has its params")
                }
                guard parameter?.value.kind == .file || parameter?.value.items?.kind == .file else { continue }
                let path = FilePath.join(root, text)
                let real = context.files.resolve(path) ?? FilePath.tidy(path)
                guard FilePath.isInside(real, context.files.resolve(root) ?? root) else {
                    throw ToolProblem("the file for \"\(name)\" is outside the workspace", hint: "name a file below it")
                }
            }
        }
    }

    /// Runs the command. While it runs, messages are queued, and its request may be cancelled.
    private mutating func carryOut(
        _ words: [String], _ tool: AgentTool, from offset: Int, _ id: RequestID, _ input: StandardInputStream
    ) throws(ToolProblem) -> OrderedJSON? {
        var call: AgentCall
        do throws(SystemError) { call = try AgentCall(words) } catch {
            throw ToolProblem("cannot start the program: \(error.text)")
        }
        peer.running = id
        var isCancelled = false
        while !call.descriptors.isEmpty {
            if hasInputEnded {
                var descriptors = call.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
                poll(&descriptors, nfds_t(descriptors.count), -1)
            } else {
                receive(input.wait(atMost: -1, orFor: call.descriptors))
            }
            call.read()
            if !isCancelled, peer.isRunningCancelled {
                isCancelled = true
                call.cancel()
            }
        }
        let status = call.end()
        peer.running = nil
        log("\(tool.name): \(isCancelled ? "cancelled" : "exit \(status.code)")")
        if isCancelled { return nil }
        if call.isTooLarge { throw ToolProblem("the result is larger than 64 MiB", hint: "ask for less") }
        return result(of: tool, call.output, call.messages, status, from: offset)
    }

    private mutating func result(
        of tool: AgentTool, _ output: [UInt8], _ messages: [UInt8], _ status: ExitStatus, from offset: Int
    ) -> OrderedJSON {
        let text = String(decoding: output, as: UTF8.self)
        let value = output.isEmpty ? nil : OrderedJSON(parsing: text).map { AgentMasks.masked($0) }
        var members: [OrderedJSON.Member] = []
        if status.code != ExitStatus.success.code { members.append(.init("exit", .int(Int(status.code)))) }
        members += Self.members(ofMessages: String(decoding: messages, as: UTF8.self))
        guard let value else { return results.result(.object(members), isError: true) }
        if tool.name == "list", case .array(let elements) = value {
            return results.page(elements, from: offset, adding: members)
        }
        return results.result(.object((value.objectMembers ?? [.init("value", value)]) + members))
    }

    /// The output of the command on stderr: lines for people, and objects with problems, each over several lines.
    private static func members(ofMessages text: String) -> [OrderedJSON.Member] {
        var (notes, problems): ([OrderedJSON], [OrderedJSON]) = ([], [])
        var lines = text.split(separator: "\n")[...]
        while let line = lines.popFirst() {
            if line == "{", let end = lines.firstIndex(of: "}"),
                case .array(let found)? = OrderedJSON(parsing: ([line] + lines[...end]).joined(separator: "\n"))?
                    .objectMembers?.first(where: { $0.name == "diagnostics" })?.value
            {
                problems += found.map { AgentMasks.masked($0) }
                lines = lines[(end + 1)...]
            } else {
                notes.append(AgentMasks.masked(.string(String(line))))
            }
        }
        return (problems.isEmpty ? [] : [.init("problems", .array(problems))])
            + (notes.isEmpty ? [] : [.init("notes", .array(notes))])
    }

    private func log(_ line: String) { context.messages.write("\(Program.name) mcp: \(line)\n") }
}
