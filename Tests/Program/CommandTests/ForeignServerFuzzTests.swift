import Foundation
import ReqcliText
import TestSupport
import Testing

/// Random sources into random workspaces: no credential of one server is ever assembled for another.
struct ForeignServerFuzzTests {
    private static let count = UInt64(RandomInputs.count(200))
    private static let secret = "owned-by-the-good-server-7Qx"
    private static let good = "https://good.example"
    private static let others = [
        "http://evil.example", "https://good.example.evil.example", "https://other.example:8443",
    ]

    /// Process variables of secrets. An import of one of the sources would choose some of these names for its own secrets.
    private static let variables = [
        "OWNED", "TOKEN", "GOOD_TOKEN", "S_TOKEN", "EXAMPLE_TOKEN", "EVIL_TOKEN", "OTHER_TOKEN", "S_API_KEY",
        "EXAMPLE_X_API_KEY", "API_TOKEN",
    ]

    /// One workspace and one source.
    private struct Sample {
        var environment = ""
        /// An environment that the import is not for.
        var staging = ""
        /// An environment that the environment of the import may extend.
        var base = "{}"
        /// The process variable of the workspace's secrets.
        var variable = ""
        var format = ""
        var source = ""

        init(seed: UInt64) {
            var random = SeededGenerator(seed: seed)
            func any<Element>(_ all: [Element]) -> Element { all[Int.random(in: all.indices, using: &random)] }
            func chance() -> Bool { Bool.random(using: &random) }

            let server = any([
                #""baseURL": "\#(good)""#, #""baseURL": "{{baseUrl}}""#, #""baseURL": "https://{{host}}""#,
                #""scheme": "https", "host": "good.example""#, #""baseURL": "{{scheme}}://{{host}}""#,
            ])
            let credential = any([
                #""auth": {"bearer": "{{secret.token}}"}"#, #""headers": {"X-Api-Key": "{{secret.token}}"}"#,
                #""headers": {"X-Api-Key": "{{key}}"}"#, #""query": {"api_key": "{{secret.token}}"}"#,
                #""timeout": 5"#,
            ])
            let variables =
                #""variables": {"baseUrl": "https://{{host}}", "host": "good.example", "scheme": "https", "key": "k{{secret.token}}"}"#
            variable = any(ForeignServerFuzzTests.variables)
            let name = any(["token", "xApiKey", "own"])
            let secrets = #""secrets": {"\#(name)": {"env": "\#(variable)"}}"#
            environment = #"{\#(server), \#(credential), \#(variables), "secrets": {"token": {"env": "\#(variable)"}}}"#
            let plain = variables.replacing("k{{secret.token}}", with: "none")
            if chance() { environment = #"{\#(server), \#(plain)\#(chance() ? ", \(secrets)" : "")}"# }
            let secretVariable = chance() ? #", "variables": {"key": "k{{secret.\#(name)}}"}"# : ""
            staging = #"{"baseURL": "\#(good)", \#(secrets)\#(secretVariable)}"#
            if Int.random(in: 0..<4, using: &random) == 0 {
                // A value in a file can be a credential too. The name of the variable shows it.
                environment =
                    #"{"baseURL": "\#(good)", "variables": {"token": "\#(secret)", "host": "good.example"}}"#
            }
            if chance() { (base, environment) = (environment, #"{"extends": "base"}"#) }

            let foreign = any(others)
            let host = String(foreign.split(separator: "/").last ?? "")
            let definitions = [
                ("baseUrl", foreign), ("baseUrl", good), ("baseUrl", "http://{{host}}"), ("host", host),
                ("host", "good.example"), ("scheme", "http"), ("key", "own"), ("token", "own-token-of-the-source"),
            ].filter { _ in chance() && chance() }
            let requests = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                let base = any([
                    "{{baseUrl}}", foreign, good, "https://{{host}}", "{{scheme}}://{{host}}", "http://{{host}}:81",
                ])
                let headers = [
                    "Authorization: Bearer {{token}}", "X-Api-Key: {{key}}", "Authorization: Bearer {{secret.token}}",
                    "X-Api-Key: abcdefghij-0123456789", "Cookie: a={{token}}",
                    "Authorization: Bearer abcdefghij-0123456789", "X-Other: {{$processEnv \(variable)}}",
                ].filter { _ in chance() && chance() }
                let query = any(["", "", "?api_key={{token}}", "?k={{key}}"])
                return (url: base + any(["/a", "/b/c", ""]) + query, headers: headers)
            }
            if Int.random(in: 0..<3, using: &random) == 0 {
                format = "openapi"
                source = Self.description(
                    requests.map(\.headers), server: any([foreign, good]), isExported: chance()
                ) { any($0) }
            } else if chance() {
                format = "http"
                source =
                    definitions.map { "@\($0) = \($1)\n" }.joined() + "\n"
                    + requests.map { "GET \($0.url)\n\($0.headers.map { $0 + "\n" }.joined())" }.joined(
                        separator: "\n###\n\n")
            } else {
                format = "postman"
                let items = requests.enumerated().map { index, request in
                    let headers = request.headers.map { header in
                        let parts = header.split(separator: ":", maxSplits: 1)
                        return #"{"key": "\#(parts[0])", "value": "\#(parts[1].dropFirst())"}"#
                    }
                    return
                        #"{"name": "r\#(index)", "request": {"method": "GET", "url": "\#(request.url)", "header": [\#(headers.joined(separator: ", "))]}}"#
                }
                let values = definitions.map { #"{"key": "\#($0)", "value": "\#($1)"}"# }
                source =
                    #"{"info": {"name": "S", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}, "item": [\#(items.joined(separator: ", "))], "variable": [\#(values.joined(separator: ", "))]}"#
            }
        }

        /// A description of operations whose credentials and headers name secrets.
        fileprivate static func description(
            _ requests: [[String]], server: String, isExported: Bool, _ any: ([String]) -> String
        ) -> String {
            let title = any(["S", "Good", "Good Example", "Evil"])
            let auth = any([#""auth": {"bearer": "{{secret.token}}"},"#, #""auth": {"bearer": "{{token}}"},"#, ""])
            let paths = requests.indices.map { index in
                let headers = requests[index].map { header in
                    let parts = header.split(separator: ":", maxSplits: 1)
                    return #""\#(parts[0])": "\#(parts[1].dropFirst())""#
                }
                let base = any(["", #""baseURL": "\#(server)","#, #""baseURL": "https://{{host}}","#])
                let host = any(["", "", #""params": {"host": {"type": "string", "default": "evil.example"}},"#])
                let own =
                    #"{\#(base) \#(host) \#(auth) "path": "/a\#(index)", "headers": {\#(headers.joined(separator: ", "))}}"#
                return """
                    "/a\(index)": {"get": {"operationId": "r\(index)", "x-reqcli": \(own),
                      "responses": {"200": {"description": "x"}}}}
                    """
            }
            let notation = #""x-reqcli": {\#(auth) "name": "development", "baseURL": "\#(server)"}"#
            return """
                {"openapi": "3.1.0", "info": {"title": "\(title)", "version": "1"}, "security": [{"token": []}],
                 \(isExported ? #""x-reqcli": {"version": 1},"# : "")
                 "servers": [{"url": "\(server)", \(notation)}], "paths": {\(paths.joined(separator: ", "))},
                 "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}}}
                """
        }
    }

    @Test("No credential of one server is assembled for another after an import")
    func foreignServers() async {
        var rendered = 0
        var withSecret = 0
        for seed in 0..<Self.count {
            let sample = Sample(seed: seed)
            let files = MemoryFiles([
                "reqcli.json": "{}", "environments/development.json": sample.environment,
                "environments/staging.json": sample.staging, "environments/base.json": sample.base,
                "endpoints/own.json": #"{"path": "/own"}"#, "source.txt": sample.source,
            ])
            let run = await reqcli("import", sample.format, "source.txt", files: files)
            guard run.status == 0 else { continue }
            let list = await reqcli("list", "--json", files: files)
            let ids = list.output.matches(of: #/"id": ?"([^"]*)"/#).map { String($0.1) }
            for (id, environment) in ids.flatMap({ id in ["development", "staging", "base"].map { (id, $0) } }) {
                let request = await reqcli(
                    "render", id, "--env", environment, "--reveal", files: files,
                    variables: [sample.variable: Self.secret])
                guard request.status == 0 else { continue }
                rendered += 1
                guard request.output.contains(Self.secret) else { continue }
                withSecret += 1
                let url = request.output.firstMatch(of: #/https?:\/\/[^\/?' ]*/#).map { String($0.0) }
                #expect(
                    url == Self.good || url == Self.good + ":443",
                    "seed \(seed), \(id) in \(environment): \(request.output)\n\(sample.environment)\n\(sample.source)")
            }
        }
        // The samples reach what they are about.
        #expect(rendered > Int(Self.count) && withSecret > Int(Self.count) / 4)
    }

    // MARK: Updates

    /// An imported description, the user's changes to the imported files, and a newer version of the description.
    private struct Revision {
        var first = ""
        var second = ""
        /// Whether the user agrees to new servers.
        var takesNewServers = false
        private var random: SeededGenerator

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            let servers = [good] + others
            let isExported = chance()
            first = source(any(servers), isExported)
            second = source(any(others), isExported)
            takesNewServers = chance()
        }

        private mutating func any<Element>(_ all: [Element]) -> Element {
            all[Int.random(in: all.indices, using: &random)]
        }

        private mutating func chance() -> Bool { Bool.random(using: &random) }

        private mutating func source(_ server: String, _ isExported: Bool) -> String {
            let requests = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                ["X-Other: plain", "Accept: text/plain"].filter { _ in chance() }
            }
            var generator = random
            let text = Sample.description(requests, server: server, isExported: isExported) { all in
                all[Int.random(in: all.indices, using: &generator)]
            }
            random = generator
            return text
        }

        /// The file of an endpoint or a group with a credential that the user adds, or without `auth: null` of the import.
        mutating func edited(_ text: String) -> String {
            let root = JSONDocument.read(SourceFile(name: "f", text: text)).root
            guard case .object(var file)? = root.map({ OrderedJSON($0) }) else { return text }
            if chance() { file = editing(file, at: "defaults") }
            for index in file.indices where file[index].name == "endpoints" {
                guard case .object(let endpoints) = file[index].value else { continue }
                let members = endpoints.map { endpoint in
                    guard chance(), case .object(let members) = endpoint.value else { return endpoint }
                    return OrderedJSON.Member(endpoint.name, .object(withCredential(members)))
                }
                file[index] = OrderedJSON.Member("endpoints", .object(members))
            }
            return OrderedJSON.object(file).pretty
        }

        /// The file of the environment, and of an environment that it extends. The user may read the secrets of the import from
        /// the variable of an own secret, and may move all secrets to the other environment.
        mutating func editedEnvironment(_ text: String) -> (own: String, base: String) {
            let edited = chance() ? text.replacing(#""S_TOKEN""#, with: #""OWNED""#) : text
            let root = JSONDocument.read(SourceFile(name: "f", text: edited)).root
            guard chance(), case .object(let members)? = root.map({ OrderedJSON($0) }) else { return (edited, "{}") }
            let rest = members.filter { $0.name != "secrets" } + [OrderedJSON.Member("extends", "base")]
            let base = members.filter { $0.name == "secrets" }
            return (OrderedJSON.object(rest).pretty, OrderedJSON.object(base).pretty)
        }

        private mutating func editing(_ file: [OrderedJSON.Member], at key: String) -> [OrderedJSON.Member] {
            var inner: [OrderedJSON.Member] = []
            if case .object(let members)? = file.first(where: { $0.name == key })?.value { inner = members }
            return [OrderedJSON.Member(key, .object(withCredential(inner)))] + file.filter { $0.name != key }
        }

        private mutating func withCredential(_ members: [OrderedJSON.Member]) -> [OrderedJSON.Member] {
            let added: [(String, OrderedJSON)] = [
                ("auth", .object(["bearer": "{{secret.own}}"])), ("headers", .object(["X-Own": "{{secret.own}}"])),
                ("query", .object(["own": "{{ownKey}}"])), ("auth", .null),
            ]
            let (name, value) = any(added)
            let rest = members.filter { $0.name != name }
            return value == .null ? rest : rest + [OrderedJSON.Member(name, value)]
        }
    }

    @Test("No update of an import sends a credential that the user added to another server")
    func updates() async {
        var updated = 0
        var withSecret = 0
        for seed in 0..<Self.count {
            var revision = Revision(seed: seed)
            let files = MemoryFiles([
                "reqcli.json": "{}", "source.json": revision.first,
                "environments/development.json": #"""
                {"baseURL": "\#(Self.good)", "auth": {"bearer": "{{secret.own}}"},
                 "variables": {"ownKey": "k{{secret.own}}", "host": "good.example"}, "secrets": {"own": {"env": "OWNED"}}}
                """#,
            ])
            let run = await reqcli("import", "openapi", "source.json", "--into", "s", files: files)
            guard run.status == 0 else { continue }
            for (path, text) in files.texts where path.hasPrefix("/work/endpoints/") {
                try? files.write(.text(revision.edited(text)), at: path)
            }
            let path = "/work/environments/development.json"
            let environment = revision.editedEnvironment(files.texts[path] ?? "{}")
            try? files.write(.text(environment.own), at: path)
            try? files.write(.text(environment.base), at: "/work/environments/base.json")
            let before = await Self.requestsWithSecret(files)
            try? files.write(.text(revision.second), at: "/work/source.json")
            let options = revision.takesNewServers ? ["--new-servers"] : []
            let update = await reqcli(["import", "--update"] + options, files: files)
            // An update with a conflict is written, too.
            guard update.status <= 1 else { continue }
            updated += 1
            for (id, url) in await Self.requestsWithSecret(files) {
                withSecret += 1
                #expect(
                    url == Self.good || before.values.contains(url),
                    "seed \(seed), \(id): \(url), before \(before[id] ?? "none")\n\(files.texts)")
            }
        }
        #expect(updated > Int(Self.count) / 2 && withSecret > Int(Self.count) / 4)
    }

    /// The servers that get the secret, by the id of the endpoint.
    private static func requestsWithSecret(_ files: MemoryFiles) async -> [String: String] {
        let list = await reqcli("list", "--json", files: files)
        var servers: [String: String] = [:]
        for match in list.output.matches(of: #/"id": ?"([^"]*)"/#) {
            let id = String(match.1)
            let request = await reqcli(
                "render", id, "--reveal", files: files, variables: ["OWNED": secret, "S_TOKEN": "of-the-source"])
            guard request.status == 0, request.output.contains(secret) else { continue }
            servers[id] = request.output.firstMatch(of: #/https?:\/\/[^\/?' ]*/#).map { String($0.0) }
        }
        return servers
    }
}
