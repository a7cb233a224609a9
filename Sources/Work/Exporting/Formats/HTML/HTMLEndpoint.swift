import Rendering
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// An endpoint on the page of its group: its request, a curl command for each environment, and its responses.
struct HTMLEndpoint {
    let endpoint: LocatedEndpoint
    let source: ExportSource
    let addresses: HTMLAddresses
    let facts: EndpointFacts
    let examples: [FilledRequests.Example]

    var html: String {
        let heading = "<code class=\"method\">\(HTMLText.text(endpoint.method))</code> \(HTMLText.words(endpoint.id))"
        let about = [addresses.place(endpoint.definition.place)] + endpoint.tags.map { HTMLText.words("tag:\($0)") }
        let head = """
            <p class="address">\(HTMLText.code(endpoint.path(in: nil)))</p>
            \(HTMLText.words(endpoint.definition.summary ?? "", "p"))
            <p class="about">\(about.joined(separator: " · "))</p>

            """
        // The stubs are shown as responses.
        let rest = facts.rest.filter { $0.title != EndpointFacts.stubs }.map(section).joined()
        return HTMLText.section(
            HTMLAddresses.id(ofEndpoint: endpoint.id), heading,
            head + facts.request.map(section).joined() + commands + responses + rest + schema)
    }

    private func section(_ section: EndpointFacts.Section) -> String {
        let isNeeds = section.title == EndpointFacts.needs
        let content =
            switch section.content {
            case .rows(let rows): isNeeds ? HTMLText.rows(rows, addresses.linked) : HTMLText.rows(rows)
            case .block(let text): HTMLText.block(text)
            }
        return "<h3>\(HTMLText.text(section.title))</h3>\n" + content
    }

    /// A link to the schema of the response.
    private var schema: String {
        guard case .plain(let schema)? = endpoint.definition.request.expectation?.set?.schema?.operand,
            let path = schema.string, let address = addresses.schema(path)
        else { return "" }
        return "<p>\(HTMLText.link("The schema \(HTMLText.text(path))", to: address))</p>\n"
    }

    private var commands: String {
        let commands = examples.enumerated().map { index, example in
            let content =
                switch example.command {
                case .success(let command): HTMLText.block(command, isMasked: false)
                case .failure(let failure):
                    "<p class=\"about\">No request can be made: \(HTMLText.words(Self.reason(failure)))</p>\n"
                }
            return """
                <div class="command" data-environment="\(HTMLText.text(example.environment))"\(index == 0 ? "" : " hidden")>
                \(content)</div>

                """
        }
        return "<h3>curl</h3>\n" + commands.joined()
    }

    private static func reason(_ failure: Failure) -> String {
        StandIn.shown(failure.diagnostics.first?.message ?? "the endpoint has errors")
    }

    private var responses: String {
        let stubs = endpoint.definition.stubs
        guard let variants = stubs?.variants, !variants.isEmpty else { return "" }
        let known = StubReader(endpoint, source.workspace).responses().all
        let entries = variants.map { variant in
            let isDefault = variant.name == stubs?.standardName
            let name = HTMLText.words(variant.name, "b") + (isDefault ? " (default)" : "")
            let head = "\(name) \(HTMLText.words(variant.value.explanation))"
            let response = known.first { $0.name == variant.name }
            let fields = response?.headers.map { [Styled($0.name), Styled($0.value)] } ?? []
            let content = HTMLText.rows(fields) + (response.map(body) ?? "")
            guard !content.isEmpty else { return "<p class=\"variant\">\(head)</p>\n" }
            return """
                <details class="variant"\(isDefault ? " open" : "")><summary>\(head)</summary>
                \(content)</details>

                """
        }
        return "<h3>Responses</h3>\n" + entries.joined()
    }

    private func body(_ response: StubReader.Response) -> String {
        switch response.body {
        case .none: ""
        case .json(let value): HTMLText.block(value.pretty)
        case .text(let text): HTMLText.block(text)
        }
    }
}
