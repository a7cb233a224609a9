import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

@testable import ReqcliMocking

/// Of which endpoints a server knows the path without assembling a request.
@Suite struct CertainRequestTests {
    private static let environments = [
        "env": #"{ "baseURL": "https://api.example.com/v1/", \#(values) }"#,
        "bare": #"{ "scheme": "https", "host": "api.example.com", \#(values) }"#,
        "long": #"{ "baseURL": "https://api.example.com/%C3%A9", "headers": { "Content-Length": "0" }, \#(values) }"#,
        "nowhere": "{ \(values) }",
        "choosing":
            #"{ "extends": "env", "variables": { "pick": { "$switch": "{{seven}}", "7": "{{n}}", "8": "{{o}}" } } }"#,
        "broken": #"{ "baseURL": "https://api.example.com", "headers": { "X-All": "{{missing}}" }, \#(values) }"#,
    ]
    private static let values = #"""
        "variables": { "v": "x y", "seven": 7, "blank": " ", "long": "\#(String(repeating: "x", count: 101))",
          "tab": "a\tb", "other": "{{v}}", "unknown": "{{missing}}", "list": [1] },
        "secrets": { "s": { "env": "S" }, "gone": null }
        """#
    private static let parameters = #"""
        "params": { "n": { "type": "integer", "minimum": 5 }, "o": { "type": "string", "required": false },
          "l": { "type": "list" }, "f": { "type": "file" },
          "d": { "type": "string", "format": "date" }, "c": { "type": "list", "join": "," } },
        "needs": { "login": "login", "nobody": "nobody" }
        """#

    /// Calls the function with what a server is made of in one environment.
    private static func inEnvironment<Result>(
        _ name: String, _ endpoints: String,
        _ use: (_ certain: CertainRequests?, _ maker: RequestPattern.Maker, [LocatedEndpoint]) throws -> Result
    ) throws -> Result {
        var content = environments.map { ("/w/environments/\($0.key).json", MemoryFiles.Content.text($0.value)) }
        content.append(("/w/endpoints/g.json", .text(endpoints)))
        content.append(
            ("/w/endpoints/login.json", .text(#"{ "path": "login", "capture": { "token": { "json": "$.t" } } }"#)))
        let files = MemoryFiles(Dictionary(uniqueKeysWithValues: content))
        let workspace = Workspace(root: "/w", currentFolder: "/w", files: files.fileSystem)
        guard case .found(let environment) = workspace.environment(name).value else { throw NotFound() }
        var world = World.unstubbed(files)
        world.variable = { _ in nil }
        let calls = OpenCalls(workspace, in: environment, .whole, opensSwitches: true, version: "test")
        let base = try? calls.assembler(world).assemble(calls.call(LocatedEndpoint(typed: "base", in: nil), [:]).call)
            .request
        return try use(
            base.flatMap { CertainRequests(calls, base: $0) },
            RequestPattern.Maker(workspace, in: environment, world: world, version: "test"),
            workspace.endpoints { $0.id == "g" }.value)
    }

    private struct NotFound: Error {}

    private static func endpoint(_ keys: String, defaults: String = "{}") -> String {
        #"{ "defaults": \#(defaults), "endpoints": { "e": { \#(parameters)\#(keys.isEmpty ? "" : ", " + keys) } } }"#
    }

    // MARK: What is certain

    @Test(
        "Endpoints without anything that may fail are certain",
        arguments: [
            "", #""path": "a/{{n}}""#, #""path": "/{{o}}.json""#,
            #""path": "a", "query": { "q": ["{{l}}", "{{d}}", 1, "{{v}}"] }"#,
            #""headers": { "X-A": ["{{$uuid}}", 7, "a{{secret.s}}"], "X-B": null, "X-C": "{{$env.A}}" }"#,
            #""method": "POST", "body": { "json": { "a": ["{{n}}", { "b": "{{seven}}" }] } }"#,
            #""body": { "text": "{{login.token}}" }"#, #""body": { "form": { "a": "{{c}}" } }"#,
            #""auth": { "bearer": "{{secret.s}}" }, "timeout": 5, "retry": null"#, #""body": { "base64": "AAAA" }"#,
            #""environments": { "env": { "path": "b" }, "bare": { "host": "x" } }"#,
        ])
    func certain(_ keys: String) throws {
        #expect(try Self.path(keys) != nil)
    }

    @Test(
        "Of endpoints with something that may fail nothing is said",
        arguments: [
            #""path": "{{missing}}""#, #""path": "{{v}}""#, #""path": "{{l}}""#, #""path": "a%2Fb""#, #""path": "a b""#,
            #""path": ["a", "{{o}}"]"#, #""path": "{{$uuid}}""#, #""host": "x""#, #""basePath": "/x""#,
            #""baseURL": "http://x""#, #""port": 1"#, #""scheme": "http""#, #""proxy": "http://p""#,
            #""tls": { "ca": "ca.pem" }"#, #""headers": { "X-A": "{{missing}}" }"#,
            #""headers": { "X-A": "{{secret.gone}}" }"#, #""headers": { "X-A": "{{login.other}}" }"#,
            #""headers": { "X-A": "{{nobody.token}}" }"#, #""headers": { "X-A": "{{$env.HOME}}" }"#,
            #""headers": { "X-A": "{{tab}}" }"#, #""headers": { "X-A": "a\tb" }"#, #""headers": { "X-A": "{{long}}" }"#,
            #""headers": { "Authorization": "Bearer {{blank}}" }"#, #""headers": { "Host": ["a", "b"] }"#,
            #""headers": { "Content-Length": "7" }"#, #""auth": { "bearer": "{{blank}}" }"#,
            #""auth": { "bearer": "" }"#,
            #""auth": { "basic": { "user": "{{v}}", "password": "{{secret.s}}" } }"#, #""query": { "q": "{{other}}" }"#,
            #""query": "a={{n}}""#, #""body": { "file": "x" }"#, #""body": { "json": "{{unknown}}" }"#,
            #""body": { "json": { "$switch": "{{n}}", "5": 1 } }"#, #""body": { "multipart": { "a": "b" } }"#,
            #""body": { "graphql": { "query": "{ a }" } }"#, #""environments": { "env": { "host": "x" } }"#,
        ])
    func uncertain(_ keys: String) throws {
        #expect(try Self.path(keys) == nil)
    }

    @Test("An endpoint is as uncertain as the defaults of its group")
    func defaults() throws {
        #expect(try Self.path("", defaults: #"{ "headers": { "X-A": "{{v}}" } }"#) != nil)
        #expect(try Self.path("", defaults: #"{ "headers": { "X-A": "{{missing}}" } }"#) == nil)
    }

    @Test("Nothing is certain in an environment whose requests fail, have a length or need a choice")
    func environments() throws {
        let known = try Self.environments.keys.filter { name in
            try Self.inEnvironment(name, Self.endpoint("")) { certain, _, _ in certain != nil }
        }
        #expect(known.sorted() == ["bare", "env"])
    }

    private static func path(_ keys: String, defaults: String = "{}") throws -> String? {
        try inEnvironment("env", endpoint(keys, defaults: defaults)) { certain, _, endpoints in
            try #require(certain).path(of: try #require(endpoints.first))
        }
    }

    // MARK: By chance

    private static let choices: [[String]] = [
        ["GET", "POST", "PUT"].map { #""method": "\#($0)""# },
        [
            "a", "/a", "a/", "", "/", "//a", "a//b", "a/{{n}}", "{{n}}.json", "{{o}}{{n}}/", "./{{n}}", "..", ".{{n}}",
            "a:b@c;d=e", "{{c}}", "{{l}}/a", "a b", "é", "a%2Fb", "{{v}}", "{{missing}}", "{{f}}",
        ].map { #""path": "\#($0)""# } + [#""path": ["a", "{{o}}"]"#, #""path": null"#],
        [
            #"{ "X-A": "{{n}}", "X-B": null }"#, #"{ "X-A": ["{{l}}", true, 7] }"#, #"{ "X-A": "{{secret.s}}" }"#,
            #"{ "X-A": "{{secret.gone}}" }"#, #"{ "X-A": "{{v}}{{seven}}{{o}}" }"#, #"{ "X-A": "{{tab}}" }"#,
            #"{ "X-A": "{{login.token}}" }"#, #"{ "X-A": "{{login.other}}" }"#, #"{ "X-A": "{{$env.HOME}}" }"#,
            #"{ "Authorization": "Bearer {{blank}}" }"#, #"{ "Authorization": "Bearer {{o}}" }"#,
            #"{ "Host": ["a", "b"] }"#, #"{ "Content-Length": "7" }"#, #"{ "Content-Type": "text/{{o}}" }"#,
        ].map { #""headers": \#($0)"# },
        [
            #"{ "q": "{{n}}", "r": null }"#, #"{ "q": ["{{l}}", "{{d}}", "{{c}}", 1] }"#, #"{ "q": "{{missing}}" }"#,
            #""a={{n}}""#, "null", #"{ "é &": "{{v}}{{$isoTimestamp}}" }"#,
        ].map { #""query": \#($0)"# },
        [
            #"{ "json": { "a": "{{n}}", "b": [1, "{{seven}}"] } }"#, #"{ "json": "{{unknown}}" }"#,
            #"{ "text": "{{o}} {{blank}}" }"#, #"{ "form": { "a": ["{{l}}", "{{list}}"], "b": "{{c}}" } }"#,
            #"{ "base64": "AAAA" }"#, #"{ "file": "{{f}}" }"#, #"{ "json": { "$switch": "{{o}}", "a": 1 } }"#, "null",
        ].map { #""body": \#($0)"# },
        [
            #""auth": { "bearer": "{{secret.s}}" }"#, #""auth": { "bearer": "{{blank}}" }"#, #""auth": null"#,
            #""timeout": "5s""#, #""cachePolicy": "reloadIgnoringLocalCacheData""#, #""tls": { "ca": "ca.pem" }"#,
            #""host": "x""#, #""basePath": "/y""#,
        ],
    ]

    @Test("Endpoints by chance that are certain have the pattern of their assembled request")
    func certainIsAssembled() throws {
        var generator = SeededGenerator(seed: 16)
        var found = (certain: 0, failing: 0)
        for _ in 0..<max(20, RouteFuzzTests.count / 100) {
            let endpoints = (0..<20).map { number in
                let keys = Self.choices.compactMap {
                    Bool.random(using: &generator) ? $0.randomElement(using: &generator) : nil
                }
                return #""e\#(number)": { \#((keys + [Self.parameters]).joined(separator: ", ")) }"#
            }
            let environments = Self.environments.keys.sorted() + ["env", "env", "env", "bare", "bare", "bare"]
            let environment = environments.randomElement(using: &generator) ?? ""
            let file = #"{ "endpoints": { \#(endpoints.joined(separator: ", ")) } }"#
            try Self.inEnvironment(environment, file) { certain, maker, endpoints in
                for endpoint in endpoints {
                    let assembled = Result { () throws(Failure) in try maker.assembledPattern(of: endpoint) }
                    if (try? assembled.get()) == nil { found.failing += 1 }
                    guard let certain, certain.path(of: endpoint) != nil else { continue }
                    found.certain += 1
                    let pattern = Self.shown(try maker.pattern(of: endpoint))
                    #expect(try pattern == Self.shown(assembled.get()), "\(file) in \(environment): \(endpoint.id)")
                }
            }
        }
        #expect(found.certain > 40 && found.failing > 40)
    }

    /// What a pattern is before its details are asked for.
    private static func shown(_ pattern: RequestPattern) -> String {
        "\(pattern.method) \(pattern.host ?? "") \(pattern.segments.map { "\($0.text.pieces) \($0.isOptional)" })"
    }
}
