// Answers each request with 45 bytes of JSON, to compare its speed with other servers'.
import Foundation
import Serving

let loop = try EventLoop()
let head = ReplyHead(
    status: 200, fields: [("Content-Type", "application/json"), ("X-Reqcli-Stub", "user.get=default")])
let body = ServerReply.Body.bytes(Array(#"{"id": 42, "name": "Ada", "email": "a@b.dev"}"#.utf8))
let server = try Server(
    on: [.loopback(port: CommandLine.arguments.dropFirst().first.flatMap { UInt16($0) } ?? 0)], loop: loop,
    handler: ServerHandler { _ in ServerReply(head, body: body) })
print(server.port)
while true { sleep(1000) }
