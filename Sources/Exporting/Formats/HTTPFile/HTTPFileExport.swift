import Definitions
import SourceText

/// A `.http` file, which VS Code's REST Client and JetBrains' HTTP Client read, with the files of their environments.
package enum HTTPFileExport: ExportFormat {
    package static let name = "http"
    package static let summary = "a .http file for VS Code and JetBrains, with their environments"

    package static func write(_ source: ExportSource, _ notes: inout [ExportNote]) -> [ExportedFile] {
        var writer = HTTPFileWriter(source)
        let text = writer.text()
        notes += writer.notes
        let carried: Set<Feature> =
            source.options.flavour == .jetbrains ? [.captures, .headers, .body, .json, .types] : [.captures]
        notes += source.lostFeatures(except: carried.union([.needs]))
        return [ExportedFile("requests.http", text)] + writer.environments()
    }

    static func dialect(_ flavour: ExportOptions.Flavour) -> TemplateDialect {
        TemplateDialect(
            generated: { generated in
                switch (generated, flavour) {
                case (.uuid, .jetbrains): "$uuid"
                case (.uuid, _): "$guid"
                case (.timestamp, _): "$timestamp"
                case (.isoTimestamp, .jetbrains): "$isoTimestamp"
                case (.isoTimestamp, _): "$datetime iso8601"
                case (.randomInt, .jetbrains): "$random.integer(0, 999999999)"
                case (.randomInt, _): "$randomInt 0 999999999"
                }
            }, literal: { text, _ in text })
    }
}

private struct HTTPFileWriter {
    private let source: ExportSource
    private let flavour: ExportOptions.Flavour
    private var writer: TemplateWriter
    private var ownNotes: [ExportNote] = []
    private var sent: Set<String> = []

    init(_ source: ExportSource) {
        self.source = source
        flavour = source.options.flavour
        writer = TemplateWriter(source, HTTPFileExport.dialect(flavour))
    }

    var notes: [ExportNote] { writer.notes + ownNotes }

    mutating func text() -> String {
        var entries: [String] = []
        for request in writer.requests() { add(request, &entries) }
        var head = ["# \(ScriptText.comment(source.title))"]
        for variable in writer.names.parameters {
            let text = variable.sample?.plainText ?? ""
            let isOneLine = ScriptText.comment(text) == text
            head.append("@\(variable.name) = \(isOneLine ? text : "")")
            if !isOneLine || variable.sample == nil {
                ownNotes.append(
                    ExportNote(
                        .toDo, "a variable of the .http file needs a value", variable.name, at: variable.place))
            }
        }
        return head.joined(separator: "\n") + "\n" + entries.map { "\n" + $0 }.joined()
    }

    func environments() -> [ExportedFile] {
        var plain: [OrderedJSON.Member] = []
        var secret: [OrderedJSON.Member] = []
        var merged: [OrderedJSON.Member] = []
        for (chain, variables) in writer.environments {
            let known = variables.compactMap { name, value in
                value.map { OrderedJSON.Member(name, .string($0)) }
            }
            let unknown = variables.filter { $0.value == nil }.map { OrderedJSON.Member($0.name, "") }
            plain.append(.init(chain.name, .object(known)))
            if !unknown.isEmpty { secret.append(.init(chain.name, .object(unknown))) }
            merged.append(.init(chain.name, .object(known + unknown)))
        }
        var files: [ExportedFile] = []
        if flavour != .vscode {
            files.append(ExportedFile("http-client.env.json", OrderedJSON.object(plain).pretty + "\n"))
            if !secret.isEmpty {
                files.append(ExportedFile("http-client.private.env.json", OrderedJSON.object(secret).pretty + "\n"))
            }
        }
        if flavour != .jetbrains {
            let settings = OrderedJSON.object(["rest-client.environmentVariables": .object(merged)])
            files.append(ExportedFile(".vscode/settings.json", settings.pretty + "\n"))
        }
        return files
    }

    private mutating func add(_ request: OpenRequest, _ entries: inout [String]) {
        guard sent.insert(request.key).inserted else { return }
        for need in request.needs { add(need.request, &entries) }
        entries.append(entry(request))
    }

    private mutating func entry(_ request: OpenRequest) -> String {
        let call = writer.call(request)
        let name = VariableNames.word(request.endpoint.id).replacing("-", with: "_")
        var lines = ["### \(ScriptText.comment(request.endpoint.id))", "# @name \(name)"]
        if let summary = request.summary { lines.append("# \(ScriptText.comment(summary))") }
        for need in request.needs {
            ownNotes.append(
                ExportNote(
                    .approximated, "a .http file doesn't send what a request needs: send that request first",
                    "\(request.endpoint.id) needs \(need.request.endpoint.id)", at: need.place))
        }
        lines.append("\(call.method) \(url(call))")
        for header in call.headers { lines.append("\(header.name): \(header.value)") }
        switch call.credentials {
        case .none: break
        case .bearer(let token): lines.append("Authorization: Bearer \(token)")
        case .basic(let user, let password): lines.append("Authorization: Basic \(user) \(password)")
        case .digest(let user, let password): lines.append("Authorization: Digest \(user) \(password)")
        case .key(false, let name, let value): lines.append("\(name): \(value)")
        case .key(true, _, _): break
        }
        if case .multipart = call.body {
            lines.append("Content-Type: multipart/form-data; boundary=\(Self.boundary)")
        }
        let body = body(call, request)
        if !body.isEmpty { lines += [""] + body }
        lines += handler(request)
        lines += captures(request, name)
        return lines.joined(separator: "\n") + "\n"
    }

