import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

@Suite("GraphQL operations")
struct GraphQLTests {
    private static let params =
        #""params": {"id": {"type": "integer"}, "first": {"type": "integer", "required": false}}"#

    private static func scenario(_ graphQL: String, document: String = "", _ arguments: String...) -> Scenario {
        var scenario = Scenario(#"{\#(params), "method": "POST", "body": {"graphql": \#(graphQL)}}"#)
        scenario.files["queries/user.graphql"] = document
        scenario.arguments = arguments.compactMap { ParameterArgument($0) }
        return scenario
    }

    @Test("The document is the text of the file, braces and all")
    func file() throws {
        let scenario = Self.scenario(
            #"{"file": "queries/user.graphql"}"#, document: "query {{ \"\\{{id}}\"\n}", "id=5")
        #expect(try scenario.wire().body == #"{"query":"query {{ \"\\{{id}}\"\n}"}"#)
    }

    @Test(
        "Without variables, each variable that the document uses is the param of its name",
        arguments: [
            ("query Q($id: ID!) { a(id: $id) }", #"{"id":5}"#),
            ("query Q($id: ID!, $first: Int) { a }", #"{"id":5,"first":2}"#),
            ("query Q($other: ID, $ids: ID) { a }", nil),
            ("# $id\r{ a(b: \"$id \\\"$id\") c(d: \"\"\"\"$id\" \\\"\"\" $id\"\"\") }", nil),
            ("{ a(b: \"\", c: \"\"\"\"\"\", id:$id) }", #"{"id":5}"#),
            ("{ a(b: \"never closed $id", nil), ("$", nil),
        ])
    func variables(_ document: String, _ variables: String?) throws {
        let expected = variables.map { #","variables":\#($0)}"# } ?? "}"
        let quoted = OrderedJSON.string(document).compact
        let file = Self.scenario(#"{"file": "queries/user.graphql"}"#, document: document, "id=5", "first=2")
        #expect(try file.wire().body == #"{"query":\#(quoted)\#(expected)"#)
        let written = Self.scenario(#"{"query": \#(quoted)}"#, "id=5", "first=2")
        #expect(try written.wire().body == #"{"query":\#(quoted)\#(expected)"#)
    }

    @Test("A param that is not given is no variable, and written variables are the only ones")
    func otherVariables() throws {
        let document = "query Q($id: ID!, $first: Int) { a }"
        let absent = Self.scenario(#"{"file": "queries/user.graphql"}"#, document: document, "id=5")
        #expect(try absent.wire().body == #"{"query":"\#(document)","variables":{"id":5}}"#)
        let written = Self.scenario(
            #"{"file": "queries/user.graphql", "variables": {"first": "{{id}}"}, "operationName": "Q"}"#,
            document: document, "id=5")
        #expect(
            try written.wire().body
                == #"{"query":"\#(document)","variables":{"first":5},"operationName":"Q"}"#)
    }

    @Test("It asks for GraphQL's own media type, unless the endpoint asks for another one")
    func accept() throws {
        let graphQL = "application/graphql-response+json, application/json;q=0.9"
        let environment = #"{"baseURL": "http://h", "headers": {"Accept": "text/plain"}}"#
        let body = #""body": {"graphql": {"query": "{ a }"}}"#
        #expect(try Scenario("{\(body)}", environment: environment).wire()[header: "Accept"] == graphQL)
        let own = Scenario(#"{\#(body), "headers": {"Accept": "a/b"}}"#, environment: environment)
        #expect(try own.wire()[header: "Accept"] == "a/b")
        #expect(try Scenario(environment: environment).wire()[header: "Accept"] == "text/plain")
    }

    @Test("A file that can't be sent is an error at its path")
    func unusableFiles() throws {
        let endpoint = #"{"body": {"graphql": {"file": ⟦"a.graphql"⟧}}}"#
        let missing = Scenario(endpoint)
        #expect(
            try missing.failure().diagnostics.map { "\($0.shown)" }
                == [
                    "\(missing.marks[0]): there is no file \"a.graphql\" to send (paths are relative to the workspace's root)"
                ])
        var binary = Scenario(endpoint)
        binary.otherFiles["/w/a.graphql"] = [0xFF]
        #expect(
            try binary.failure().diagnostics.map { "\($0.shown)" }
                == ["\(binary.marks[0]): \"a.graphql\" is not UTF-8 text"])
    }

    @Test("A file outside the workspace is asked about, also where nothing is sent")
    func outside() throws {
        var scenario = Scenario(#"{"body": {"graphql": {"file": "../a.graphql"}}}"#)
        scenario.otherFiles["/a.graphql"] = Array("{ a }".utf8)
        scenario.readsBodyFiles = false
        scenario.stub = { $0.permits = { _, _ in .unasked } }
        #expect(try scenario.failure().diagnostics.map(\.code) == [.fileUntrusted])
        scenario.stub = { $0.permits = { _, _ in .granted } }
        #expect(try scenario.wire().body == #"{"query":"{ a }"}"#)
    }
}
