import SourceText

/// Bounds for the stages of an exchange; nil where there is none.
package struct Timeouts: Sendable, Equatable {
    package var connect: Duration?
    package var firstByte: Duration?
    package var idle: Duration?
    /// From the first attempt to connect to the last byte of the body.
    package var total: Duration?

    package init(connect: Duration? = nil, firstByte: Duration? = nil, idle: Duration? = nil, total: Duration? = nil) {
        self.connect = connect
        self.firstByte = firstByte
        self.idle = idle
        self.total = total
    }

    /// What holds where nobody says anything.
    package static let standard = Timeouts(connect: .seconds(10), idle: .seconds(60))

    static let table = ObjectShape<Timeouts>(
        "timeouts", title: "\"timeout\"", summary: "A bound for each stage of an exchange.",
        [
            Field("connect", .bound, "Until the connection stands, TLS included.") { $0.connect = $1 },
            Field("firstByte", .bound, "From the request's last byte to the answer's first.") { $0.firstByte = $1 },
            Field("idle", .bound, "Without a byte in either direction.") { $0.idle = $1 },
            Field("total", .bound, "The whole exchange, the last byte of the body included.") { $0.total = $1 },
        ], initial: { _ in Timeouts() })
}

extension Shape where Value == Timeouts {
    static let timeouts = Shape(
        expects: DurationText.example, schema: .either([Shape<Duration>.bound.schema, Timeouts.table.shape.schema])
    ) { value, decoding in
        value.kind == .object
            ? Timeouts.table.decode(value, &decoding)
            : Shape<Duration>.bound.decode(value, &decoding).map { Timeouts(total: $0) }
    }
}
