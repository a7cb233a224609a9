import JSONRPC
import ReqcliText

/// The revisions of the Model Context Protocol: which one a request uses, and what differs in its answer.
struct AgentProtocol {
    /// The revisions that a client chooses with `initialize`, the newest first.
    static let handshakeVersions = ["2025-11-25", "2025-06-18"]
    /// The revisions that each request names in its `_meta`.
    static let requestVersions = ["2026-07-28"]
    static let versionKey = "io.modelcontextprotocol/protocolVersion"
    static let serverKey = "io.modelcontextprotocol/serverInfo"
    static let unsupportedVersion = -32022

    private static let capabilities: OrderedJSON = .object(["tools": .object([])])
    private static let serverInfo: OrderedJSON = .object([
        "name": .string(Program.name), "version": .string(Program.version),
    ])
    private static let instructions = """
        Definitions of an HTTP API in JSON files. `list` has the ids, `show` one endpoint with its params, `render` the request that \
        would be sent, `explain` where its parts come from, `validate` all mistakes. `send` sends requests that only read.
        """

    private var isInitialized = false

    /// Whether the request names a revision, so that its answer has the keys of that revision.
    ///
    /// - Throws: An error for a revision that is not known, or for a request before `initialize`.
    func isNamed(in params: JSONValue?, of method: String) throws(RPCError) -> Bool {
        guard let named = params?["_meta"]?[Self.versionKey] else {
            if isInitialized || method == "ping" || method == "initialize" { return false }
            throw RPCError(
                RPCError.invalidRequest,
                "the first request must be \"initialize\", or each request must name a version in \"_meta\"")
        }
        if let version = named.string, Self.requestVersions.contains(version) { return true }
        // A client may repeat here what it has agreed on.
        if isInitialized, let version = named.string, Self.handshakeVersions.contains(version) { return false }
        throw RPCError(
            Self.unsupportedVersion, "this version of the protocol is not supported",
            data: .object([
                "supported": .array((Self.requestVersions + Self.handshakeVersions).map { .string($0) }),
                "requested": OrderedJSON(named),
            ]))
    }

    /// The answer to `initialize`. A client that asks for an unknown revision is offered the newest one.
    mutating func initialize(_ params: JSONValue?) -> OrderedJSON {
        isInitialized = true
        let asked = params?["protocolVersion"]?.string ?? ""
        return .object([
            "protocolVersion": .string(Self.handshakeVersions.contains(asked) ? asked : Self.handshakeVersions[0]),
            "capabilities": Self.capabilities, "serverInfo": Self.serverInfo,
            "instructions": .string(Self.instructions),
        ])
    }

    /// The answer to `server/discover`.
    static var discovered: OrderedJSON {
        .object([
            "supportedVersions": .array(requestVersions.map { .string($0) }), "capabilities": capabilities,
            "instructions": .string(instructions),
        ])
    }

    /// A result with the keys that a request with `_meta` expects in it.
    ///
    /// - Parameter mayBeKept: Whether the result is the same until the server ends.
    static func complete(_ result: OrderedJSON, mayBeKept: Bool) -> OrderedJSON {
        var members = result.objectMembers ?? []
        members.append(.init("resultType", "complete"))
        if mayBeKept { members += [.init("ttlMs", .int(3_600_000)), .init("cacheScope", "private")] }
        members.append(.init("_meta", .object([serverKey: serverInfo])))
        return .object(members)
    }
}
