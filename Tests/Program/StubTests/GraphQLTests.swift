import Exchange
import Foundation
import TestSupport
import Testing

@Suite("Responses to GraphQL operations")
struct GraphQLTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let body: String
        var status = 200
        var expectation = #"{"status": 200}"#
        let sent: Int32
        let checked: Int32
        var message = ""
        var testDescription: String { "\(status) \(body) \(expectation)" }
    }

    static let rows = [
        Row(body: #"{"data": {"me": null}}"#, sent: 0, checked: 0),
        Row(body: #"{"data": null, "errors": []}"#, sent: 1, checked: 1, message: "null"),
        Row(body: #"{}"#, sent: 1, checked: 1, message: "nothing"),
        Row(body: #"{"message": "not found"}"#, sent: 1, checked: 1, message: "nothing"),
        Row(body: #"{"data": null}"#, sent: 1, checked: 1, message: "null"),
        Row(body: #"{"data": []}"#, sent: 1, checked: 1, message: "[]"),
        Row(
            body: #"{"data": {}, "errors": [{"message": "a"}], "errors": []}"#, sent: 1, checked: 1,
            message: #"the key "errors" more than once"#),
        Row(
            body: #"{"data": {}, "errors": [], "errors": [{"message": "a"}]}"#, sent: 1, checked: 1,
            message: #"the key "errors" more than once"#),
        Row(
            body: #"{"data": {}, "data": null}"#, sent: 1, checked: 1, message: #"the key "data" more than once"#),
        Row(body: #"{"data": null}"#, expectation: #"{"json": {"$.data": null}}"#, sent: 0, checked: 0),
        Row(body: #"{"data": {}, "errors": null}"#, sent: 0, checked: 0),
        Row(
            body: #"{"data": {"errors": [1]}, "errors": [{"message": "no such user"}]}"#, sent: 1, checked: 1,
            message: #""no such user""#),
        Row(
            body: #"{"errors": [{"message": "a"}, {"code": 2}, {"message": "c"}, {}]}"#, sent: 1, checked: 1,
            message: #""a", {"code":2}, "c" and 1 more"#),
        Row(body: #"{"errors": {"message": "not a list"}}"#, sent: 1, checked: 1, message: #""not a list""#),
        Row(body: "<p>", sent: 1, checked: 1, message: #""<p>""#),
        // A status that isn't 2xx is reported as such.
        Row(body: #"{"errors": [{"message": "a"}]}"#, status: 400, sent: 4, checked: 1),
        Row(
            body: #"{"errors": [{"message": "a"}]}"#, expectation: #"{"json": {"$.errors[0].message": "a"}}"#, sent: 0,
            checked: 0),
        Row(
            body: #"{"errors": [{"message": "a"}]}"#, expectation: #"{"json": {"$.data": {"exists": false}}}"#, sent: 1,
            checked: 1, message: #""a""#),
    ]

    @Test(
        "errors and a lack of data in a 200 fail, unless expect.json speaks of them, and the body is printed",
        arguments: rows)
    func errors(_ row: Row) async throws {
        let workspace = try TemporaryFolder.workspace([
            "endpoints/me.json": """
            {"method": "POST", "body": {"graphql": {"query": "{ me }"}}, "expect": \(row.expectation)}
            """
        ])
        var program = InProcess()
        program.response = { _ in Response(status: row.status, body: Data(row.body.utf8)) }
        let sent = await program.run("send", "me", in: workspace)
        #expect(sent.status == row.sent && sent.outputText == row.body, "\(sent)")
        let note = row.status >= 400 ? "note: the server responded \(row.status)" : ""
        let isAsExpected = row.message.isEmpty ? sent.errors.hasPrefix(note) : sent.errors.contains(row.message)
        #expect(isAsExpected && (!note.isEmpty || !row.message.isEmpty || sent.errors.isEmpty), "\(sent)")
        let checked = await program.run("check", "me", in: workspace)
        #expect(checked.status == row.checked, "\(checked)")
        #expect(row.message.isEmpty || checked.outputText.contains(row.message), "\(checked)")
    }

    @Test(
        "A body that is printed in another way, or not at all, is examined, too",
        arguments: ["-Q", "--json", "-s=$.data"])
    func otherOutput(_ flag: String) async throws {
        let workspace = try TemporaryFolder.workspace([
            "endpoints/me.json": #"{"method": "POST", "body": {"graphql": {"query": "{ me }"}}}"#
        ])
        var program = InProcess()
        program.response = { _ in Response(status: 200, body: Data(#"{"data": 1, "errors": [{}]}"#.utf8)) }
        let run = await program.run("send", "me", flag, in: workspace)
        #expect(run.status == 1 && run.errors.contains("the response has GraphQL errors: {}"))
    }

    @Test("A response to HEAD, which never has a body, is no failure")
    func head() async throws {
        let workspace = try TemporaryFolder.workspace([
            "endpoints/me.json": #"{"method": "HEAD", "body": {"graphql": {"query": "{ me }"}}}"#
        ])
        var program = InProcess()
        program.response = { _ in Response(status: 200) }
        let run = await program.run("send", "me", in: workspace)
        #expect(run.status == 0, "\(run)")
    }
}
