import ReqcliBasics

/// The time limits for the parts of an exchange. A part without a limit may take forever.
public struct Timeouts: Hashable, Sendable {
    /// The limit for resolving the host, connecting and the TLS handshake.
    public var connect: Duration?
    /// The limit from the end of the request to the first byte of the response.
    public var firstByte: Duration?
    /// The limit between any two bytes, in either direction.
    public var idle: Duration?
    /// The limit for the whole exchange, including the last byte of the body.
    public var total: Duration?

    /// The part of `total` that was used up before this request. Earlier requests used this time, because their responses were
    /// redirects that led to this request.
    package var spent = Duration.zero

    /// The remaining part of `total`.
    package var left: Duration? { total.map { max(.zero, $0 - spent) } }

    /// Limits. A part that is not given has no limit.
    public init(
        connect: Duration? = nil, firstByte: Duration? = nil, idle: Duration? = nil, total: Duration? = nil
    ) {
        self.connect = connect
        self.firstByte = firstByte
        self.idle = idle
        self.total = total
    }

    /// The default limits: 10 s to connect, 60 s without a byte, no limit for the whole.
    package static let standard = Timeouts(connect: standardConnect, idle: standardIdle)
    package static let standardConnect = Duration.seconds(10)
    package static let standardIdle = Duration.seconds(60)
}

extension Duration {
    /// A copy of these settings. If they name no proxies or no certificates to trust, the values of the other settings are used.
    package var text: String {
        func trimmed(_ value: Double) -> String {
            value == value.rounded() ? String(Int(value)) : String((value * 1000).rounded() / 1000)
        }
        return seconds < 1 ? "\(trimmed(seconds * 1000))ms" : "\(trimmed(seconds))s"
    }

    /// The time in seconds, with a fraction only if needed: `10`, `0.25`.
    package var secondsText: String {
        // The value is rounded, because `Duration.seconds(0.7)` is a little more than 0.7 s.
        let seconds = (self.seconds * 1e9).rounded() / 1e9
        return seconds == seconds.rounded() && seconds.magnitude < 1e15 ? "\(Int64(seconds))" : "\(seconds)"
    }

    /// The time in seconds.
    package var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }

    /// The time in nanoseconds, limited to the range of a clock.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let limit = Int64.max / 4 / 1_000_000_000
        return min(max(seconds, -limit), limit) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
