import Exporting
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

@Suite("The documentation that export html writes")
struct HTMLExportTests {
    private static let shop = [
        "endpoints/orders.json": #"""
        {"endpoints": {
            "create": {
                "description": "Orders a product", "method": "POST", "path": "orders", "needs": {"login": "login"},
                "params": {"product": {"type": "integer", "example": 7}, "note": {"type": "string"}},
                "auth": {"bearer": "{{login.token}}"}, "headers": {"X-Key": "{{secret.key}}", "X-Id": "{{$uuid}}"},
                "body": {"json": {"product": "{{product}}", "note": "{{note}}"}},
                "expect": {"status": 201, "schema": "order.json"},
                "stubs": {"variants": {"made": {"status": 201, "json": {"id": 1001}}, "broken": {"error": "reset"}}}
            },
            "read": {"path": "orders/{{id}}", "params": {"id": {"type": "integer", "example": 1}}}
        }}
        """#,
        "endpoints/login.json": #"""
        {"method": "POST", "path": "login", "body": {"json": {"password": "{{secret.password}}"}},
         "capture": {"token": {"json": "$.token", "secret": true}}}
        """#,
        "environments/development.json": #"""
        {"baseURL": "http://localhost:8080", "variables": {"region": "eu"},
         "secrets": {"key": {"env": "SHOP_KEY"}, "password": {"command": ["pass", "show", "shop"]}}}
        """#,
        "environments/staging.json": #"{"extends": "development", "baseURL": "https://staging.example"}"#,
        "scenarios/buy.json": #"""
        {"steps": [{"name": "login", "endpoint": "login", "with": {"password": "hunter2x9"}},
                   {"name": "order", "endpoint": "orders.create", "with": {"note": "{{login.token}}"}}],
         "cleanup": [{"endpoint": "orders.read", "with": {"id": 1}}]}
        """#,
        "schemas/order.json": #"{"type": "object"}"#,
    ]

    /// The files of an export, by their names.
    private static func export(
        _ texts: [String: String], currentFolder: String = "/work", sourceURL: String? = nil
    ) throws -> [String: String] {
        let files = MemoryFiles(root: "/work/shop <b>", texts)
        let workspace = Workspace(
            root: "/work/shop <b>", currentFolder: currentFolder, files: files.fileSystem)
        let endpoints = workspace.endpoints()
        try #require(endpoints.diagnostics.isEmpty, "\(endpoints.diagnostics.map(\.message))")
        let chains = try workspace.environmentNames.map { name in
            guard case .found(let chain) = workspace.environment(name).value else { throw NoEnvironment() }
            return chain
        }
        var world = World.unstubbed(files)
        world.stub(variables: [:])
        var source = ExportSource(
            title: "shop <b>", workspace: workspace, endpoints: endpoints.value,
            environment: try #require(chains.first),
            environments: chains, world: world, version: "1.0")
        source.options[HTMLSource.self].url = sourceURL
        let format = try #require(ExportFormat.all.first { $0.name == "html" })
        var notes: [ConversionNote] = []
        let exported = format.export(source, &notes)
        #expect(notes.isEmpty, "\(notes)")
        return Dictionary(uniqueKeysWithValues: exported.map { ($0.path, $0.text) })
    }

    private struct NoEnvironment: Error {}

    @Test("curl signs the command of an endpoint for AWS, with the key from a variable")
    func signatures() throws {
        let files = try Self.export([
            "endpoints/a.json": #"{"path": "a", "query": {"b": "1"}}"#,
            "environments/development.json": #"""
            {"baseURL": "https://h.example", "secrets": {"id": {"env": "AWS_ID"}, "key": {"env": "AWS_KEY"}},
             "auth": {"aws": {"service": "execute-api", "region": "eu", "accessKeyID": "{{secret.id}}",
               "secretAccessKey": "{{secret.key}}"}}}
            """#,
        ])
        let page = Self.text(of: try #require(files["endpoints.html"]), in: "endpoints.html")
        #expect(page.contains(#"--aws-sigv4 aws:amz:eu:execute-api"#), "\(files.keys) \(page)")
        #expect(page.contains(#"-u "${AWS_ID:?}":"${AWS_KEY:?}""#), "\(page)")
    }

    @Test("each group has a page, and so have environments, scenarios and schemas")
    func pages() throws {
        let files = try Self.export(Self.shop)
        #expect(
            files.keys.sorted() == [
                "endpoints.html", "environments.html", "index.html", "orders.html", "scenarios.html", "schemas.html",
                "script.js", "search-index.js", "style.css",
            ])
        let orders = try #require(files["orders.html"])
        for part in [
            #"<h2 id="endpoint:orders.create">"#, "<p dir=\"auto\">Orders a product</p>", "endpoints/orders.json:2",
            #"<a href="endpoints.html#endpoint:login">login</a>"#, #"<a href="schemas.html#schema:order.json">"#,
            "<b dir=\"auto\">made</b>", "&quot;id&quot;: 1001", "error: reset",
        ] {
            #expect(orders.contains(part), "\(part)\n\(orders)")
        }
        let scenarios = try #require(files["scenarios.html"])
        #expect(scenarios.contains("<svg role=\"img\" aria-label=\"scenario:buy: 3 calls\""))
        #expect(scenarios.contains("order: POST orders</text>") && scenarios.contains("201</text>"), "\(scenarios)")
        #expect(
            files["search-index.js"]?.contains(
                #"["orders.read", "GET orders/{{id}} ", "orders.html#endpoint:orders.read"]"#) == true)
    }

    @Test("commands read secrets and unknown values from variables, and no secret is shown")
    func secrets() throws {
        let files = try Self.export(Self.shop)
        let orders = try #require(files["orders.html"])
        for part in [
            "${SHOP_KEY:?}", "Bearer '\"${LOGIN_TOKEN:?}\"", "https://staging.example/orders", "&lt;$uuid&gt;",
        ] {
            #expect(orders.contains(Markup.escaped(part)) || orders.contains(part), "\(part)\n\(orders)")
        }
        #expect(orders.contains(#"data-environment="staging" hidden"#))
        let login = Markup.escaped(#""password":"'"${PASSWORD:?}"'"}"#)
        #expect(files["endpoints.html"]?.contains(login) == true, "\(files["endpoints.html"] ?? "")")
        #expect(
            files["environments.html"]?.contains(
                "<dt dir=\"auto\">password</dt><dd><span dir=\"auto\">$PASSWORD</span></dd>") == true)
        for (name, text) in files {
            #expect(!text.contains("hunter2x9") && !text.contains("zqx0"), "\(name)")
        }
    }

    @Test("places are links to the files, if the files can be read somewhere")
    func sourceLinks() throws {
        let files = try Self.export(
            Self.shop, currentFolder: "/work/shop <b>/endpoints", sourceURL: "https://h.example/blob/main")
        #expect(
            files["orders.html"]?.contains(#"<a href="https://h.example/blob/main/endpoints/orders.json#L2">"#) == true)
    }

    @Test("the same workspace gives the same bytes from every folder")
    func stable() throws {
        #expect(try Self.export(Self.shop) == Self.export(Self.shop, currentFolder: "/work/shop <b>/endpoints"))
    }

    // MARK: Hostile text

    private static let pieces = [
        "<script>x()</script>", "\" onclick=\"x()", "' autofocus onfocus='x()", "</pre><img src=x onerror=x()>", "<!--",
        "-->", "]]>", "&lt;i&gt;", "&#60;i&#62;", "${body}", "שלום", "مرحبا", "\u{202E}evil", "\u{1B}[31m", "</title>",
        "javascript:x()", "</style>", "<svg onload=x()>", "\u{FFFE}", "a::b##c", "`", "\\", "<b",
        String(repeating: "long", count: 50),
    ]

    @Test("500 hostile names, values and bodies stay text")
    func hostile() throws {
        var random = SeededGenerator(seed: 7)
        var all: [String] = []
        func next(_ random: inout SeededGenerator, without letters: String = "") -> OrderedJSON {
            let pieces = (1...3).map { _ in Self.pieces.randomElement(using: &random) ?? "" }
            let text = "t\(all.count)" + pieces.joined().filter { !letters.contains($0) }
            all.append(text)
            return .string(text)
        }
        let endpoints = (0..<50).map { number in
            let params: OrderedJSON = .object([
                .init("p", .object(["type": "string", "description": next(&random), "default": next(&random)]))
            ])
            return OrderedJSON.Member(
                "e\(number)",
                .object([
                    "description": next(&random), "tags": .array([next(&random)]), "method": "POST",
                    "path": next(&random, without: "?#"),
                    "params": params, "query": .object([.init("q", next(&random))]),
                    "body": .object(["text": next(&random)]),
                    "stubs": .object([
                        "variants": .object([
                            .init("v", .object(["description": next(&random), "text": next(&random)]))
                        ])
                    ]),
                ]))
        }
        let files = try Self.export([
            "endpoints/g.json": OrderedJSON.object(["endpoints": .object(endpoints)]).pretty,
            "environments/e.json": OrderedJSON.object([
                "description": next(&random), "baseURL": "http://h", "variables": .object([.init("v", next(&random))]),
            ]).pretty,
            "scenarios/s.json": OrderedJSON.object([
                "description": next(&random), "tags": .array([next(&random)]),
                "steps": .array([
                    .object(["name": "a", "endpoint": "g.e1", "with": .object([.init("p", next(&random))])])
                ]),
            ]).pretty,
        ])
        #expect(all.count > 450)
        let texts = files.filter { $0.key.hasSuffix(".html") }.map { Self.text(of: $0.value, in: $0.key) }.joined()
        for text in all {
            let shown = TerminalText.harmless(text).replacing("\u{FFFE}", with: "\u{FFFD}")
            #expect(texts.contains(shown), "\(shown)")
        }
    }

    private static let elements: Set<Substring> = [
        "html", "head", "meta", "title", "link", "script", "body", "header", "a", "div", "input", "ul", "li", "details",
        "summary", "nav", "main", "h1", "h2", "h3", "p", "pre", "code", "span", "small", "b", "bdi", "section", "dl",
        "dt",
        "dd", "svg", "path", "rect", "text",
    ]
    private static let attributes: Set<Substring> = [
        "lang", "charset", "name", "content", "http-equiv", "rel", "href", "src", "defer", "class", "id", "hidden",
        "type",
        "placeholder", "role", "dir", "open", "autocomplete", "tabindex", "width", "height", "viewBox", "d", "x", "y",
        "rx",
    ]

    /// The text of a page. Fails for elements and attributes that the exporter doesn't write.
    private static func text(of page: String, in name: String) -> String {
        var text = ""
        var rest = page[...]
        while let start = rest.firstIndex(of: "<") {
            text += rest[..<start]
            guard let end = rest[start...].firstIndex(of: ">") else {
                Issue.record("a tag of \(name) has no end")
                break
            }
            var tag = rest[start...end].dropFirst().dropLast()
            rest = rest[end...].dropFirst()
            if tag == "!DOCTYPE html" { continue }
            if tag.first == "/" { tag = tag.dropFirst() }
            let element = tag.prefix { $0.isLetter || $0.isNumber }
            #expect(elements.contains(element), "<\(tag)> in \(name)")
            for match in tag.matches(of: #/\s([a-zA-Z-]+)(="[^"]*")?/#) {
                let attribute = match.output.1
                #expect(
                    attributes.contains(attribute) || attribute.hasPrefix("aria-") || attribute == "data-root"
                        || attribute == "data-environment", "<\(tag)> in \(name)")
            }
        }
        text += rest
        for (escaped, character) in [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#58;", ":"), ("&#35;", "#"),
            ("&amp;", "&"),
        ] { text = text.replacing(escaped, with: character) }
        return text
    }
}
