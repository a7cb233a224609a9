import HTTPWire
import ReqcliBasics

extension AnsweredRequest {
    /// Whether the response to this request includes the body of the reply.
    func sendsBody(_ head: ReplyHead) -> Bool { !isHead && head.allowsBody }

    /// Appends the head of the response to this request.
    func writeHead(of reply: ServerReply, _ date: [UInt8], closes: Bool, to bytes: inout [UInt8]) {
        let head = reply.head
        bytes += head.bytes
        bytes += reply.lines
        if !head.hasDate { bytes += date }
        if isChunked(reply) {
            bytes += "Transfer-Encoding: chunked\r\n".utf8
        } else if let length = length(of: reply) {
            bytes += "Content-Length: ".utf8
            bytes += String(length).utf8
            bytes += "\r\n".utf8
        }
        if closes {
            bytes += "Connection: close\r\n".utf8
        } else if isHTTP10 {
            bytes += "Connection: keep-alive\r\n".utf8
        }
        bytes += "\r\n".utf8
    }

    func isChunked(_ reply: ServerReply) -> Bool {
        (reply.head.isChunked || hasNoLength(reply)) && reply.head.allowsBody && !isHTTP10
    }

    /// Whether the length of the body isn't known in advance.
    private func hasNoLength(_ reply: ServerReply) -> Bool {
        if case .stream(length: nil) = reply.body { true } else { false }
    }

    /// Whether the body ends with the connection. This is necessary in HTTP/1.0, which has no chunks.
    func endsWithConnection(_ reply: ServerReply) -> Bool { isHTTP10 && hasNoLength(reply) && sendsBody(reply.head) }

    /// The length that the response's head states (RFC 9110, section 8.6).
    private func length(of reply: ServerReply) -> Int? {
        switch reply.head.status {
        case 204: nil
        case 205: 0
        case 304: reply.head.statedLength
        default:
            if endsWithConnection(reply) {
                nil
            } else {
                isHead && reply.body.count == 0 ? reply.head.statedLength ?? 0 : reply.body.count
            }
        }
    }
}
