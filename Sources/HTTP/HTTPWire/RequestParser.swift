import ReqcliBasics

/// Reads the head of a request from bytes as they arrive.
///
/// Each line is read only once, when its end has arrived. The outcome therefore doesn't depend on how the bytes were split, and a
/// client that sends one byte at a time costs no more than any other client.
package struct RequestParser: Sendable {
    let limits: RequestLimits
    /// The index at which the head begins. An empty line may precede the head.
    private var start: Int
    private var lineStart: Int
    /// The index up to which the current line was searched for a line end.
    private var searched: Int
    private var hasSkippedLine = false
    private var requestLine: RequestLine?
    private var fields: [FieldLine] = []

    private var hasRequestLine: Bool { requestLine != nil }

    /// - Parameter start: The index in the buffer at which the request begins.
    package init(at start: Int = 0, limits: RequestLimits = RequestLimits()) {
        self.limits = limits
        self.start = start
        lineStart = start
        searched = start
    }

    /// Discards what was read, and continues with the next request.
    mutating func restart(at place: Int) {
        (start, lineStart, searched) = (place, place, place)
        hasSkippedLine = false
        requestLine = nil
        fields = []
    }

    /// Returns the head when it is complete, and nil until then. After nil, the caller appends more bytes to the same buffer and
    /// calls this function again.
    package mutating func read(_ buffer: [UInt8]) throws(WireProblem) -> RequestHead? {
        if !hasSkippedLine, start < buffer.count, buffer[start] == 0x16 {
            throw WireProblem(
                400, "the connection begins with a TLS handshake: the URL of this server begins with http://")
        }
        let bytes = buffer.span
        while let end = bytes.firstIndex(of: .lineFeed, in: searched..<bytes.count) {
            try checkSize(upTo: end - 1)
            guard end > lineStart, bytes[end - 1] == .carriageReturn else {
                throw WireProblem(400, "a line ends with LF alone; HTTP's lines end with CR and LF")
            }
            let line = lineStart..<(end - 1)
            lineStart = end + 1
            searched = lineStart
            if hasRequestLine, !line.isEmpty {
                guard fields.count < limits.fields else {
                    throw WireProblem(431, "the request has more than \(limits.fields) headers")
                }
                fields.append(try FieldLine(line, in: bytes))
            } else if let requestLine {
                let message = try MessageFields(fields, in: bytes, isHTTP10: requestLine.isHTTP10)
                return RequestHead(requestLine, message, fields, in: buffer, end: end + 1)
            } else if line.isEmpty, !hasSkippedLine {
                // RFC 9112, section 2.2: some clients send an empty line after a body.
                hasSkippedLine = true
                start = lineStart
            } else {
                requestLine = try RequestLine(line, in: bytes)
                fields.reserveCapacity(16)
            }
        }
        searched = buffer.count
        // The last byte may be the CR of the line's end, so it isn't counted.
        try checkSize(upTo: buffer.count - 1)
        return nil
    }

    /// The part of the head that has arrived, or that was read before the head was refused; nil before the end of the request
    /// line.
    func start(of buffer: [UInt8]) -> RequestHead? {
        requestLine.map { RequestHead($0, nil, fields, in: buffer, end: lineStart) }
    }

    /// - Parameter end: The end of the line that is being read, without CR and LF.
    private func checkSize(upTo end: Int) throws(WireProblem) {
        if !hasRequestLine, end - lineStart > limits.requestLine {
            throw WireProblem(414, "the request line has more than \(limits.requestLine) bytes")
        }
        if end - start > limits.head {
            throw WireProblem(431, "the head of the request has more than \(limits.head) bytes")
        }
    }
}
