package import HTTPWire

/// The limits that a server sets for its clients.
package struct ServerLimits: Sendable {
    package var request = RequestLimits()
    /// The longest time until a head is complete, from its first byte, or from the start of the connection for the first head.
    package var headTime = Duration.seconds(10)
    /// The longest time without a byte of a body.
    package var bodySilence = Duration.seconds(30)
    /// The longest time in which a client reads nothing of its response.
    package var responseSilence = Duration.seconds(60)
    /// The time for which a connection is kept for its next request.
    package var idleTime = Duration.seconds(75)
    /// The time for which a fault of the kind `timeout` keeps its connection open.
    package var heldTime = Duration.seconds(600)
    /// The longest wait for the client to close a connection after its last response.
    package var lingerTime = Duration.seconds(5)
    /// The most connections at a time. The server allows fewer if the process can't have enough descriptors.
    package var connections = 10_000

    /// The most bytes that all bodies larger than `request.wholeBody` take together, until their requests are answered.
    package var bodies = 256 << 20

    package init() {}
}
