import Rendering
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// All pages of the documentation, with their navigation, and the index of the search.
struct HTMLSite {
    private struct Page {
        let file: String
        let title: String
        /// The parts of the page to which "On this page" leads: ids and the content of their links.
        var parts: [(id: String, markup: String)] = []
        /// The content after the heading.
        let body: String
    }

    private let source: ExportSource
    private let groups: [(name: String, endpoints: [LocatedEndpoint])]
    private let scenarios: [LocatedScenario]
    private let schemas: [String]
    private let addresses: HTMLAddresses
    /// Title, explanation and address of everything that the search finds.
    private var entries: [(title: String, about: String, address: String)] = []

    init(_ source: ExportSource, _ notes: inout [ConversionNote]) {
        self.source = source
        var groups: [(name: String, endpoints: [LocatedEndpoint])] = []
        var positions: [String: Int] = [:]
        for endpoint in source.endpoints {
            let name = endpoint.folder ?? Self.ungrouped
            let position = positions[name, default: groups.count]
            if position == groups.count { groups.append((name, [])) }
            positions[name] = position
            groups[position].endpoints.append(endpoint)
        }
        self.groups = groups
        schemas = source.workspace.schemaPaths
        let addresses = HTMLAddresses(source, groups: groups, schemas: schemas)
        self.addresses = addresses
        var scenarios: [LocatedScenario] = []
        for entry in source.workspace.scenarioEntries().value {
            let loaded = source.workspace.load(scenarioFile: entry)
            guard let scenario = loaded.value else {
                let problem = loaded.diagnostics.first
                notes.append(
                    ConversionNote(
                        .lost, "the scenario is left out", "\(entry.id): \(problem?.message ?? "it cannot be read")",
                        at: problem?.place))
                continue
            }
            // Of some endpoints, only their scenarios are exported.
            if scenario.definition.all.contains(where: { addresses.endpoint($0.endpoint?.value ?? "") != nil }) {
                scenarios.append(scenario)
            }
        }
        self.scenarios = scenarios
    }

    private static let ungrouped = "endpoints"

    mutating func files() -> [ExportedFile] {
        let groupPages = groupPages()
        let others = [environmentsPage(), scenariosPage(), schemasPage()].compactMap(\.self)
        let pages = [indexPage()] + others + groupPages
        let index = entries.map { entry in
            "[\([entry.title, entry.about, entry.address].map { ScriptText.javaScript(HTMLText.masked($0)) }.joined(separator: ", "))]"
        }
        return pages.map { page in
            ExportedFile(
                page.file, html(of: page, among: [("Overview", [pages[0]] + others), ("Endpoints", groupPages)]))
        } + [
            ExportedFile("style.css", Self.joined(PackageResources.style_css, PackageResources.api_css)),
            ExportedFile("script.js", Self.joined(PackageResources.script_js, PackageResources.api_js)),
            ExportedFile("search-index.js", "const searchIndex = [\n\(index.joined(separator: ",\n"))\n];\n"),
        ]
    }

    private static func joined(_ one: [UInt8], _ other: [UInt8]) -> String {
        String(decoding: one + other, as: UTF8.self)
    }

    private func html(of page: Page, among sections: [(title: String, pages: [Page])]) -> String {
        let links = sections.map { title, pages in
            "<h2>\(title)</h2>\n"
                + HTMLText.list(
                    pages.map { HTMLText.link(HTMLText.words($0.title), to: $0.file, isCurrent: $0.file == page.file) })
        }
        let parts = page.parts.map { HTMLText.link($0.markup, to: "#\($0.id)") }
        let contents =
            parts.count < 2
            ? ""
            : """

            <details class="switch"><summary>On this page</summary></details>
            <nav class="contents" aria-label="On this page">
            <h2>On this page</h2>
            \(HTMLText.list(parts))</nav>
            """
        let title = page.file == HTMLAddresses.index ? source.title : "\(page.title) · \(source.title)"
        return HTMLText.filled(
            PackageResources.page_html,
            [
                "title": HTMLText.text(title), "name": HTMLText.words(source.title), "links": links.joined(),
                "contents": contents, "body": "<h1 dir=\"auto\">\(HTMLText.text(page.title))</h1>\n\(page.body)",
            ])
    }

    // MARK: Pages

    private func indexPage() -> Page {
        let sections = groups.enumerated().map { index, group in
            let calls = group.endpoints.map { endpoint in
                let link = HTMLText.link(Self.title(of: endpoint), to: addresses.endpoint(endpoint.id) ?? "")
                return "\(link) \(HTMLText.words(endpoint.definition.summary ?? "", "small"))"
            }
            let heading = HTMLText.link(HTMLText.words(group.name), to: addresses.file(ofGroup: group.name))
            return HTMLText.section("group-\(index + 1)", heading, HTMLText.list(calls, " class=\"calls\""))
        }
        let endpoints = source.endpoints.count
        let count = "\(endpoints) \(endpoints == 1 ? "endpoint" : "endpoints")"
        return Page(
            file: HTMLAddresses.index, title: source.title,
            body: "<p class=\"about\">\(count)</p>\n" + sections.joined())
    }