    private func url(_ call: TemplateCall) -> String {
        guard case .key(true, let name, let value) = call.credentials else { return call.url }
        return call.url + (call.url.contains("?") ? "&" : "?") + "\(name)=\(value)"
    }

    // MARK: Bodies

    private static let boundary = "reqcli-boundary"

    private mutating func body(_ call: TemplateCall, _ request: OpenRequest) -> [String] {
        switch call.body {
        case .none: return []
        case .json(let text), .graphQL(_, _, let text): return [text]
        case .text(let text):
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            guard !lines.contains(where: { $0.hasPrefix("###") || $0.hasPrefix("<") || $0.hasPrefix(">") }) else {
                return lost("a body whose lines a .http file reads as its own", request)
            }
            return [text]
        case .form(let fields):
            return [
                fields.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
            ]
        case .multipart(let parts):
            let isPlain = parts.allSatisfy { part in
                !(part.value ?? "").split(whereSeparator: \.isNewline).contains { line in
                    line.hasPrefix("--") || line.hasPrefix("###") || line.hasPrefix("<") || line.hasPrefix(">")
                }
            }
            guard isPlain else { return lost("a body whose lines a .http file reads as its own", request) }
            return parts.flatMap { part in
                var head = "Content-Disposition: form-data; name=\"\(quoted(part.name))\""
                if let name = part.fileName { head += "; filename=\"\(quoted(name))\"" }
                let type = part.contentType.map { ["Content-Type: \($0)"] } ?? []
                return ["--\(Self.boundary)", head] + type + ["", part.file.map { "< \($0)" } ?? part.value ?? ""]
            } + ["--\(Self.boundary)--"]
        case .file(let path): return ["< \(ScriptText.comment(path))"]
        case .bytes: return lost("a body that is no text", request)
        }
    }

    private mutating func lost(_ what: String, _ request: OpenRequest) -> [String] {
        ownNotes.append(
            ExportNote(.lost, "\(what) is not carried over", request.endpoint.id, at: request.endpoint.definition.place)
        )
        return []
    }

    private func quoted(_ text: String) -> String {
        text.replacing("\"", with: "%22").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    /// A form field's text, percent-encoded but for its placeholders.
    private func encoded(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
            result += HTTPFormText.encoded(rest[..<start.lowerBound]) + rest[start.lowerBound..<end.upperBound]
            rest = rest[end.upperBound...]
        }
        return result + HTTPFormText.encoded(rest)
    }

    // MARK: Responses

    /// The response handler of JetBrains; nothing for VS Code, which would send it.
    private mutating func handler(_ request: OpenRequest) -> [String] {
        guard flavour == .jetbrains else { return [] }
        var script = JetBrainsScript(request)
        var notes: [ExportNote] = []
        let conditions = writer.maker.conditions(
            of: request, JetBrainsScript.operations, takesEveryItem: false, &notes)
        if let expectation = request.expectation { script.add(expectation) }
        for condition in conditions { script.add(condition, &writer.names) }
        for capture in request.endpoint.definition.captures {
            script.add(capture, writer.names.capture(capture.name, of: request), &notes)
        }
        ownNotes += notes
        return script.lines.isEmpty ? [] : ["", "> {%"] + script.lines.map { "    " + $0 } + ["%}"]
    }

    /// Variables that read the response by the request's name, as VS Code has them.
    private mutating func captures(_ request: OpenRequest, _ name: String) -> [String] {
        guard flavour != .jetbrains else { return [] }
        if request.expectation != nil {
            ownNotes.append(
                ExportNote(
                    .lost, "VS Code checks no response", request.endpoint.id, at: request.expectation?.place))
        }
        var lines: [String] = []
        for capture in request.endpoint.definition.captures {
            let variable = writer.names.capture(capture.name, of: request)
            switch capture.value.source {
            case .json(let path) where !path.value.contains("}") && ScriptText.comment(path.value) == path.value:
                lines.append("@\(variable) = {{\(name).response.body.\(path.value)}}")
            case .header(let header) where capture.value.match == nil:
                lines.append("@\(variable) = {{\(name).response.headers.\(header.value)}}")
            case .body: lines.append("@\(variable) = {{\(name).response.body.*}}")
            default:
                ownNotes.append(
                    ExportNote(
                        .lost, "such captures are not carried over", "\(capture.name) of \(request.endpoint.id)",
                        at: capture.namePlace))
            }
        }
        // Behind a separator, so that the lines are no part of the body.
        return lines.isEmpty ? [] : ["", "###"] + lines
    }
}
