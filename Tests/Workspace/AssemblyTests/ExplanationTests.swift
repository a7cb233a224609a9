import ReqcliAssembly
import ReqcliText
@_spi(Generated) import RequestBuilding
import TestSupport
import Testing

@Suite("Explanation")
struct ExplanationTests {
    private func explain(_ scenario: Scenario) throws -> Explanation { Explanation(try scenario.assembled()) }

    private func row(_ part: String, of scenario: Scenario) throws -> Explanation.Row {
        try #require(try explain(scenario).rows.first { $0.part == part }, "there is no row \(part)")
    }

    @Test("A part has its value, the layer, and the line and column that it came from")
    func origin() throws {
        let scenario = Scenario(
            """
            {
              "path": ⟦⟧"p/{{id}}",
              "params": {"id": {"type": "string", "default": "a b"}},
              "headers": {
                "Ä": null, ⟦⟧"X": "1" }
            }
            """.replacing("\"Ä\": null, ", with: "")
        )
        let rows = try explain(scenario).rows
        let path = try #require(rows.first { $0.part == "path" })
        #expect(path.standing.map(\.value) == ["p/a%20b"])
        #expect(path.standing.map(\.layer) == ["endpoint e"])
        #expect(path.standing.map(\.origin) == [scenario.marks[0]])
        let header = try #require(rows.first { $0.part == "header X" })
        #expect(header.standing.map(\.origin) == [scenario.marks[1]])
        #expect(header.shadowed.isEmpty)
    }

