import TestSupport
import Testing
import ToolSupport

/// Requests that are typed without a file, on the wire.
struct TypedRequestWireTests {
    private static let shell = Tool.path(of: "dash")
    private static let hasCurl = Tool.path(of: "curl") != nil

    @Test(
        "send and the rendered curl make the same request, in a folder without a workspace",
        .enabled(if: hasCurl && shell != nil, "curl and dash are needed"),
        arguments: [
            (["SERVER/a%2fb?x=a+b&flag", "page==2", "q==é &="], "GET /a%2Fb?x=a+b&flag&page=2&q=%C3%A9%20%26%3D", ""),
            (["SERVER/users", "name=Ada \"A\"", "age:=36"], "POST /users", #"{"name":"Ada \"A\"","age":36}"#),
            (["patch", "SERVER/", "--form", "a=1 2", "b=&"], "PATCH /", "a=1%202&b=%26"),
            (["SERVER/x", "note@=note.txt"], "POST /x", #"{"note":"a\nb"}"#),
            (["DELETE", "SERVER/x", "-H", "X: 1"], "DELETE /x", ""),
        ])
    func sameRequest(_ words: [String], _ line: String, _ body: String) async throws {
        let server = try RecordingServer()
        let folder = try ToolWorkspace(["note.txt": "a\nb"])
        let arguments = words.map { $0.replacing("SERVER", with: "http://127.0.0.1:\(server.port)") }
        let sent = try await Tool.run(["send"] + arguments, in: folder)
        #expect(sent.status == 0 && sent.errors == ToolRun.noBody, "\(sent.errors)")
        let rendered = try await Tool.run(["render"] + arguments, in: folder)
        #expect(rendered.status == 0 && rendered.errors == "", "\(rendered.errors)")
        let pasted = try await Tool.run(
            "-c", rendered.outputText, in: folder.path(""), variables: folder.environment,
            program: [try #require(Self.shell)])
        #expect(pasted.status == 0 && pasted.errors == "", "\(pasted.errors)")
        try #require(server.requests.count == 2)
        #expect("\(server.requests[0].method) \(server.requests[0].target)" == line)
        #expect(String(decoding: server.requests[0].body, as: UTF8.self) == body)
        #expect(server.requests[0].difference(from: server.requests[1]) == nil)
    }
}
