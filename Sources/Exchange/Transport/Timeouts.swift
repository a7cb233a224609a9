public import RequestBuilding

/// How long each part of a request may take; a part without a limit may take for ever.
///
/// As a ``RequestOption`` it travels with one request: `builder.option(Timeouts.self, Timeouts(total: .seconds(3)))`.
public struct Timeouts: Hashable, Sendable {
    /// Finding the host, connecting and agreeing on TLS.
    public var connect: Duration?
    /// From the end of the request to the first byte of the answer.
    public var firstByte: Duration?
    /// Between any two bytes, in either direction.
    public var idle: Duration?
    /// The whole exchange, last body byte included.
    public var total: Duration?

    /// Limits; those not named don't exist.
    public init(
        connect: Duration? = nil, firstByte: Duration? = nil, idle: Duration? = nil, total: Duration? = nil
    ) {
        self.connect = connect
        self.firstByte = firstByte
        self.idle = idle
        self.total = total
    }

    /// What holds where nothing else is said: 10 s to connect, 60 s without a byte, no limit for the whole.
    public static let standard = Timeouts(connect: .seconds(10), idle: .seconds(60))
}

extension Timeouts: RequestOption {
    /// The limits themselves.
    public typealias Value = Timeouts

    /// The option's name.
    public static let name = "timeouts"

    /// `connect=10 total=0.5`, in seconds; a limit that doesn't exist is left out.
    public static func text(for value: Timeouts) -> String {
        limits.compactMap { name, limit in value[keyPath: limit].map { "\(name)=\($0.secondsText)" } }
            .joined(separator: " ")
    }

    /// The limits that a text of that form names.
    public static func value(for text: String) -> Timeouts? {
        var result = Timeouts()
        for part in text.split(separator: " ") {
            let pair = part.split(separator: "=")
            guard pair.count == 2, let limit = limits.first(where: { $0.name == pair[0] })?.limit,
                let seconds = Double(pair[1]), seconds >= 0
            else { return nil }
            result[keyPath: limit] = .seconds(seconds)
        }
        return result
    }

    /// A table and not a `switch`: Swift 6.3 with optimisation forgets what such a loop assigns to an optional duration
    /// in any but the first case.
    private static let limits: [(name: String, limit: any WritableKeyPath<Timeouts, Duration?> & Sendable)] = [
        ("connect", \.connect), ("firstByte", \.firstByte), ("idle", \.idle), ("total", \.total),
    ]
}

extension Duration {
    /// The time in seconds, without a fraction where there is none: `10`, `0.25`.
    var secondsText: String {
        // `Duration.seconds(0.7)` is a little more than 0.7 s.
        let seconds = (self.seconds * 1e9).rounded() / 1e9
        return seconds == seconds.rounded() && seconds.magnitude < 1e15 ? "\(Int64(seconds))" : "\(seconds)"
    }

    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }

    /// Nanoseconds, held within what the clock can count.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let limit = Int64.max / 4 / 1_000_000_000
        return min(max(seconds, -limit), limit) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