    @Test("Each key of an object has the place of its own value")
    func places() throws {
        let scenario = Scenario(
            #"""
            {"timeout": {"total": ⟦⟧5,
                         "idle": ⟦⟧"2s"}, "redirects": {"follow": true, "max": ⟦⟧3}, "retry": {"times": ⟦⟧2},
             "tls": {"ca": ⟦⟧"ca.pem"}, "cachePolicy": ⟦⟧"reloadIgnoringLocalCacheData"}
            """#)
        var complete = scenario
        complete.files["ca.pem"] = "x"
        let rows = try explain(complete).rows
        let parts = ["timeout.total", "timeout.idle", "redirects.max", "retry.times", "tls.ca", "cache policy"]
        let origins = parts.map { part in rows.first { $0.part == part }?.standing.first?.origin }
        #expect(origins == complete.marks)
    }

    @Test("A flag is named as it was typed, what is built in by that")
    func flagsAndDefaults() throws {
        var scenario = Scenario()
        scenario.overrides = [CommandLineOverride(.setting(.totalTimeout, .seconds(5)), flag: "--timeout 5")]
        let total = try row("timeout.total", of: scenario)
        #expect(total.standing.map(\.line) == ["5s | command line | --timeout 5"])
        let method = try row("method", of: scenario)
        #expect(method.standing.map(\.line) == ["GET | built-in | built-in"])
    }

    @Test("A query as text is a part of its own, which shadows the items before it")
    func rawQuery() throws {
        let scenario = Scenario(
            #"{"query": ⟦⟧"a={{v}}&b"}"#,
            environment: #"{"baseURL": "http://h", "query": {"q": "{{secret.never}}"}, "variables": {"v": "1+2"}}"#)
        let query = try row("query", of: scenario)
        #expect(query.standing.map(\.line) == ["a=1%2B2&b | endpoint e | \(scenario.marks[0])"])
        let item = try row("query q", of: scenario)
        #expect(item.standing.isEmpty && item.shadowed.map(\.value) == ["{{secret.never}}"])
        #expect(item.removedBy?.origin == scenario.marks[0])
    }

    @Test("What was shadowed is there as it was written, the nearest first")
    func shadowed() throws {
        let scenario = Scenario(
            #"{"query": {"q": ["1", "{{v}}"]}}"#,
            environment: #"{"extends": "base", "query": {⟦⟧"q": "{{secret.never}}"}, "variables": {"v": "2"}}"#,
            bases: ["base": #"{"baseURL": "http://h", "query": {⟦⟧"q": "base"}}"#])
        let query = try row("query q", of: scenario)
        #expect(query.standing.map(\.value) == ["1, 2"])
        #expect(query.shadowed.map(\.value) == ["{{secret.never}}", "base"])
        #expect(query.shadowed.map(\.layer) == ["environment env", "environment base"])
        #expect(Set(query.shadowed.map(\.origin)) == Set(scenario.marks))
        #expect(query.removedBy == nil)
    }

    @Test("What was removed says by whom")
    func removed() throws {
        let scenario = Scenario(
            #"{"headers": {⟦⟧"a": null}, "auth": ⟦⟧null}"#,
            environment: #"{"baseURL": "http://h/x", "headers": {"A": "1"}, "auth": {"bearer": "{{secret.t}}"}}"#,
            overlay: #"{"basePath": ⟦⟧null}"#)
        let rows = try explain(scenario).rows
        for (part, mark, value) in [
            ("header a", 0, "1"), ("header Authorization", 1, "Bearer {{secret.t}}"), ("base path", 2, "/x"),
        ] {
            let row = try #require(rows.first { $0.part == part }, "\(part)")
            #expect(row.standing.isEmpty)
            #expect(row.removedBy?.value == nil)
            #expect(row.removedBy?.origin == scenario.marks[mark])
            #expect(row.shadowed.map(\.value) == [value])
        }
    }

    @Test("A null that brings back a default stands there once")
    func broughtBack() throws {
        let scenario = Scenario(
            #"{"timeout": ⟦⟧null}"#,
            environment: #"{"baseURL": "http://h", "timeout": {"connect": ⟦⟧"2s", "total": "9s"}}"#)
        let connect = try row("timeout.connect", of: scenario)
        #expect(connect.standing.map(\.value) == ["10s"] && connect.standing.map(\.origin) == [scenario.marks[0]])
        #expect(connect.shadowed.map(\.value).prefix(2) == ["2s", "10s"])
        #expect(try row("timeout.idle", of: scenario).shadowed.map(\.layer) == ["built-in"])
        #expect(try row("timeout.total", of: scenario).removedBy?.origin == scenario.marks[0])
    }

    @Test("A body of the command line keeps the Content-Type that the body of a file implies")
    func bodyInPlaceOfAnother() throws {
        var scenario = Scenario(
            #"{"body": {"json": {"a": 1}}}"#, overlay: #"{"body": ⟦⟧{"text": "b"}}"#)
        scenario.overrides = [CommandLineOverride(.body(text: "c"), flag: "--body c")]
        let type = try row("header Content-Type", of: scenario)
        #expect(type.standing.map(\.value) == ["text/plain; charset=utf-8"])
        #expect(type.standing.map(\.origin) == [scenario.marks[0]])
        #expect(type.shadowed.map(\.value) == ["application/json"])
        #expect(type.removedBy == nil)
    }

    @Test("What nothing ever gave a value has no row")
    func silent() throws {
        let scenario = Scenario(
            #"{"headers": {"A": null, "B": "{{o}}"}, "params": {"o": {"type": "string", "required": false}}, "retry": null}"#
        )
        let parts = try explain(scenario).rows.map(\.part)
        #expect(
            parts.filter { $0.hasPrefix("header A") || $0.hasPrefix("header B") || $0.hasPrefix("retry") } == [
                "header Accept"
            ])
    }

    @Test("Rows come as people read a request: the line, the headers, the body, and how it is carried")
    func order() throws {
        let scenario = Scenario(
            #"""
            {"method": "POST", "timeout": 5, "body": {"text": "b"}, "headers": {"X": "1"}, "query": {"q": "1"}, "path": "p",
             "port": 81}
            """#, environment: #"{"baseURL": "http://h/base"}"#)
        #expect(
            try explain(scenario).rows.map(\.part) == [
                "method", "scheme", "host", "port", "base path", "path", "query q", "header User-Agent",
                "header Accept",
                "header Content-Type", "header X", "body", "timeout.connect", "timeout.idle", "timeout.total",
            ])
    }

    @Test("Secrets are masked in values, URL and JSON")
    func secrets() throws {
        var scenario = Scenario(
            #"""
            {"path": ["{{secret.s}}"], "query": {"k": "x{{secret.s}}"}, "headers": {"A": "{{secret.s}}"},
             "auth": {"basic": {"user": "u", "password": "{{secret.s}}"}}, "body": {"json": {"p": "{{secret.s}}"}}}
            """#, environment: #"{"baseURL": "http://h", "secrets": {"s": {"env": "S"}}}"#)
        scenario.stub = { $0.stub(variables: ["S": "geheim & \"mehr\""]) }
        let explanation = try explain(scenario)
        #expect(explanation.url == "http://h/<secret.s>?k=x<secret.s>")
        let rows = Dictionary(explanation.rows.map { ($0.part, $0.standing.first?.value) }) { first, _ in first }
        #expect(rows["header A"] == "<secret.s>")
        #expect(rows["body"] == #"{"p":"<secret.s>"}"#)
        #expect(rows["header Authorization"]??.contains("<secret.s>") == true)
        #expect(!explanation.json.compact.contains("geheim"))
    }

    @Test("The JSON form says the same")
    func json() throws {
        var scenario = Scenario(
            "{\"headers\": {\"X\": \"1\"}}", environment: #"{"baseURL": "http://h", "headers": {"X": "0"}}"#)
        scenario.overrides = [CommandLineOverride(.removedHeader("X"), flag: "-H X:")]
        let explanation = try explain(scenario)
        guard case .object(let members) = explanation.json else { return #expect(Bool(false)) }
        #expect(members.map(\.name) == ["endpoint", "environment", "method", "url", "parts"])
        #expect(members.dropLast().map(\.value) == ["e", "env", "GET", "http://h"])
        guard case .array(let parts)? = members.last?.value else { return #expect(Bool(false)) }
        #expect(parts.count == explanation.rows.count)
        #expect(
            parts.map(\.compact).contains(
                #"{"part":"header X","values":[],"removedBy":{"value":null,"layer":"command line","origin":"-H X:"},"#
                    + #""shadowed":[{"value":"1","layer":"endpoint e","origin":"endpoints/e.json:1:14"},"#
                    + #"{"value":"0","layer":"environment env","origin":"environments/env.json:1:37"}]}"#))
    }
}

extension Explanation.Source {
    fileprivate var line: String { "\(value ?? "removed") | \(layer) | \(origin)" }
}
