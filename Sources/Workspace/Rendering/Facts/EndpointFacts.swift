package import ReqcliDefinitions
package import ReqcliText

/// What the definition of an endpoint says, in sections for a person to read.
package struct EndpointFacts {
    package struct Section {
        package enum Content {
            /// Rows of a name and what belongs to it.
            case rows([[Styled]])
            /// Text of several lines, such as a body.
            case block(String)
        }

        package let title: String
        package let content: Content

        fileprivate var isEmpty: Bool { if case .rows(let rows) = content { rows.isEmpty } else { false } }
    }

    /// The titles of sections that some readers show in another form.
    package static let (needs, stubs) = ("Needs", "Stubs")

    private let endpoint: LocatedEndpoint
    private let source: EndpointSource

    package init(_ endpoint: LocatedEndpoint, _ source: EndpointSource) {
        self.endpoint = endpoint
        self.source = source
    }

    /// What a caller gives, and what is sent.
    package var request: [Section] {
        let definition = endpoint.definition
        return [
            section("Params", endpoint.parameters.map(\.row)), query,
            fields("Headers", definition.request.layer.headers),
            Self.body(definition.request.body?.set), needs,
        ].filter { !$0.isEmpty }
    }

    /// Everything else.
    package var rest: [Section] {
        [
            members("Captures", of: source.own["capture"]), settings,
            members("From the group", of: source.defaults, except: ["params", "needs", "tags"]),
            members("In one environment only", of: source.own["environments"]),
            section("Expects", endpoint.definition.request.expectation?.set.map { $0.rows } ?? []), checks, stubs,
        ].filter { !$0.isEmpty }
    }

    private func section(_ title: String, _ rows: [[Styled]]) -> Section {
        Section(title: title, content: .rows(rows))
    }

    private func members(_ title: String, of object: OrderedJSON?, except hidden: Set<String> = []) -> Section {
        section(title, rows((object?.members ?? []).filter { !hidden.contains($0.name) }))
    }

    private func rows(_ members: [OrderedJSON.Member]) -> [[Styled]] {
        members.map { [Styled(harmlessLine($0.name), .cyan), Styled(harmlessLine($0.value.plainText))] }
    }

    // MARK: The request

    private var needs: Section {
        section(
            Self.needs,
            endpoint.needs.map { need in
                let id = need.value.endpoint?.value ?? ""
                return [
                    Styled(need.name, .cyan),
                    Styled(harmlessLine(([id] + need.value.parameters.map(\.given)).joined(separator: " "))),
                ]
            })
    }

    private var query: Section {
        guard let setting = endpoint.definition.request.layer.query else { return section("Query", []) }
        return switch setting.set {
        case .items(let items)?: fields("Query", items)
        case .text(let text)?: section("Query", [[Styled(harmlessLine(text.source))]])
        case nil: section("Query", [[Styled("not sent", .dim)]])
        }
    }

    private func fields(_ title: String, _ fields: [Named<Setting<[ValueTemplate]>>]) -> Section {
        section(
            title,
            fields.flatMap { field -> [[Styled]] in
                let name = Styled(harmlessLine(field.name), .cyan)
                guard let values = field.value.set else { return [[name, Styled("not sent", .dim)]] }
                return values.map { [name, Styled(harmlessLine($0.shown))] }
            })
    }

    /// The settings without a separate section, as the file has them.
    private var settings: Section {
        section("Settings", rows(source.own.members.filter { RequestLayer.settingKeys.contains($0.name) }))
    }

    /// The request's body, under a title that names its kind.
    private static func body(_ body: Body?) -> Section {
        guard let body else { return Section(title: "Body", content: .rows([])) }
        let (kind, text) =
            switch body.content {
            case .json(let value): ("JSON", value.source.pretty)
            case .text(let text): ("text", text.source)
            case .file(let path): ("a file", path.source)
            case .base64(let bytes): ("bytes", "\(bytes.value.count) of them")
            case .form(let fields):
                (
                    "form",
                    fields.flatMap { field in (field.value.set ?? []).map { "\(field.name)=\($0.shown)" } }
                        .joined(separator: "\n")
                )
            case .multipart(let parts):
                ("multipart", parts.map { "\($0.name)=\($0.value.source?.shown ?? "")" }.joined(separator: "\n"))
            case .graphQL(let operation):
                (
                    "GraphQL",
                    (operation.document?.shown ?? "") + (operation.variables.map { "\n" + $0.source.pretty } ?? "")
                )
            }
        return Section(title: "Body (\(kind))", content: .block(text))
    }

    // MARK: The response

    private var checks: Section {
        section(
            "Checks",
            endpoint.definition.checks.flatMap { check -> [[Styled]] in
                let with = check.parameters.map(\.given).joined(separator: " ")
                let title = [Styled(harmlessLine(check.name?.value ?? "")), Styled(harmlessLine(with), .dim)]
                return [title] + (check.expectation?.rows ?? []).map { [Styled("  ") + $0[0]] + $0.dropFirst() }
            })
    }

    private var stubs: Section {
        section(
            Self.stubs,
            (endpoint.definition.stubs?.variants ?? []).map { variant in
                let isDefault = variant.name == endpoint.definition.stubs?.standardName
                return [
                    Styled(variant.name, .cyan) + Styled(isDefault ? " (default)" : "", .dim),
                    Styled(harmlessLine(variant.value.explanation)),
                ]
            })
    }
}

/// What a file says of an endpoint and of its group, as written.
package struct EndpointSource {
    package let own: OrderedJSON
    /// The `defaults` of the group; nil without a group.
    package let defaults: OrderedJSON?

    package init(_ endpoint: LocatedEndpoint) {
        let file = endpoint.file
        self.init(
            endpoint, in: JSONDocument.read(file, syntax: file.name.hasSuffix(".jsonc") ? .commented : .strict).root)
    }

    /// - Parameter root: The outermost object of the endpoint's file.
    package init(_ endpoint: LocatedEndpoint, in root: JSONValue?) {
        guard let group = endpoint.group else {
            own = root.map { OrderedJSON($0) } ?? .null
            defaults = nil
            return
        }
        let name = String(endpoint.id.dropFirst(group.count + 1))
        own = root?["endpoints"]?[name].map { OrderedJSON($0) } ?? .null
        defaults = root?["defaults"].map { OrderedJSON($0) }
    }
}

extension OrderedJSON {
    /// The members of an object; empty for other values.
    fileprivate var members: [Member] { objectMembers ?? [] }

    fileprivate subscript(_ name: String) -> OrderedJSON? { members.first { $0.name == name }?.value }
}

extension Named<Parameter> {
    /// The param's name, its type and what it means.
    package var row: [Styled] { [Styled(name, .cyan), Styled(value.typeName), Styled(value.explanation)] }
}

extension Body.Source {
    fileprivate var shown: String {
        switch self {
        case .value(let value): value.shown
        case .file(let path): "the file \(path.source)"
        }
    }
}

extension ValueTemplate {
    /// The template on one line, for a person to read.
    fileprivate var shown: String {
        guard case .choice(let choice) = self else { return source.plainText }
        let cases = choice.cases.map { "\($0.name) → \($0.value.shown)" }
        let otherwise = choice.otherwise.map { ["otherwise → \($0.shown)"] } ?? []
        return "by \(choice.subject.source): " + (cases + otherwise).joined(separator: ", ")
    }
}
