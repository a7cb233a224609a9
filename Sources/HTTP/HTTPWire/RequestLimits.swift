/// Limits above which a request is refused, in bytes unless stated otherwise.
package struct RequestLimits: Sendable {
    package var requestLine = 16 << 10
    package var head = 64 << 10
    /// The number of header fields.
    package var fields = 200
    package var body = 16 << 20
    /// A body longer than this may be read in parts.
    package var wholeBody = 64 << 10
    package var chunkLine = 256
    package var trailers = 8 << 10

    package init() {}
}
