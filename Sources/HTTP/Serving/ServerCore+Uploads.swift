import HTTPWire

/// The body of a request that the server's owner takes in parts.
struct Upload {
    /// Whether the owner has asked for the next part. Before this, the client may wait without a deadline.
    var isWanted = false
    /// The time at which the client has been silent for too long.
    var deadline = Milliseconds.max
}

extension ServerCore {
    /// Asks the owner how it wants to take a large body.
    func offerBody(_ head: RequestHead, _ connection: Connection) {
        guard let takesBody = handler.takesBody else { return }
        // `begin` uses this number only if the owner takes or refuses the request now.
        let ticket = ServerRequest.Ticket(
            number: lastNumber + 1, descriptor: connection.descriptor, serial: connection.serial)
        let request = ServerRequest(
            ticket: ticket, head: head, body: connection.reader.bodyStart, client: connection.client,
            bodyShare: nil)
        switch takesBody(request) {
        case .whole: break
        case .parts:
            begin(head, connection)
            connection.reader.streamBody()
            connection.bodyShare = nil
            connection.upload = Upload()
            awaitOwner(connection)
        case .refused(let reply):
            begin(head, connection)
            connection.answered.ending = .close
            take(reply, connection)
        }
    }

    /// Waits for the owner's reply.
    func awaitOwner(_ connection: Connection) {
        connection.phase = .awaited
        setDeadline(connection, at: .max)
    }

    func readBody(of ticket: ServerRequest.Ticket) {
        guard let connection = connection(ticket.descriptor, ticket.serial),
            connection.answered.number == ticket.number, connection.upload?.isWanted == false
        else { return }
        connection.upload?.isWanted = true
        setUploadDeadline(connection, at: now + Milliseconds(limits.bodySilence))
        advance(connection)
    }

    /// Reads the bytes of a body that have arrived. Returns whether the connection may continue.
    func readPart(_ connection: Connection) -> Bool {
        do throws(WireProblem) {
            guard case .part(let bytes, let isLast) = try connection.reader.next() else {
                guard receive(connection) else { return false }
                setUploadDeadline(connection, at: now + Milliseconds(limits.bodySilence))
                return true
            }
            connection.upload?.isWanted = false
            setUploadDeadline(connection, at: .max)
            if isLast { connection.upload = nil }
            handler.bodyCame(ticket(of: connection), .part(bytes, isLast: isLast))
            return false
        } catch {
            breakBody(error, connection)
            return true
        }
    }

    /// Sets the deadline of the body. While a response is sent, the connection keeps the response's deadline.
    private func setUploadDeadline(_ connection: Connection, at time: Milliseconds) {
        connection.upload?.deadline = time
        if connection.phase == .awaited || connection.phase == .streaming { setDeadline(connection, at: time) }
    }

    /// Ends an upload whose client has been silent for too long.
    func expireBody(_ connection: Connection) {
        guard let upload = connection.upload, upload.deadline <= now else { return }
        breakBody(WireProblem(408, "the body of the request takes too long"), connection)
    }

    private func breakBody(_ problem: WireProblem, _ connection: Connection) {
        connection.upload = nil
        handler.bodyCame(ticket(of: connection), .broken(problem))
        if connection.phase == .awaited {
            refuse(problem, connection, isTaken: true)
        } else {
            // A response has already begun, and the owner will end it.
            connection.answered.ending = .close
        }
    }
}
