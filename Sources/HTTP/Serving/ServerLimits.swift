package import HTTPWire

/// The limits that a server sets for its clients.
package struct ServerLimits: Sendable {
    package var request = RequestLimits()
    /// The maximum time until a head is complete. It begins with the head's first byte, or with the start of the connection for
    /// the first head.
    package var headTime = Duration.seconds(10)
    /// The maximum time during which no byte of a body arrives.
    package var bodySilence = Duration.seconds(30)
    /// The maximum time during which a client reads nothing of its response.
    package var responseSilence = Duration.seconds(60)
    /// The time for which an idle connection is kept open for the next request.
    package var idleTime = Duration.seconds(75)
    /// The time for which a fault of the kind `timeout` keeps the connection open.
    package var heldTime = Duration.seconds(600)
    /// The maximum time to wait for the client to close a connection after its last response.
    package var lingerTime = Duration.seconds(5)
    /// The maximum number of connections at the same time. The server allows fewer if the process can't have enough descriptors.
    package var connections = 10_000

    /// The maximum number of bytes that all bodies larger than `request.wholeBody` may use together. A body is included until its
    /// request is answered.
    package var bodies = 256 << 20

    package init() {}
}
