// Responds to each request with 45 bytes of JSON, or with a file. This is for comparing its speed with the speed of other
// servers. Usage: ServingRunner PORT [FILE]
import Foundation
import HTTPWire
import ReqcliServing

let arguments = CommandLine.arguments.dropFirst()
let loop = try EventLoop()
let file = try arguments.dropFirst().first.map { try OpenFile(path: $0) }
let head = ReplyHead(
    status: 200, fields: [("Content-Type", "application/json"), ("X-Reqcli-Stub", "user.get=default")])
let json = ServerReply.Body.bytes(Array(#"{"id": 42, "name": "Ada", "email": "a@b.dev"}"#.utf8))
let reply = ServerReply(head, body: file.map { .file($0, 0..<$0.count) } ?? json)
let server = try Server(
    on: [.loopback(port: arguments.first.flatMap { UInt16($0) } ?? 0)], loop: loop,
    handler: ServerHandler { _ in reply })
print(server.port)
while true { sleep(1000) }
