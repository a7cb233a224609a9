import Exchange
import HTTPWire
import Mocking
import RequestBuilding
import Serving
import Testing

@testable import StubServing

/// What `serve` and a server in a test share.
@Suite struct StubRepliesTests {
    @Test("a time for all responses comes on top of a variant's own")
    func delay() {
        let range = Duration.milliseconds(200) ... .milliseconds(400)
        let replies = StubReplies(delay: range)
        for _ in 0..<50 {
            #expect(range.contains(replies.reply(ServedStub(Stub(status: 204), named: "a"), sharing: .none).delay))
            let slow = Stub(status: 204).delayed(by: .seconds(5))
            #expect(range.contains(replies.reply(ServedStub(slow, named: "a"), sharing: .none).delay - .seconds(5)))
        }
        #expect(StubReplies().reply(ServedStub(Stub(status: 204), named: "a"), sharing: .none).delay == .zero)
    }

    @Test("a variant's own X-Reqcli-Stub gives way to the server's")
    func ownName() {
        let stub = Stub(status: 204, headers: ["x-reqcli-stub": "mine", "A": "b"])
        let head = StubReplies().reply(ServedStub(stub, named: "user.feed=a"), sharing: .none).head
        #expect(
            String(decoding: head.bytes, as: UTF8.self)
                == "HTTP/1.1 204 No Content\r\nA: b\r\nX-Reqcli-Stub: user.feed=a\r\n")
    }

    @Test(
        "this machine, addresses and allowed names are hosts of the server, and nothing else",
        arguments: [
            (nil, true), ("localhost", true), ("a.localhost:80", true), ("127.0.0.1", true), ("[::1]:80", true),
            ("app.test", true), ("APP.TEST:1", true), ("a.app.test", false), ("app.test.", false), ("xapp.test", false),
            ("localhost.evil.example", false), ("1.2.3", false), ("", false),
        ] as [(String?, Bool)])
    func hosts(_ host: String?, _ isAccepted: Bool) {
        #expect(BrowserRules(allowedHosts: ["app.test"]).accepts(host: host) == isAccepted)
    }
}
