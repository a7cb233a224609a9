import Dispatch
package import HTTPWire

/// A request, and the connection over which it arrived.
package struct ServerRequest: Sendable {
    /// Identifies a request whose reply is given later.
    package struct Ticket: Hashable, Sendable {
        /// The request's place among all requests of this server, from 1.
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
    /// The whole body, or in `ServerHandler.takesBody` its start.
    package let body: [UInt8]
    package let client: Client
    /// Reserves the memory that the body takes, as long as the request exists.
    let bodyShare: BodyRoom.Share?
}

/// The way in which a server's owner takes a large body.
package enum BodyTaking: Sendable {
    /// As a whole: `ServerHandler.reply` gets the body once it is complete.
    case whole
    /// In parts. `EventLoop.readBody` asks for each one, and the reply is given with `EventLoop.reply`, perhaps before the end of
    /// the body.
    case parts
    /// Not at all. The value is the reply, and the connection is closed after it.
    case refused(ServerReply)
}

/// A part, or a failure, of a body that is taken in parts.
package enum BodyEvent: Sendable {
    /// The next bytes; none if only the end has arrived.
    case part([UInt8], isLast: Bool)
    /// The rest won't arrive. If no response has begun, the client gets one that reports the problem.
    case broken(WireProblem)
}

/// The functions through which a server's owner handles requests. All are called on the thread of the server's loop, and delay
/// every connection meanwhile, except for replies to large bodies.
package struct ServerHandler: Sendable {
    /// Returns the reply to a request. If this is nil, the reply is given later with `EventLoop.reply`.
    package var reply: @Sendable (ServerRequest) -> ServerReply?
    /// Returns the reply to an invalid request, or to a request beyond the limits. Gets as much of the head as was read. The
    /// connection is closed after the reply.
    package var refusal: @Sendable (WireProblem, RequestHead?) -> ServerReply = { problem, _ in .problem(problem) }
    /// Returns the reply to a request that awaits `100 Continue` if it is refused before its body is sent; nil lets the client
    /// send the body.
    package var refusalOfBody: @Sendable (RequestHead) -> ServerReply? = { _ in nil }
    /// Called for each body that has more than `RequestLimits.wholeBody` bytes. Without this function, all bodies are taken
    /// whole.
    package var takesBody: (@Sendable (ServerRequest) -> BodyTaking)?
    /// Called with what `EventLoop.readBody` has asked for. If a client leaves before the end, `clientLeft` is called instead.
    package var bodyCame: @Sendable (ServerRequest.Ticket, BodyEvent) -> Void = { _, _ in }
    /// Called when a client closes its connection, or its side of it, while its reply is awaited.
    package var clientLeft: @Sendable (ServerRequest.Ticket) -> Void = { _ in }

    /// Called each time a client has taken all pieces of a body given so far.
    package var clientTook: @Sendable (ServerRequest.Ticket) -> Void = { _ in }

    package init(reply: @escaping @Sendable (ServerRequest) -> ServerReply?) { self.reply = reply }

    /// Replies to requests with large bodies later, from another thread: reading them takes long, and other clients would wait.
    /// That thread handles one request at a time, so that replies are given in the order in which the requests became complete.
    ///
    /// - Parameters:
    ///   - size: The number of bytes up to which a body isn't large.
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
