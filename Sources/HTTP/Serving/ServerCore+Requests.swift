import Glibc
import HTTPWire

extension ServerCore {
    /// Reads and writes as much as is possible now. Stops early enough that other connections don't wait too long.
    func advance(_ connection: Connection) {
        for _ in 0..<32 {
            var continues =
                switch connection.phase {
                case .reading: read(connection)
                case .sending: send(connection)
                case .lingering: discard(connection)
                default: false
                }
            if connection.wantsBody, readPart(connection) { continues = true }
            guard continues else { return }
        }
        letWait(connection)
    }

    private func read(_ connection: Connection) -> Bool {
        do throws(WireProblem) {
            switch try connection.reader.next() {
            case .request(let head, let body): answer(head, body, connection)
            case .expects(let head): answerExpectation(head, connection)
            case .grows(let head): offerBody(head, connection)
            case .part, nil:
                setReadingDeadline(connection)
                try countBody(of: connection)
                return receive(connection)
            }
        } catch {
            refuse(error, connection)
        }
        return true
    }

    private func setReadingDeadline(_ connection: Connection) {
        guard connection.hasReceived else { return }
        connection.hasReceived = false
        if connection.reader.isInBody {
            setDeadline(connection, after: limits.bodySilence)
        } else if !connection.isInHead {
            connection.isInHead = true
            // A new connection already has a deadline for its first head.
            if !connection.isNew { setDeadline(connection, after: limits.headTime) }
        }
    }

    /// Counts the bytes of a large body that is read as a whole. Throws if the memory that all large bodies share is used up.
    private func countBody(of connection: Connection) throws(WireProblem) {
        let count = connection.reader.bodyCount
        guard count > limits.request.wholeBody else { return }
        let share = connection.bodyShare ?? BodyRoom.Share(of: bodyRoom)
        connection.bodyShare = share
        guard share.grow(to: count) else {
            throw WireProblem(503, "too many large bodies are being received; send the request again later")
        }
    }

    /// Receives bytes for the reader. Closes the connection if the client has ended it. Returns whether bytes have arrived.
    func receive(_ connection: Connection) -> Bool {
        let count = receiveInput(connection)
        guard count > 0 else {
            if count == 0 || isStopping && connection.phase == .reading { close(connection) }
            return false
        }
        connection.hasReceived = true
        connection.reader.append(UnsafeRawBufferPointer(rebasing: input[..<count]))
        return true
    }

    /// Receives bytes into `input`, and returns their number. Returns 0 at the end of the connection, and a negative number if no
    /// bytes have arrived yet.
    private func receiveInput(_ connection: Connection) -> Int {
        // While the server stops, reads all bytes that have arrived, because closing a connection with unread bytes would reset
        // it.
        guard connection.canRead || isStopping else { return -1 }
        let count = recv(connection.descriptor, input.baseAddress, input.count, 0)
        if count < 0 {
            let error = errno
            if error == EINTR { return receiveInput(connection) }
            if error != EAGAIN { return 0 }
            connection.canRead = false
        } else if count < input.count, !connection.hasPeerEnded {
            // The socket has no further bytes now. For the next bytes, epoll will report an event.
            connection.canRead = count == 0
        }
        return count
    }

    /// Reads and discards the bytes that arrive after the last response.
    private func discard(_ connection: Connection) -> Bool {
        let count = receiveInput(connection)
        if count == 0 || count < 0 && isStopping { close(connection) }
        return count > 0
    }

    // MARK: Replies

    func ticket(of connection: Connection) -> ServerRequest.Ticket {
        ServerRequest.Ticket(
            number: connection.answered.number, descriptor: connection.descriptor, serial: connection.serial)
    }

    private func answer(_ head: RequestHead, _ body: [UInt8], _ connection: Connection) {
        begin(head, connection)
        let request = ServerRequest(
            ticket: ticket(of: connection), head: head, body: body, client: connection.client,
            bodyShare: connection.bodyShare)
        connection.bodyShare = nil
        guard let reply = handler.reply(request) else {
            awaitOwner(connection)
            return
        }
        take(reply, connection)
    }

    func begin(_ head: RequestHead, _ connection: Connection) {
        lastNumber += 1
        connection.isNew = false
        connection.isInHead = false
        connection.answered = AnsweredRequest(
            number: lastNumber, isHead: head.method == "HEAD", isHTTP10: head.isHTTP10,
            ending: head.keepsConnection ? .keep : .close)
    }

    private func answerExpectation(_ head: RequestHead, _ connection: Connection) {
        guard let reply = handler.refusalOfBody(head) else {
            connection.outgoing = .continuation(at: now)
            connection.phase = .sending
            return
        }
        begin(head, connection)
        connection.answered.ending = .close
        take(reply, connection)
    }

    /// - Parameter isTaken: Whether the owner has already taken the request. The handler then gets only the problem, without the
    ///   head.
    func refuse(_ problem: WireProblem, _ connection: Connection, isTaken: Bool = false) {
        let head = connection.reader.head
        connection.answered = AnsweredRequest(
            number: connection.answered.number, isHead: head?.method == "HEAD", ending: .close)
        take(handler.refusal(problem, isTaken ? nil : head), connection)
    }

    /// Takes the reply to a request for which the handler has returned nil.
    func reply(_ reply: ServerReply, to ticket: ServerRequest.Ticket) {
        guard let connection = connection(ticket.descriptor, ticket.serial), connection.phase == .awaited,
            connection.answered.number == ticket.number
        else { return }
        take(reply, connection)
        advance(connection)
    }

    func checkClient(of ticket: ServerRequest.Ticket) {
        let connection = connection(ticket.descriptor, ticket.serial)
        let isThere = connection.map { $0.answered.number == ticket.number && !$0.hasPeerEnded } ?? false
        if !isThere { handler.clientLeft(ticket) }
    }

    func take(_ reply: ServerReply, _ connection: Connection) {
        guard reply.delay > .zero else { return start(reply, connection) }
        connection.delayed = reply
        connection.phase = .delayed
        setDeadline(connection, after: reply.delay)
    }

    // MARK: Time

    /// Handles a connection whose deadline has passed.
    func expire(_ connection: Connection) {
        setDeadline(connection, at: .max)
        switch connection.phase {
        case .reading where connection.reader.isEmpty: close(connection)
        case .reading:
            let missing = connection.reader.isInBody ? "body" : "head"
            refuse(WireProblem(408, "the \(missing) of the request takes too long"), connection)
        case .delayed:
            guard let reply = connection.delayed else { return close(connection) }
            connection.delayed = nil
            start(reply, connection)
        case .sending where !connection.canWrite: reset(connection)
        case .sending: break
        case .resetting: resetOnceConfirmed(connection)
        case .awaited, .streaming: expireBody(connection)
        case .closed: break
        case .held, .lingering: close(connection)
        }
        advance(connection)
    }
}
