import Dispatch
package import HTTPWire

/// A request, and the connection over which it arrived.
package struct ServerRequest: Sendable {
    /// Identifies a request whose reply is given later.
    package struct Ticket: Hashable, Sendable {
        /// The number of the request among all requests of this server, counted from 1.
        package let number: UInt64
        let descriptor: Int32
        let serial: UInt32
    }

    package enum Client: Sendable {
        case loopback
        case unixSocket
        case network
    }

    package let ticket: Ticket
    package let head: RequestHead
    /// The whole body. In `ServerHandler.takesBody`, only the start of the body.
    package let body: [UInt8]
    package let client: Client
    /// The share of memory that is reserved for the body as long as the request exists.
    let bodyShare: BodyRoom.Share?
}

/// The way in which a server's owner wants to take a large body.
package enum BodyTaking: Sendable {
    /// As a whole: `ServerHandler.reply` is called when the body is complete.
    case whole
    /// In parts. `EventLoop.readBody` asks for each part. The reply is given with `EventLoop.reply`, perhaps before the end of
    /// the body.
    case parts
    /// Not at all. The value is the reply, and the connection is closed after this reply.
    case refused(ServerReply)
}

/// A part of a body that is taken in parts, or a failure of such a body.
package enum BodyEvent: Sendable {
    /// The next bytes. There are no bytes if only the end of the body has arrived.
    case part([UInt8], isLast: Bool)
    /// The rest of the body won't arrive. If no response has begun, the client gets a response that reports the problem.
    case broken(WireProblem)
}

/// The functions through which a server's owner handles requests. The server calls them on the thread of its loop, and every
/// connection waits meanwhile. `reply` for a large body may be called on another thread: see `init(_:upTo:reply:)`.
package struct ServerHandler: Sendable {
    /// Returns the reply to a request. Returns nil if the reply is given later with `EventLoop.reply`.
    package var reply: @Sendable (ServerRequest) -> ServerReply?
    /// Returns the reply to an invalid request, or to a request that exceeds a limit. The function gets the part of the head that
    /// was read. The connection is closed after the reply.
    package var refusal: @Sendable (WireProblem, RequestHead?) -> ServerReply = { problem, _ in .problem(problem) }
    /// Decides about a request that awaits `100 Continue`. Returns a reply to refuse the request before its body is sent, or nil
    /// to let the client send the body.
    package var refusalOfBody: @Sendable (RequestHead) -> ServerReply? = { _ in nil }
    /// Called for each body that has more than `RequestLimits.wholeBody` bytes. Without this function, all bodies are taken as a
    /// whole.
    package var takesBody: (@Sendable (ServerRequest) -> BodyTaking)?
    /// Called with each part that `EventLoop.readBody` has asked for, or with a failure of the body. If a client leaves before
    /// the end of its body, `clientLeft` is called instead.
    package var bodyCame: @Sendable (ServerRequest.Ticket, BodyEvent) -> Void = { _, _ in }
    /// Called when a client closes its connection, or its side of the connection, while the server still waits for the owner's
    /// reply or for the rest of this reply.
    package var clientLeft: @Sendable (ServerRequest.Ticket) -> Void = { _ in }

    /// Called each time a client has taken all pieces of a body that were given so far.
    package var clientTook: @Sendable (ServerRequest.Ticket) -> Void = { _ in }

    package init(reply: @escaping @Sendable (ServerRequest) -> ServerReply?) { self.reply = reply }

    /// Replies to requests with large bodies later, from another thread, because reading such a body takes long and other clients
    /// would wait. The other thread handles one request at a time, so the replies are given in the order in which the requests
    /// became complete.
    ///
    /// - Parameters:
    ///   - size: The maximum size of a body that isn't large, in bytes.
    ///   - reply: Called on both threads.
    package init(
        _ loop: EventLoop, upTo size: Int, reply: @escaping @Sendable (ServerRequest) -> ServerReply?
    ) {
        let queue = DispatchQueue(label: "reqcli.large-bodies")
        self.init { [weak loop] request in
            if request.body.count <= size { return reply(request) }
            queue.async { [weak loop] in
                let answer = reply(request)
                guard let loop else { return }
                if let answer { loop.reply(answer, to: request.ticket) } else { loop.checkClient(of: request.ticket) }
            }
            return nil
        }
    }
}
