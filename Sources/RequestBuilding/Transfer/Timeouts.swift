import ASCII

/// How long each part of a request may take. A part without a limit may take forever.
public struct Timeouts: Hashable, Sendable {
    /// Finding the host, connecting and agreeing on TLS.
    public var connect: Duration?
    /// From the end of the request to the first byte of the response.
    public var firstByte: Duration?
    /// Between any two bytes, in either direction.
    public var idle: Duration?
    /// The whole exchange, last body byte included.
    public var total: Duration?

    /// How much of `total` is over when the request goes out: the time of the redirects that led to it.
    package var spent = Duration.zero

    /// What is left of `total`.
    package var left: Duration? { total.map { max(.zero, $0 - spent) } }

    /// Limits; a part that is not named has none.
    public init(
        connect: Duration? = nil, firstByte: Duration? = nil, idle: Duration? = nil, total: Duration? = nil
    ) {
        self.connect = connect
        self.firstByte = firstByte
        self.idle = idle
        self.total = total
    }

    /// The limits of a request that sets none: 10 s to connect, 60 s without a byte, no limit for the whole.
    public static let standard = Timeouts(connect: standardConnect, idle: standardIdle)
    package static let standardConnect = Duration.seconds(10)
    package static let standardIdle = Duration.seconds(60)
}

extension Duration {
    /// The shortest way to write it: `10s`, `800ms`, `1.5s`.
    package var text: String {
        func trimmed(_ value: Double) -> String {
            value == value.rounded() ? String(Int(value)) : String((value * 1000).rounded() / 1000)
        }
        return seconds < 1 ? "\(trimmed(seconds * 1000))ms" : "\(trimmed(seconds))s"
    }

    /// The time in seconds, without a fraction where there is none: `10`, `0.25`.
    package var secondsText: String {
        // `Duration.seconds(0.7)` is a little more than 0.7 s.
        let seconds = (self.seconds * 1e9).rounded() / 1e9
        return seconds == seconds.rounded() && seconds.magnitude < 1e15 ? "\(Int64(seconds))" : "\(seconds)"
    }

    /// The time in seconds.
    package var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }

    /// Nanoseconds, held within what a clock can count.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let limit = Int64.max / 4 / 1_000_000_000
        return min(max(seconds, -limit), limit) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
