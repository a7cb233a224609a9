import Dispatch
package import HTTPWire

/// A request, and the connection over which it came.
package struct ServerRequest: Sendable {
    /// Names a request for a reply that comes later.
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
    /// Holds the room that the body takes, as long as somebody has the request.
    let bodyShare: BodyRoom.Share?
}

/// How a server's owner takes a large body.
package enum BodyTaking: Sendable {
    /// At once, when all of it is there: then `ServerHandler.reply` has it.
    case whole
    /// In parts. `EventLoop.readBody` asks for each one, and the reply comes through `EventLoop.reply`, also before the end of
    /// the body.
    case parts
    /// Not at all. This is the reply, and the connection is closed after it.
    case refused(ServerReply)
}

/// What comes of a body that is taken in parts.
package enum BodyEvent: Sendable {
    /// The next bytes; none if only the end has come.
    case part([UInt8], isLast: Bool)
    /// The rest never comes. A client that hasn't got a response gets one that says this.
    case broken(WireProblem)
}

/// What a server asks of its owner. All functions are called on the thread of the server's loop, and hold up every
/// connection, but for replies to large bodies.
package struct ServerHandler: Sendable {
    /// The reply to a request. With nil, the reply comes later, through `EventLoop.reply`.
    package var reply: @Sendable (ServerRequest) -> ServerReply?
    /// The reply to what is no request, or one beyond the limits, with as much of its head as was read. The connection is closed
    /// after it.
    package var refusal: @Sendable (WireProblem, RequestHead?) -> ServerReply = { problem, _ in .problem(problem) }
    /// The reply to a request that awaits `100 Continue`, if it is refused before its body comes; nil lets the body come.
    package var refusalOfBody: @Sendable (RequestHead) -> ServerReply? = { _ in nil }
    /// Asked for each body that has more than `RequestLimits.wholeBody` bytes; nil takes all of them whole.
    package var takesBody: (@Sendable (ServerRequest) -> BodyTaking)?
    /// Gets what `EventLoop.readBody` has asked for. Of a client that leaves before the end, `clientLeft` tells.
    package var bodyCame: @Sendable (ServerRequest.Ticket, BodyEvent) -> Void = { _, _ in }
    /// Is told of clients that close their connection, or their side of it, while their reply is awaited.
    package var clientLeft: @Sendable (ServerRequest.Ticket) -> Void = { _ in }

    /// Is told each time that a client has taken all pieces of a body so far.
    package var clientTook: @Sendable (ServerRequest.Ticket) -> Void = { _ in }

    package init(reply: @escaping @Sendable (ServerRequest) -> ServerReply?) { self.reply = reply }

    /// Replies to requests with large bodies later, from another thread: to read them takes long, and other clients would wait. That
    /// thread takes one at a time, so that they get their replies in the order in which they became complete.
    ///
    /// - Parameters:
    ///   - size: The bytes of the largest body that is no large one.
    ///   - reply: Is called on both threads.
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
