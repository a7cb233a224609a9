import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// Writes the requests of a .http file, and its environments.
struct HTTPFileWriter {
    private let source: ExportSource
    private let flavor: HTTPFileFlavor
    private var writer: TemplateWriter

    init(_ requests: ExportedRequests) {
        source = requests.source
        flavor = source.options[HTTPFileFlavor.self]
        writer = TemplateWriter(requests, .httpFile(flavor))
    }

    var notes: [ConversionNote] { writer.allNotes }

    mutating func text() -> String {
        let entries = writer.entries.map { "\n" + entry($0.request, id: $0.id) }
        var head = ["# \(ScriptText.comment(source.title))", "# \(ScriptText.mark)"]
        head += writer.names.parameters.map { "@\($0.name) =" + ($0.sample.map { " " + $0 } ?? "") }
        return head.joined(separator: "\n") + "\n" + entries.joined()
    }

    func environments() -> [ExportedFile] {
        var plain: [OrderedJSON.Member] = []
        var secret: [OrderedJSON.Member] = []
        var merged: [OrderedJSON.Member] = []
        for (chain, variables) in writer.sheets.all {
            let known = variables.compactMap { name, value in
                value.map { OrderedJSON.Member(name, .string($0)) }
            }
            let unknown = variables.filter { $0.value == nil }.map { OrderedJSON.Member($0.name, "") }
            plain.append(.init(chain.name, .object(known)))
            if !unknown.isEmpty { secret.append(.init(chain.name, .object(unknown))) }
            merged.append(.init(chain.name, .object(known + unknown)))
        }
        var files: [ExportedFile] = []
        if flavor != .vscode {
            files.append(ExportedFile("http-client.env.json", OrderedJSON.object(plain).pretty + "\n"))
            if !secret.isEmpty {
                files.append(ExportedFile("http-client.private.env.json", OrderedJSON.object(secret).pretty + "\n"))
            }
        }
        if flavor != .jetbrains {
            let settings = OrderedJSON.object(["rest-client.environmentVariables": .object(merged)])
            files.append(ExportedFile(".vscode/settings.json", settings.pretty + "\n"))
        }
        return files
    }

    private mutating func entry(_ request: OpenRequest, id: String) -> String {
        let call = writer.call(request)
        let name = VariableNames.word(id).replacing("-", with: "_")
        var lines = ["### \(id)", "# @name \(name)"]
        if let summary = request.commentSummary { lines.append("# \(summary)") }
        writer.noteNeeds(of: request)
        lines.append("\(call.method) \(call.url)")
        for header in call.headers { lines.append("\(header.name): \(header.value)") }
        switch call.credentials {
        case .none: break
        case .bearer(let token): lines.append("Authorization: Bearer \(token)")
        case .basic(let user, let password): lines.append("Authorization: Basic \(user) \(password)")
        case .digest(let user, let password): lines.append("Authorization: Digest \(user) \(password)")
        case .key(false, let name, let value): lines.append("\(name): \(value)")
        case .key(true, _, _), .aws, .oauth2: break
        }
        if let type = call.contentType { lines.append("\(type.name): \(type.value)") }
        if case .multipart = call.body {
            lines.append("Content-Type: multipart/form-data; boundary=\(Self.boundary)")
        }
        let body = body(call, request)
        if !body.isEmpty { lines += [""] + body }
        lines += handler(request)
        lines += captures(request, name)
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: Bodies

    private static let boundary = "reqcli-boundary"
    /// The byte of a carriage return. Clients of .http files treat this byte as part of the line end, so a body must not contain
    /// it.
    private static let carriageReturn = UInt8(ascii: "\r")

    private mutating func body(_ call: TemplateCall, _ request: OpenRequest) -> [String] {
        switch call.body {
        case .none: return []
        case .json(let text), .graphQL(_, _, let text): return [text]
        case .text(let text):
            guard !text.utf8.contains(Self.carriageReturn) else { return lost("a body with carriage returns", request) }
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            guard !lines.contains(where: Self.isOwn) else {
                return lost("a body with lines that are syntax in a .http file", request)
            }
            return [text]
        case .form(let fields):
            return [
                fields.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
            ]
        case .multipart(let parts):
            guard !parts.contains(where: { $0.text?.utf8.contains(Self.carriageReturn) == true }) else {
                return lost("a part with carriage returns", request)
            }
            let isPlain = parts.allSatisfy { part in
                !(part.text ?? "").split(whereSeparator: \.isNewline).contains { line in
                    line.hasPrefix("--") || Self.isOwn(line)
                }
            }
            guard isPlain else {
                return lost("a body with lines that are syntax in a .http file", request)
            }
            var lines: [String] = []
            for part in parts {
                let fileName = part.fileName.map { "; filename=\"\(MultipartBody.Part.escaped($0))\"" } ?? ""
                lines.append("--\(Self.boundary)")
                lines.append(
                    "Content-Disposition: form-data; name=\"\(MultipartBody.Part.escaped(part.name))\"\(fileName)")
                if let type = part.contentType { lines.append("Content-Type: \(type)") }
                lines.append("")
                lines.append(part.file.map { "< \($0)" } ?? part.text ?? "")
            }
            return lines + ["--\(Self.boundary)--"]
        case .file(let path): return ["< \(ScriptText.comment(path))"]
        case .bytes: return lost("a body that is not text", request)
        }
    }

    /// Whether a .http file gives a line of a body another meaning, such as a separator or a script.
    private static func isOwn(_ line: Substring) -> Bool {
        ["###", "< ", "<@", "<>", "> ", ">>", ">{"].contains { line.hasPrefix($0) }
    }

    private mutating func lost(_ what: String, _ request: OpenRequest) -> [String] {
        writer.notes.append(request.note(.lost, "\(what) is not converted"))
        return []
    }

    /// The name or the value of a form field, percent-encoded except for its placeholders.
    private func encoded(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
            result += PercentEncoding.queryComponent(String(rest[..<start.lowerBound]))
            result += rest[start.lowerBound..<end.upperBound]
            rest = rest[end.upperBound...]
        }
        return result + PercentEncoding.queryComponent(String(rest))
    }

    // MARK: Responses

    /// The response handler for JetBrains. VS Code gets no handler, since VS Code would send the handler as part of the body.
    private mutating func handler(_ request: OpenRequest) -> [String] {
        guard flavor == .jetbrains else { return [] }
        let lines = writer.script(for: request, .jetBrains)
        return lines.isEmpty ? [] : ["", "> {%"] + lines.map { "    " + $0 } + ["%}"]
    }

    /// Variables for VS Code that read parts of the response by the request's name.
    private mutating func captures(_ request: OpenRequest, _ name: String) -> [String] {
        guard flavor != .jetbrains else { return [] }
        if request.expectation != nil {
            writer.notes.append(
                request.note(.lost, "VS Code does not check responses", at: request.expectation?.place))
        }
        let lines = ResponsePlan(request, writer.requests, &writer.notes).captures.map { capture, source in
            let part =
                switch source {
                case .json(let path, _): "body.\(path)"
                case .header(let name, _): "headers.\(name)"
                case .body, .cookie, .status, .url: "body.*"
                }
            return "@\(writer.names.capture(capture, of: request)) = {{\(name).response.\(part)}}"
        }
        // A separator is written before the lines, so that they don't become part of the body.
        return lines.isEmpty ? [] : ["", "###"] + lines
    }
}
