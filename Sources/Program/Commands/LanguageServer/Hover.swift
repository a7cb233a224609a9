import Exporting
import Rendering
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText

/// The explanation of what is at a place: a key of the format, or a name.
struct Hover {
    private let document: AskedDocument
    private let offset: Int

    init(_ document: AskedDocument, at offset: Int) {
        self.document = document
        self.offset = offset
    }

    var answer: OrderedJSON {
        if let occurrence = document.occurrence(at: offset), let text = text(of: occurrence.symbol) {
            return hover(text, document.positions.json(occurrence.place.range))
        }
        guard let location = document.json.location(at: offset), !location.token.isEmpty else { return .null }
        let text = [field(location), parts].compactMap(\.self).joined(separator: "\n\n")
        return text.isEmpty ? .null : hover(text, document.positions.json(location.token))
    }

    /// The key of the format.
    private func field(_ location: JSONLocation) -> String? {
        guard let kind = document.kind, location.role == .key, let key = key(location) else { return nil }
        let place = SchemaPlace(kind, at: location.path + [.key(key)], isGroup: document.isGroup)
        guard let field = place.field else { return nil }
        let need = field.isRequired ? " Required." : ""
        return "\(code(field.name)): \(field.expects)\n\n\(field.summary)\(need)"
    }

    /// The parts of the request that this line gives, replaces or is replaced in, as `explain` shows them.
    private var parts: String? {
        guard document.kind == .endpoint, let endpoint = document.endpoint(at: offset),
            let all = try? document.workspace.requests(in: document.context)?.explanation(of: endpoint)
        else { return nil }
        let line = SourceFile(name: document.name, bytes: document.bytes).position(of: offset).line
        let explanation = all.parts(ofLine: line, in: document.name)
        if explanation.rows.isEmpty { return nil }
        return block(ExplanationTable(explanation, width: 100).text.map(\.plain).joined(separator: "\n"))
    }

    private func key(_ location: JSONLocation) -> String? {
        let text = String(decoding: document.bytes[location.token], as: UTF8.self)
        guard text.hasPrefix("\"") else { return text }
        if case .string(let key)? = OrderedJSON(parsing: text) { return key }
        return nil
    }

    private func hover(_ text: String, _ range: OrderedJSON) -> OrderedJSON {
        .object([
            "contents": .object([
                "kind": document.client.showsMarkdown ? "markdown" : "plaintext", "value": .string(text),
            ]), "range": range,
        ])
    }

    /// A text as code where the client shows Markdown.
    private func code(_ text: String) -> String { document.client.showsMarkdown ? "`\(text)`" : text }

    private func block(_ text: String) -> String { document.client.showsMarkdown ? "```text\n\(text)\n```" : text }

    private func text(of symbol: Symbol) -> String? {
        let reading = document.workspace.reading
        switch symbol {
        case .endpoint(let id):
            guard let endpoint = reading.endpoint(id) else { return nil }
            return block(EndpointPage(endpoint: endpoint, width: 80).lines.map(\.plain).joined(separator: "\n"))
        case .environment(let name):
            guard let environment = reading.environments.first(where: { $0.name == name }) else { return nil }
            return "environment \(code(name))" + (environment.summary.map { ": \(harmlessLine($0))" } ?? "")
        case .parameter(let name, let owner):
            guard let parameter = parameter(name, owner, reading) else { return nil }
            return "param \(code(name)): \(parameter.typeName)\n\n\(parameter.explanation)"
        case .variable(let name):
            let rows = reading.environments.compactMap { environment -> String? in
                guard let variable = environment.variables.first(where: { $0.name == name }) else { return nil }
                let place = variable.value.place
                let written = place.file.text(place.range)
                let isSecret = LikelySecret.isSecret(name, written) || LikelySecret.isIn(written)
                let text = isSecret ? "<not shown>" : harmlessLine(written)
                return
                    "\(environment.name)  \(text.count > 200 ? String(text.prefix(200)) + "…" : text)  \(place.description)"
            }
            return rows.isEmpty ? nil : "variable \(code(name))\n\n" + block(rows.joined(separator: "\n"))
        case .secret(let name):
            let rows = reading.environments.compactMap { environment -> String? in
                guard let secret = environment.secrets.first(where: { $0.name == name }),
                    let source = secret.value.set
                else { return nil }
                return "\(environment.name)  \(source.whereabouts)  \(secret.namePlace.description)"
            }
            return rows.isEmpty
                ? nil
                : "secret \(code(name)), which is read when a request is made\n\n" + block(rows.joined(separator: "\n"))
        case .capture(let name, let owner):
            let definition = document.workspace.occurrences.first { $0.symbol == symbol && $0.isDefinition }
            return "capture \(code(name)) of \(owner)" + (definition.map { "\n\n\($0.place.description)" } ?? "")
        case .alias(let name, _), .step(let name, _):
            let definition = document.workspace.occurrences.first { $0.symbol == symbol && $0.isDefinition }
            guard let place = definition?.place else { return nil }
            return "\(code(name)), defined in \(place.description)"
        case .variant(let name, let id):
            guard let variant = reading.endpoint(id)?.definition.stubs?.variants.first(where: { $0.name == name })
            else { return nil }
            return "variant \(code(name)) of \(id): \(variant.value.explanation)"
        case .file(let path): return "file \(code(path))"
        }
    }

    private func parameter(_ name: String, _ owner: String, _ reading: WorkspaceReading) -> Parameter? {
        if let endpoint = reading.endpoint(owner) { return endpoint.parameters.first { $0.name == name }?.value }
        if let scenario = reading.allScenarios.first(where: { $0.id == owner }) {
            return scenario.definition.parameters.first { $0.name == name }?.value
        }
        return reading.allEndpoints.lazy.filter { $0.group.map(Symbol.owner(ofGroup:)) == owner }
            .compactMap { $0.parameters.first { $0.name == name }?.value }.first
    }
}

extension SecretSource {
    /// Where the secret is, without reading it.
    fileprivate var whereabouts: String {
        switch self {
        case .processVariable(let name): "environment variable \(harmlessLine(name.value))"
        case .command(let words, _, _): "output of \(harmlessLine(words.first?.value ?? ""))"
        case .file(let path): "file \(harmlessLine(path.value))"
        }
    }
}
