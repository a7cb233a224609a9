/// How much of a request is read before it is refused, in bytes where nothing else is said.
package struct RequestLimits: Sendable {
    package var requestLine = 16 << 10
    package var head = 64 << 10
    /// The number of header fields.
    package var fields = 200
    package var body = 16 << 20
    /// A longer body may be taken in parts.
    package var wholeBody = 64 << 10
    package var chunkLine = 256
    package var trailers = 8 << 10

    package init() {}
}
