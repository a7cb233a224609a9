import Exchange
import Foundation
import HTTPWire
import ReqcliMocking
import ReqcliServing
import RequestBuilding
import TestSupport
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

    @Test("a stub's file is opened again for each response, and is no link, pipe, folder or gap by then")
    func files() throws {
        let folder = try TemporaryFolder(["stubs/sub/a.txt": "body", "secret.txt": "secret", "b/a.txt": "secret"])
        let stub = Stub(file: folder.path("stubs/sub/a.txt"))
        func title() -> String? {
            let reply = StubReplies().reply(ServedStub(stub, named: "a"), sharing: .none)
            switch reply.body {
            case .file: return nil
            case .bytes(let bytes): return String(decoding: bytes, as: UTF8.self)
            default: return "no body"
            }
        }
        #expect(title() == nil)
        let changes: [(String, (String) throws -> Void)] = [
            ("No such file or directory", { _ in }),
            ("a part of its path has become a link", { try folder.link($0, to: folder.path("secret.txt")) }),
            ("it is not a regular file", { try folder.makePipe($0) }),
            ("it is not a regular file", { try folder.makeFolder($0) }),
        ]
        for (reason, change) in changes {
            try? FileManager.default.removeItem(atPath: folder.path("stubs/sub/a.txt"))
            try change("stubs/sub/a.txt")
            let text = try #require(title())
            #expect(text.contains(#"cannot read the stub's file \"a.txt\": \#(reason)"#), "\(text)")
            #expect(text.contains(#""status":500"#) && !text.contains(folder.path))
        }
        try FileManager.default.removeItem(atPath: folder.path("stubs/sub"))
        try folder.link("stubs/sub", to: folder.path("b"))
        #expect(title()?.contains("a part of its path has become a link") == true)
        // The code of a test may name a link.
        let reply = StubReplies(followsLinks: true).reply(ServedStub(stub, named: "a"), sharing: .none)
        guard case .file = reply.body else {
            Issue.record("the link was not followed")
            return
        }
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
