package import HTTPWire

/// What a server takes from its clients.
package struct ServerLimits: Sendable {
    package var request = RequestLimits()
    /// A head is complete this long after its first byte, or after the connection if it is the first one.
    package var headTime = Duration.seconds(10)
    /// The longest time without a byte of a body.
    package var bodySilence = Duration.seconds(30)
    /// The longest time in which a client reads nothing of its response.
    package var responseSilence = Duration.seconds(60)
    /// How long a connection is kept for its next request.
    package var idleTime = Duration.seconds(75)
    /// How long a fault of the kind `timeout` holds its connection.
    package var heldTime = Duration.seconds(600)
    /// How long the end of a client that was refused is waited for.
    package var lingerTime = Duration.seconds(5)
    /// The number of connections at a time. Where descriptors don't allow them, it is fewer.
    package var connections = 10_000

    /// The bytes that bodies which are larger than `request.wholeBody` take at a time, until their requests are answered.
    package var bodies = 256 << 20

    package init() {}
}
