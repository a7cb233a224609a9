import ReqcliBasics

/// A response's body that the server's owner gives piece by piece.
struct ResponseStream {
    let isChunked: Bool
    /// The number of bytes that are still missing; nil if the length isn't known.
    var left: Int?
    /// The bytes that have not been passed to the socket yet.
    var queue: [UInt8] = []
    var hasEnded = false

    mutating func append(_ bytes: [UInt8]) {
        // Drops bytes beyond the stated length, because the client would read them as the next response.
        let piece = bytes.prefix(left ?? .max)
        guard !piece.isEmpty else { return }
        if let left { self.left = left - piece.count }
        if isChunked { queue += "\(String(piece.count, radix: 16))\r\n".utf8 }
        queue += piece
        if isChunked { queue += [.carriageReturn, .lineFeed] }
    }

    mutating func end() {
        hasEnded = true
        if isChunked { queue += "0\r\n\r\n".utf8 }
    }
}

extension ServerCore {
    func send(_ bytes: [UInt8], to ticket: ServerRequest.Ticket) {
        guard let connection = openStream(ticket) else { return }
        connection.stream?.append(bytes)
        resume(connection)
    }

    func endBody(of ticket: ServerRequest.Ticket) {
        guard let connection = openStream(ticket) else { return }
        connection.stream?.end()
        resume(connection)
    }

    func cut(_ ticket: ServerRequest.Ticket) {
        guard let connection = openStream(ticket) else { return }
        connection.stream = nil
        resetBehindResponses(connection)
    }

    private func openStream(_ ticket: ServerRequest.Ticket) -> Connection? {
        guard let connection = connection(ticket.descriptor, ticket.serial),
            connection.answered.number == ticket.number, connection.stream?.hasEnded == false
        else { return nil }
        return connection
    }

    private func resume(_ connection: Connection) {
        guard connection.phase == .streaming else { return }
        connection.phase = .sending
        advance(connection)
    }

    /// Sends the pieces that the owner has given since the last call, or waits for more. Returns whether the connection may
    /// continue.
    func continueStream(_ connection: Connection) -> Bool {
        guard let stream = connection.stream else { return false }
        connection.outgoing = nil
        if !stream.queue.isEmpty {
            connection.outgoing = Outgoing(start: stream.queue, now: now)
            connection.stream?.queue = []
            return true
        }
        guard stream.hasEnded else {
            connection.phase = .streaming
            setDeadline(connection, at: connection.upload?.deadline ?? .max)
            handler.clientTook(ticket(of: connection))
            return false
        }
        connection.stream = nil
        if let left = stream.left, left > 0 {
            resetBehindResponses(connection)
            return false
        }
        return finish(connection)
    }
}
