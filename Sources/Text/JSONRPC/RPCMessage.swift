package import ReqcliText

/// The id of a request, as the peer wrote it.
package enum RequestID: Sendable, Hashable {
    case number(String)
    case text(String)

    init?(_ value: JSONValue?) {
        switch value?.kind {
        case .number: self = .number(value?.numberText ?? "")
        case .string: self = .text(value?.string ?? "")
        default: return nil
        }
    }

    package var json: OrderedJSON {
        switch self {
        case .number(let text): .number(text)
        case .text(let text): .string(text)
        }
    }
}

/// An error as JSON-RPC sends it.
package struct RPCError: Error, Sendable, Equatable {
    package let code: Int
    package let message: String
    package let data: OrderedJSON?

    package init(_ code: Int, _ message: String, data: OrderedJSON? = nil) {
        self.code = code
        self.message = message
        self.data = data
    }

    package static let parse = -32700
    package static let invalidRequest = -32600
    package static let methodNotFound = -32601
    package static let invalidParams = -32602
    package static let notInitialized = -32002
    package static let cancelled = -32800
    package static let contentModified = -32801
    package static let requestFailed = -32803

    package var json: OrderedJSON { .object(["code": .int(code), "message": .string(message), "data": data]) }
}

/// A message of JSON-RPC 2.0.
package enum RPCMessage: Sendable {
    case request(RequestID, method: String, params: JSONValue?)
    case notification(method: String, params: JSONValue?)
    /// The answer to a request of this program; the result is nil after an error.
    case response(RequestID, result: JSONValue?)

    private static let depth = 512

    /// Reads a message. The error is answered with the id, if the message has one.
    package static func read(_ bytes: [UInt8]) -> Result<RPCMessage, DamagedMessage> {
        let document = JSONDocument.read(
            SourceFile(name: "message", bytes: bytes), limits: JSONReader.Limits(depth: depth))
        guard let root = document.validRoot else {
            return .failure(DamagedMessage(id: nil, RPCError(RPCError.parse, "the message is not JSON")))
        }
        let id = RequestID(root["id"])
        func invalid(_ reason: String) -> Result<RPCMessage, DamagedMessage> {
            .failure(DamagedMessage(id: id, RPCError(RPCError.invalidRequest, reason)))
        }
        if root.kind == .array { return invalid("batches are not supported; send one message at a time") }
        guard root.kind == .object, root["jsonrpc"]?.string == "2.0" else { return invalid("this is not JSON-RPC 2.0") }
        if let method = root["method"] {
            guard let method = method.string else { return invalid("\"method\" must be a string") }
            if let id { return .success(.request(id, method: method, params: root["params"])) }
            guard root["id"] == nil else { return invalid("\"id\" must be a number or a string") }
            return .success(.notification(method: method, params: root["params"]))
        }
        guard let id, root["result"] != nil || root["error"] != nil else {
            return invalid("the message is neither a request nor a response")
        }
        return .success(.response(id, result: root["result"]))
    }
}

/// A message that can't be carried out, and the error to answer it with.
package struct DamagedMessage: Error, Sendable {
    package let id: RequestID?
    package let error: RPCError

    init(id: RequestID?, _ error: RPCError) {
        self.id = id
        self.error = error
    }
}
