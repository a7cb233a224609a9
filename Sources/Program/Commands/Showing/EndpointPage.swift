import ReqcliDefinitions
import ReqcliText

/// An endpoint for a person to read: a heading, followed by a section for each part of its definition.
struct EndpointPage {
    let endpoint: LocatedEndpoint
    /// The width to which lines are wrapped; nil if there is no terminal.
    let width: Int?

    var lines: [Styled] {
        let sections = [
            params, query,
            fields("Headers", endpoint.definition.request.layer.headers),
            Self.body(endpoint.definition.request.body?.set),
            needs, captures, settings,
            members("From the group", of: endpoint.sourceOfDefaults, except: ["params", "needs", "tags"]),
            environments, expectations, checks, stubs, call,
        ]
        return heading
            + sections.filter { !$0.lines.isEmpty }.flatMap { section in
                ["", Styled(section.title, .bold)] + section.lines
            }
    }

    struct Section {
        let title: String
        let lines: [Styled]
    }

    /// A section with a title and rows. The last cell of each row is wrapped.
    func section(_ title: String, _ rows: [[Styled]]) -> Section {
        var columns = Columns()
        for row in rows { columns.add(row) }
        return Section(title: title, lines: columns.lines(indent: 2, width: width, overflow: .wrapped))
    }

    private var heading: [Styled] {
        let summary = endpoint.definition.summary.map { [Styled(harmlessLine($0))] } ?? []
        let tags =
            endpoint.tags.isEmpty ? "" : "  " + endpoint.tags.map { "tag:\(harmlessLine($0))" }.joined(separator: " ")
        return [Styled(endpoint.id, [.bold, .cyan])] + summary + [
            Styled("\(endpoint.method) \(harmlessLine(endpoint.path(in: nil)))"),
            Styled(endpoint.definition.place.lineText, .dim) + Styled(tags, .dim),
        ]
    }

    // MARK: Input of the endpoint

    private var params: Section {
        section(
            "Params",
            endpoint.parameters.map { parameter in
                [
                    Styled(parameter.name, .cyan), Styled(parameter.value.typeName),
                    Styled(parameter.value.explanation),
                ]
            })
    }

    private var needs: Section {
        section(
            "Needs",
            endpoint.needs.map { need in
                let with = need.value.parameters.map { "\($0.name)=\($0.value.source.plainText)" }
                let id = need.value.endpoint?.value ?? ""
                return [Styled(need.name, .cyan), Styled(harmlessLine(([id] + with).joined(separator: " ")))]
            })
    }

    // MARK: The request

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
        section(
            "Settings", rows(endpoint.source.members.filter { RequestLayer.settingKeys.contains($0.name) }))
    }

    private var environments: Section {
        guard let environments = endpoint.source.members.first(where: { $0.name == "environments" }) else {
            return Section(title: "", lines: [])
        }
        return members("In one environment only", of: environments.value)
    }

    private func members(_ title: String, of object: OrderedJSON?, except hidden: Set<String> = []) -> Section {
        section(title, rows((object?.members ?? []).filter { !hidden.contains($0.name) }))
    }

    private func rows(_ members: [OrderedJSON.Member]) -> [[Styled]] {
        members.map { [Styled(harmlessLine($0.name), .cyan), Styled(harmlessLine($0.value.plainText))] }
    }

    // MARK: The response

    private var captures: Section {
        let captures = endpoint.source.members.first { $0.name == "capture" }
        return members("Captures", of: captures?.value)
    }

    private var stubs: Section {
        section(
            "Stubs",
            (endpoint.definition.stubs?.variants ?? []).map { variant in
                let isDefault = variant.name == endpoint.defaultVariant
                return [
                    Styled(variant.name, .cyan) + Styled(isDefault ? " (default)" : "", .dim),
                    Styled(harmlessLine(variant.value.explanation)),
                ]
            })
    }

    private var call: Section {
        Section(title: "Try", lines: [Styled("  " + harmlessLine(ExampleCall(endpoint).line), .green)])
    }

    private var expectations: Section {
        section("Expects", (endpoint.definition.request.expectation?.set).map { $0.rows } ?? [])
    }

    private var checks: Section {
        section(
            "Checks",
            endpoint.definition.checks.flatMap { check -> [[Styled]] in
                let with = check.parameters.map { "\($0.name)=\($0.value.source.plainText)" }.joined(separator: " ")
                let title = [Styled(harmlessLine(check.name?.value ?? "")), Styled(harmlessLine(with), .dim)]
                return [title] + (check.expectation?.rows ?? []).map { [Styled("  ") + $0[0]] + $0.dropFirst() }
            })
    }
}

extension Place {
    /// `endpoints/user.json:12`, which editors and terminals know how to open.
    var lineText: String { "\(file.name):\(start.line)" }
}

extension EndpointPage {
    /// The request's body, under a title that names its kind.
    static func body(_ body: Body?) -> Section {
        guard let body else { return Section(title: "", lines: []) }
        switch body.content {
        case .json(let value): return block("Body (JSON)", value.source.pretty)
        case .text(let text): return block("Body (text)", text.source)
        case .file(let path): return block("Body (a file)", path.source)
        case .base64(let bytes): return block("Body (bytes)", "\(bytes.value.count) of them")
        case .form(let fields):
            return block(
                "Body (form)",
                fields.flatMap { field in
                    (field.value.set ?? []).map { "\(field.name)=\($0.shown)" }
                }.joined(separator: "\n"))
        case .multipart(let parts):
            return block(
                "Body (multipart)", parts.map { "\($0.name)=\($0.value.source?.shown ?? "")" }.joined(separator: "\n"))
        case .graphQL(let operation):
            let variables = operation.variables.map { "\n" + $0.source.pretty } ?? ""
            return block("Body (GraphQL)", (operation.document?.shown ?? "") + variables)
        }
    }

    private static func block(_ title: String, _ text: String) -> Section {
        let lines = TerminalText.harmless(text, keepingLines: true).split(separator: "\n")
        return Section(title: title, lines: lines.map { Styled("  " + TerminalText.expandingTabs($0)) })
    }
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
    var shown: String {
        guard case .choice(let choice) = self else { return source.plainText }
        let cases = choice.cases.map { "\($0.name) → \($0.value.shown)" }
        let otherwise = choice.otherwise.map { ["otherwise → \($0.shown)"] } ?? []
        return "by \(choice.subject.source): " + (cases + otherwise).joined(separator: ", ")
    }
}
