import CReqcliSystem
import Glibc
import HTTPWire
import ReqcliBasics

extension ServerCore {
    /// The maximum size of a body that is copied after its head, so that one call sends both.
    private static let smallBody = 16 << 10

    /// Begins to send a response whose delay has passed.
    func start(_ reply: ServerReply, _ connection: Connection) {
        switch reply.fault {
        case .reset:
            resetBehindResponses(connection)
        case .timeout:
            connection.phase = .held
            setDeadline(connection, after: limits.heldTime)
            if connection.hasPeerEnded || isStopping { close(connection) }
        case .truncated, nil: write(reply, connection)
        }
    }

    private func write(_ reply: ServerReply, _ connection: Connection) {
        let isTruncated = reply.fault == .truncated
        if isTruncated {
            connection.answered.ending = .close
        } else if connection.answered.ending == .keep, reply.head.closesConnection || isStopping {
            connection.answered.ending = .close
        }
        // The rest of the request was not read, and the server would read it as the next request. The connection is therefore
        // closed.
        if connection.upload != nil { connection.answered.ending = .close }
        if connection.answered.endsWithConnection(reply) { connection.answered.ending = .close }
        let answered = connection.answered
        date.update()
        // A local variable, because accesses to it need no checks for exclusive access.
        var output: [UInt8] = []
        swap(&output, &self.output)
        defer { swap(&output, &self.output) }
        output.removeAll(keepingCapacity: true)
        // A truncated response doesn't announce that the connection closes, so that it looks like a response whose rest is lost.
        answered.writeHead(
            of: reply, date.bytes, closes: answered.ending != .keep && !(isTruncated && !answered.isHTTP10), to: &output
        )
        let sendsBody = answered.sendsBody(reply.head)
        let isChunked = answered.isChunked(reply)
        // If a truncated response has no body, its head is cut off.
        if isTruncated, !sendsBody { output.removeLast(output.count / 2) }
        connection.phase = .sending
        if case .stream(let length) = reply.body, sendsBody {
            connection.stream = ResponseStream(isChunked: isChunked, left: length)
            connection.outgoing = Outgoing(start: output, now: now)
            return
        }
        let whole = sendsBody ? reply.body.count : 0
        let count = isTruncated ? whole / 2 : whole
        var end: [UInt8] = []
        if isChunked, sendsBody {
            if whole > 0 {
                output += "\(String(whole, radix: 16))\r\n".utf8
                end = [.carriageReturn, .lineFeed]
            }
            end += "0\r\n\r\n".utf8
            if isTruncated { end = [] }
        }
        if !isChunked, reply.bodyTime <= .zero, sendSmall(reply.body, count, behind: &output, connection) { return }
        let pace =
            reply.bodyTime > .zero && count > 0
            ? Outgoing.Pace(start: now, time: max(1, Milliseconds(reply.bodyTime))) : nil
        connection.outgoing = Outgoing(
            start: output, body: reply.body, bodyCount: count, end: end, pace: pace, now: now)
    }

    /// Sends head and body with one call. Returns false if the body is too large for this, or is in a file.
    private func sendSmall(
        _ body: ServerReply.Body, _ count: Int, behind output: inout [UInt8], _ connection: Connection
    ) -> Bool {
        switch body {
        case .bytes(let bytes) where count <= Self.smallBody: output += bytes[..<count]
        case .bytes, .file: guard count == 0 else { return false }
        case .none, .stream: break
        }
        let flags = Int32(MSG_NOSIGNAL)
        let sent = output.withUnsafeBytes { Glibc.send(connection.descriptor, $0.baseAddress, $0.count, flags) }
        if sent == output.count { return true }
        // The rest is sent later, like any other response. An error is also handled later, because the next call returns the
        // error again.
        connection.outgoing = Outgoing(
            start: Array(output[max(0, sent)...]), now: now)
        return true
    }

    /// Sends the response as far as possible. Returns whether the connection may continue with something else.
    func send(_ connection: Connection) -> Bool {
        // Nearly all responses were already sent as a whole.
        if connection.outgoing == nil { return finish(connection) }
        guard let outcome = connection.outgoing?.send(to: connection.descriptor, at: now) else {
            return finish(connection)
        }
        switch outcome {
        case .sent:
            return finish(connection)
        case .paced(let time):
            setDeadline(connection, at: time)
            return false
        case .blocked:
            connection.canWrite = false
            let progress = connection.outgoing?.progress ?? now
            setDeadline(connection, at: progress + Milliseconds(limits.responseSilence))
            return false
        case .partly: return true
        case .failed:
            reset(connection)
            return false
        }
    }

    func finish(_ connection: Connection) -> Bool {
        if connection.stream != nil { return continueStream(connection) }
        if connection.outgoing != nil {
            let isContinue = connection.outgoing?.isContinue == true
            connection.outgoing = nil
            if isContinue {
                connection.phase = .reading
                setDeadline(connection, after: limits.bodySilence)
                return true
            }
        }
        connection.upload = nil
        switch connection.answered.ending {
        case .keep:
            connection.phase = .reading
            noteIdle(connection)
            // The reader may already have the beginning of the next request, which was received together with the last request.
            connection.hasReceived = connection.reader.hasRest
            setDeadline(connection, at: now + idleTime)
            if isFull { resumeAccepting() }
            return connection.hasReceived || connection.canRead
        case .close:
            // The connection isn't closed at once. Otherwise, bytes that the client sends later, such as an empty line after a
            // body, would reset it, and the client might lose the response.
            shutdown(connection.descriptor, Int32(SHUT_WR))
            connection.phase = .lingering
            setDeadline(connection, after: limits.lingerTime)
            return true
        }
    }

    /// Resets the connection when its client has received all data sent before. An earlier RST would discard data that hasn't
    /// arrived yet.
    func resetBehindResponses(_ connection: Connection) {
        connection.phase = .resetting
        connection.resetTime = now + Milliseconds(limits.responseSilence)
        resetOnceConfirmed(connection)
    }

    func resetOnceConfirmed(_ connection: Connection) {
        guard now < connection.resetTime, reqcli_unconfirmed(connection.descriptor) > 0 else {
            return reset(connection)
        }
        setDeadline(connection, at: now + 10)
    }
}