    private static func title(of endpoint: LocatedEndpoint) -> String {
        "<code class=\"method\">\(HTMLText.text(endpoint.method))</code> \(HTMLText.words(endpoint.id))"
    }

    private mutating func groupPages() -> [Page] {
        let requests = FilledRequests(source)
        var roots: [String: JSONValue] = [:]
        var pages: [Page] = []
        for group in groups {
            let file = addresses.file(ofGroup: group.name)
            entries.append((group.name, "Group", file))
            var parts: [(id: String, markup: String)] = []
            var body = ""
            for endpoint in group.endpoints {
                let file = endpoint.file
                let root =
                    roots[file.name]
                    ?? JSONDocument.read(file, syntax: file.name.hasSuffix(".jsonc") ? .commented : .strict).root
                roots[file.name] = root
                body +=
                    HTMLEndpoint(
                        endpoint: endpoint, source: source, addresses: addresses,
                        facts: EndpointFacts(endpoint, EndpointSource(endpoint, in: root)),
                        examples: requests.examples(for: endpoint)
                    ).html
                parts.append((HTMLAddresses.id(ofEndpoint: endpoint.id), Self.title(of: endpoint)))
                let about = [endpoint.method, endpoint.path(in: nil), endpoint.definition.summary ?? ""]
                entries.append((endpoint.id, about.joined(separator: " "), addresses.endpoint(endpoint.id) ?? ""))
            }
            pages.append(Page(file: file, title: group.name, parts: parts, body: body))
        }
        return pages
    }

    private mutating func environmentsPage() -> Page? {
        var parts: [(id: String, markup: String)] = []
        var body = ""
        for chain in source.environments {
            guard let last = chain.layers.last else { continue }
            let base = RequestMaker(source, in: chain, .filled).base()
            let variables = chain.variables.compactMap { variable in
                variable.value.set.map { [Styled(variable.name), Styled($0.source.plainText)] }
            }
            let secrets = chain.secrets.map { [Styled($0.name), Styled("$" + chain.variable(ofSecret: $0.name))] }
            let tables = [
                ("Variables", variables), ("Secrets, which commands read from variables of the shell", secrets),
            ]
            let content = """
                \(HTMLText.words(last.summary ?? "", "p"))
                <p class="address">\(base.map { HTMLText.code(StandIn.template(of: $0.url)) } ?? "no server")</p>
                <p class="about">\(addresses.place(last.place))</p>
                \(tables.filter { !$0.1.isEmpty }.map { "<h3>\($0)</h3>\n\(HTMLText.rows($1))" }.joined())
                """
            let id = "environment:" + chain.name
            body += HTMLText.section(id, HTMLText.words(chain.name), content)
            parts.append((id, HTMLText.words(chain.name)))
            entries.append((chain.name, "Environment", "\(HTMLAddresses.environments)#\(id)"))
        }
        return parts.isEmpty
            ? nil : Page(file: HTMLAddresses.environments, title: "Environments", parts: parts, body: body)
    }

    private mutating func scenariosPage() -> Page? {
        let endpoints = Dictionary(source.endpoints.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let sections = scenarios.map { scenario in
            HTMLScenario(scenario: scenario, addresses: addresses, endpoint: { endpoints[$0] }).html
        }
        for scenario in scenarios {
            let about = scenario.definition.summary ?? "Scenario"
            entries.append((scenario.id, about, "\(HTMLAddresses.scenarios)#\(scenario.id)"))
        }
        return sections.isEmpty
            ? nil
            : Page(
                file: HTMLAddresses.scenarios, title: "Scenarios",
                parts: scenarios.map { ($0.id, HTMLText.words($0.id)) }, body: sections.joined())
    }

    private mutating func schemasPage() -> Page? {
        var parts: [(id: String, markup: String)] = []
        var body = ""
        for path in schemas {
            let name = "\(SchemaStore.folder)/\(path)"
            guard let bytes = try? source.workspace.files.read(source.workspace.path(name), Workspace.largestFile)
            else { continue }
            let file = SourceFile(name: source.workspace.shown(name), bytes: bytes)
            let id = addresses.id(ofSchema: path)
            body += HTMLText.section(
                id, HTMLText.words(path),
                "<p class=\"about\">\(addresses.place(Place(file, 0..<0)))</p>\n"
                    + HTMLText.block(String(decoding: bytes, as: UTF8.self)))
            parts.append((id, HTMLText.words(path)))
            entries.append((path, "Schema", addresses.schema(path) ?? ""))
        }
        return parts.isEmpty ? nil : Page(file: HTMLAddresses.schemas, title: "Schemas", parts: parts, body: body)
    }
}
