import Foundation
import HostileServing
import TestSupport
import Testing
import ToolSupport

/// The parts of a form have the types that curl gives them.
@Suite(.serialized, .enabled(if: ShellCommand.has("curl"), "curl is needed")) struct PartTypeTests {
    private static let names = [
        "a.gif", "a.jpg", "A.JPEG", "a.png", "a.svg", "a.txt", "a.htm", "a.html", "a.pdf", "a.xml", "a.json",
        "a.tar.gz",
        ".png", "png", "a.png.bak",
    ]

    /// The headers of the parts of a body, by the parts' names.
    private static func heads(_ body: Data) -> [String] {
        String(decoding: body, as: UTF8.self).components(separatedBy: "\r\n--")
            .compactMap { $0.components(separatedBy: "\r\n\r\n").first }
            .map { $0.split(separator: "\r\n").dropFirst().joined(separator: "; ") }
    }

    @Test("files and texts with a file name have the type that curl gives them")
    func sameTypes() async throws {
        let server = try HostileServer { while $0.readRequest() != nil { $0.respond(200) } }
        defer { server.stop() }
        var parts: [String] = []
        var options: [String] = []
        for (number, name) in Self.names.enumerated() {
            parts.append(
                #""f\#(number)": { "file": "\#(name)" }, "g\#(number)": { "file": "a.txt", "filename": "\#(name)" }"#)
            parts.append(#""t\#(number)": { "text": "t", "filename": "\#(name)" }"#)
            options.append("-F 'f\(number)=@\(name)' -F 'g\(number)=@a.txt;filename=\(name)'")
            options.append("-F 't\(number)=t;filename=\(name)'")
        }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)",
            endpoint:
                #"{ "method": "POST", "path": "/", "body": { "multipart": { \#(parts.joined(separator: ", ")) } } }"#)
        for name in Self.names { try workspace.write(name, "x") }
        let run = try await Tool.run(["send", "it"], in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        _ = try ShellCommand.run(
            "curl -q -sS \(options.joined(separator: " ")) http://127.0.0.1:\(server.port)/", in: workspace.folder)
        let bodies = server.requests.map { Self.heads($0.body) }
        #expect(bodies.count == 2 && bodies.first == bodies.last)
        #expect(
            bodies.first?.first
                == #"Content-Disposition: form-data; name="f0"; filename="a.gif"; Content-Type: image/gif"#)
    }
}
