/// The times of a transfer. All but ``queued`` are counted from its beginning. A step that didn't happen has the time zero.
public struct Timings: Hashable, Sendable {
    /// The time for which the request waited before its transfer began, because too many others were under way or the engine was busy.
    public var queued: Duration
    /// The time until the host's name was resolved.
    public var nameLookup: Duration
    /// The time until the connection was established.
    public var connect: Duration
    /// The time until the TLS handshake was complete.
    public var tls: Duration
    /// The time until the first byte of the request was sent.
    public var sending: Duration
    /// The time until the last byte of the request was sent.
    public var sent: Duration
    /// The time until the first byte of the response.
    public var firstByte: Duration
    /// The time until the last byte, or until the transfer failed.
    public var total: Duration

    /// The times of a transfer, in whole microseconds, as reports have them.
    package init(
        queued: Duration = .zero, nameLookup: Duration = .zero, connect: Duration = .zero, tls: Duration = .zero,
        sending: Duration = .zero, sent: Duration = .zero, firstByte: Duration = .zero, total: Duration = .zero
    ) {
        self.queued = queued.wholeMicroseconds
        self.nameLookup = nameLookup.wholeMicroseconds
        self.connect = connect.wholeMicroseconds
        self.tls = tls.wholeMicroseconds
        self.sending = sending.wholeMicroseconds
        self.sent = sent.wholeMicroseconds
        self.firstByte = firstByte.wholeMicroseconds
        self.total = total.wholeMicroseconds
    }

    /// The time from the first byte of the request to the last byte of the response.
    package var service: Duration { total - sending }
}

extension Duration {
    fileprivate var wholeMicroseconds: Duration {
        let (seconds, attoseconds) = components
        return .seconds(seconds) + .microseconds((attoseconds + 500_000_000_000) / 1_000_000_000_000)
    }
}
