import Exchange
import Foundation
import RequestBuilding
import TestSupport
import Testing

/// Which requests a stub matches, and which of several stubs is used.
@Suite struct StubPatternTests {
    private func request(_ url: String, _ method: HTTPMethod = .get, name: String? = nil) throws -> PreparedRequest {
        PreparedRequest(url: try #require(URL(string: url)), method: method, name: name)
    }

    @Test(
        "a pattern matches whole decoded segments at the end of the path, and placeholders match any value",
        arguments: [
            ("todos", "/v1/todos", true), ("/todos", "/v1/todos", true), ("todos", "/todos/", false),
            ("todos", "/mytodos", false), ("todos/1", "/todos/11", false), ("todos/", "/todos/", true),
            ("todos/{id}", "/v1/todos/7", true), ("todos/{id}", "/v1/todos", false), ("todos/{id}", "/todos/", false),
            ("todos/{id}", "/todos/7/tags", false), ("todos/{id}/tags/{tag}", "/todos/7/tags/x", true),
            ("files/{name}.json", "/files/a.json", true), ("files/{name}.json", "/files/.json", false),
            ("files/{name}.json", "/files/a.xml", false), ("v{n}/a", "/v12/a", true),
            ("straße/日本", "/stra%C3%9Fe/%E6%97%A5%E6%9C%AC", true),
            ("stra%c3%9fe", "/stra%C3%9Fe", true), ("a b", "/a%20b", true), ("{any}", "/%E6%97%A5", true),
            ("a%2Fb", "/a%2Fb", true), ("a/b", "/a%2Fb", false), ("a%2Fb", "/a/b", false), ("%7Bid%7D", "/1", false),
            ("100%", "/100%25", true), ("/", "", true), ("/", "/", true), ("/", "/a", false), ("", "/a", true),
        ])
    func path(pattern: String, path: String, fits: Bool) async throws {
        try await expect(pattern, path, fits: fits)
    }

    @Test(
        "query items match in any order, and the request may have others",
        arguments: [
            ("todos", "/todos?a=1", true), ("todos?a=1&b=2", "/todos?b=2&a=1", true),
            ("todos?a=1", "/todos?b=2&a=1", true), ("todos?a=1", "/todos?a=2", false), ("todos?a=1", "/todos", false),
            ("todos?a=1", "/todos?a=11", false), ("todos?a=1&a=1", "/todos?a=1", false),
            ("todos?a=2&a=1", "/todos?a=1&a=2", true), ("todos?a={x}&a=1", "/todos?a=1&a=2", true),
            ("todos?q=ä b", "/todos?q=%C3%A4%20b", true), ("todos?q=%c3%a4", "/todos?q=%C3%A4", true),
            ("todos?a%26b=c%3Dd", "/todos?a%26b=c%3Dd", true), ("todos?a={x}", "/todos?a=9", true),
            ("todos?a={x}", "/todos?b=9", false), ("todos?done", "/todos?done=", true),
            ("?page=2", "/any?page=2", true),
        ])
    func query(pattern: String, path: String, fits: Bool) async throws {
        try await expect(pattern, path, fits: fits)
    }

    private func expect(_ pattern: String, _ path: String, fits: Bool) async throws {
        let stubs = StubTransport().stubbingRest(Stub(status: 404)).stubbing(Stub(), for: StubPattern(pattern))
        let status = try await stubs.send(request("https://api.example.com\(path)")).status
        #expect(status == (fits ? 200 : 404))
    }

    @Test(
        "a pattern can require a method, a host with or without its port, and a name",
        arguments: [
            (StubPattern("a", method: .post), "POST", true), (StubPattern("a", method: .post), "GET", false),
            (StubPattern(host: "API.example.com"), "GET", true),
            (StubPattern(host: "api.example.com:8443"), "GET", true),
            (StubPattern(host: "api.example.com:80"), "GET", false), (StubPattern(host: "example.com"), "GET", false),
            (.named("user.feed"), "GET", true), (.named("user"), "GET", false),
            (StubPattern("a", method: .get, host: "api.example.com", name: "user.feed"), "GET", true),
            (StubPattern("b", name: "user.feed"), "GET", false), (.any, "GET", true),
        ])
    func rest(pattern: StubPattern, method: String, fits: Bool) async throws {
        let request = try request("https://Api.Example.com:8443/a", HTTPMethod(method), name: "user.feed")
        let stubs = StubTransport().stubbingRest(Stub(status: 404)).stubbing(Stub(), for: pattern)
        let status = try await stubs.send(request).status
        #expect(status == (fits ? 200 : 404))
    }

    @Test(
        "the most specific pattern wins, in whatever order the patterns were added",
        arguments: [
            ["", "12"], ["{id}", "12"], ["todos/{id}", "todos/12"], ["{id}", "{any}/{id}"], ["{any}/{id}", "{any}/12"],
            ["{id}", "1{n}"], ["12", "{any}/12"], ["todos/12", "todos/12?a={x}"], ["12?a={x}", "12?a=1"],
            ["12?a=1", "12?a=1&b=2"], ["12?a=1&b=2", "todos/12"],
        ])
    func precedence(patterns: [String]) async throws {
        let request = try request("https://h/v1/todos/12?a=1&b=2")
        let (general, special) = (StubPattern(patterns[0]), StubPattern(patterns[1]))
        for order in [[general, special], [special, general]] {
            let stubs = order.reduce(StubTransport()) {
                $0.stubbing(Stub(status: $1 == special ? 200 : 404), for: $1)
            }
            #expect(try await stubs.send(request).status == 200)
        }
    }

    @Test("patterns are ranked by name, then path, query, host and method")
    func order() async throws {
        let request = try request("https://h/v1/todos/12?a=1&b=2", .put, name: "todos.put")
        let patterns: [StubPattern] = [
            .any, StubPattern(method: .put), StubPattern(host: "h"), "?a={x}", "12", StubPattern("12", method: .put),
            StubPattern("12", host: "h"), "12?a=1", "todos/12", .named("todos.put"),
        ]
        for (less, more) in zip(patterns, patterns.dropFirst()) {
            let stubs = StubTransport().stubbing(Stub(), for: more).stubbing(Stub(status: 404), for: less)
            #expect(try await stubs.send(request).status == 200, "\(less), \(more)")
        }
    }

    @Test("a later stub for the same pattern replaces an earlier one")
    func override() async throws {
        let fixture = StubTransport().stubbing([Stub(status: 201), Stub(status: 202)], for: "todos?a=1&b=2")
            .stubbing(Stub(status: 203), for: "todos/{id}").stubbingRest(Stub(status: 299))
        let stubs = fixture.stubbing([Stub(status: 301), Stub(status: 302)], for: "/todos?b=2&a=1")
            .stubbing(Stub(status: 303), for: "todos/{name}").stubbingRest(Stub(status: 399))
        var statuses: [Int] = []
        for path in ["todos?a=1&b=2", "todos?a=1&b=2", "todos?a=1&b=2", "todos/1", "other"] {
            statuses.append(try await stubs.send(request("https://h/\(path)")).status)
        }
        #expect(statuses == [301, 302, 302, 303, 399])
    }
}
