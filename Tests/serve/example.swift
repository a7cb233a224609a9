import Foundation

struct Ready: Decodable {
    let url: URL
    let token: String
}

let server = Process()
let (input, output) = (Pipe(), Pipe())
server.executableURL = URL(filePath: "/usr/local/bin/reqcli")
server.arguments = ["serve", "--port", "0", "--json", "--until-eof"]
(server.standardInput, server.standardOutput) = (input, output)
try server.run()
var line = Data()
while line.last != UInt8(ascii: "\n"), let byte = try output.fileHandleForReading.read(upToCount: 1) { line += byte }
let ready = try JSONDecoder().decode(Ready.self, from: line)

let (data, _) = try await URLSession.shared.data(from: ready.url.appending(path: "v3/user/42/feed"))

try input.fileHandleForWriting.close()
server.waitUntilExit()
