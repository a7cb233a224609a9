import JSONRPC
import ReqcliBasics
import ReqcliText
import Testing

@Suite struct RPCPeerTests {
    private final class Written: Sendable {
        let lines = Mutex<[String]>([])
    }

    private func peer(_ written: Written, answersCancelled: Bool = true) -> RPCPeer {
        RPCPeer(.line, cancelMethod: "cancel", cancelKey: "id", answersCancelled: answersCancelled) { bytes in
            written.lines.withLock { $0.append(String(decoding: bytes.dropLast(), as: UTF8.self)) }
        }
    }

    @Test(arguments: [
        ("{", -32700, "null"), ("[]", -32600, "null"), ("{\"jsonrpc\":\"2.0\",\"id\":7}", -32600, "7"),
        ("{\"jsonrpc\":\"1.0\",\"id\":7,\"method\":\"a\"}", -32600, "7"),
        ("{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":1}", -32600, "\"x\""),
        ("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"a\"}", -32600, "null"),
        (String(repeating: "[", count: 600) + String(repeating: "]", count: 600), -32700, "null"),
    ])
    func damagedMessagesAreAnswered(line: String, code: Int, id: String) {
        let written = Written()
        var peer = peer(written)
        peer.receive(Array((line + "\n").utf8))
        let lines = written.lines.withLock { $0 }
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"error\":{\"code\":\(code),") == true)
        #expect(peer.next() == nil)
    }

    @Test func aRunningRequestIsCancelledAndNoLaterOne() {
        let written = Written()
        var peer = peer(written, answersCancelled: false)
        let cancel = Array("{\"jsonrpc\":\"2.0\",\"method\":\"cancel\",\"params\":{\"id\":1}}\n".utf8)
        let request = Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}\n".utf8)
        peer.running = .number("1")
        var isCancelled = [peer.isRunningCancelled]
        peer.receive(cancel)
        isCancelled.append(peer.isRunningCancelled)
        peer.running = nil
        peer.receive(cancel)
        peer.receive(request)
        isCancelled.append(peer.isRunningCancelled)
        #expect(isCancelled == [false, true, false])
        let next = peer.next()
        #expect(next != nil)
        #expect(written.lines.withLock { $0 }.isEmpty)
    }

    @Test func aCancelledRequestIsAnsweredOnce() {
        let written = Written()
        var peer = peer(written)
        peer.receive(
            Array(
                """
                {"jsonrpc":"2.0","id":1,"method":"a"}
                {"jsonrpc":"2.0","id":2,"method":"b"}
                {"jsonrpc":"2.0","method":"cancel","params":{"id":1}}
                {"jsonrpc":"2.0","method":"cancel","params":{"id":9}}

                """.utf8))
        guard case .request(let id, "b", _) = peer.next() else {
            Issue.record("the second request comes first")
            return
        }
        peer.send(result: [1], to: id)
        #expect(peer.next() == nil)
        #expect(
            written.lines.withLock { $0 } == [
                #"{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"the request was cancelled"}}"#,
                #"{"jsonrpc":"2.0","id":2,"result":[1]}"#,
            ])
    }

    @Test func aCancelledRequestWithoutAnAnswer() {
        let written = Written()
        var peer = peer(written, answersCancelled: false)
        peer.receive(
            Array(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}\n{\"jsonrpc\":\"2.0\",\"method\":\"cancel\",\"params\":{\"id\":1}}\n"
                    .utf8))
        #expect(peer.next() == nil)
        #expect(written.lines.withLock { $0 }.isEmpty)
    }

    @Test func requestsOfThisSideHaveNewIds() {
        let written = Written()
        var peer = peer(written)
        #expect(peer.request("a", nil) != peer.request("a", nil))
    }
}
