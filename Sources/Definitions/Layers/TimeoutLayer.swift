import SourceText

/// What a layer says about the bounds for the stages of an exchange; nil where it is silent.
package struct TimeoutLayer: Sendable {
    package var connect: Setting<Duration>?
    package var firstByte: Setting<Duration>?
    package var idle: Setting<Duration>?
    /// From the first attempt to connect to the last byte of the body.
    package var total: Setting<Duration>?

    static let table = ObjectShape<TimeoutLayer>(
        "timeouts", title: "\"timeout\"", summary: "A bound for each stage of an exchange; null for none.",
        [
            Field("connect", .setting(.bound), "Until the connection stands, TLS included.") { $0.connect = $1 },
            Field("firstByte", .setting(.bound), "From the request's last byte to the answer's first.") {
                $0.firstByte = $1
            },
            Field("idle", .setting(.bound), "Without a byte in either direction.") { $0.idle = $1 },
            Field("total", .setting(.bound), "The whole exchange, the last byte of the body included.") {
                $0.total = $1
            },
        ], initial: { _ in TimeoutLayer() })
}

extension Shape where Value == TimeoutLayer {
    /// One bound alone is the one for all of it.
    static let timeouts = Shape(
        expects: DurationText.example, schema: .either([Shape<Duration>.bound.schema, TimeoutLayer.table.shape.schema])
    ) { value, decoding in
        value.kind == .object
            ? TimeoutLayer.table.decode(value, &decoding)
            : Shape<Duration>.bound.decode(value, &decoding).map {
                TimeoutLayer(total: Located(.set($0), at: value.place))
            }
    }
}
