import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// Writes the entries of a Hurl file.
struct HurlWriter {
    private let source: ExportSource
    var writer: TemplateWriter

    init(_ requests: ExportedRequests) {
        source = requests.source
        writer = TemplateWriter(requests, .hurl)
    }

    var notes: [ConversionNote] { writer.allNotes }

    mutating func text() -> String {
        let entries = writer.entries.map { "\n" + entry($0.request, id: $0.id) }
        let first = source.environments.first?.name ?? "NAME"
        let head = [
            "# \(ScriptText.comment(source.title))",
            "# \(ScriptText.mark)",
            "# hurl --variables-file \(first).env requests.hurl",
            "# Secrets: hurl --secret NAME=VALUE …, or HURL_VARIABLE_NAME in the environment.",
        ]
        return (head + [""]).joined(separator: "\n") + entries.joined()
    }

    func environments() -> [ExportedFile] {
        writer.sheets.all.map { chain, variables in
            var lines = ["# \(ScriptText.mark)"]
            lines += variables.map { name, value in value.map { "\(name)=\($0)" } ?? "# Secret: \(name)" }
            if !writer.names.parameters.isEmpty { lines.append("# Params") }
            lines += writer.names.parameters.map { variable in
                variable.sample.map { "\(variable.name)=\($0)" } ?? "# Open: \(variable.name)"
            }
            return ExportedFile("\(chain.name).env", lines.joined(separator: "\n") + "\n")
        }
    }

    private mutating func entry(_ request: OpenRequest, id: String) -> String {
        let call = writer.call(request)
        var lines = ["# \(id)"]
        if let summary = request.commentSummary { lines.append("# \(summary)") }
        lines.append("\(call.method) \(call.url)")
        for header in call.headers { lines.append(field(header.name, header.value)) }
        switch call.credentials {
        case .bearer(let token): lines.append("Authorization: Bearer \(token)")
        case .key(false, let name, let value): lines.append(field(HurlText.escaped(name, ":"), value))
        case .none, .key, .basic, .digest, .aws, .oauth2: break
        }
        if let type = call.contentType { lines.append(field(type.name, type.value)) }
        switch call.credentials {
        case .basic(let user, let password): lines += ["[BasicAuth]", "\(user): \(password)"]
        case .digest(let user, let password): lines += ["[Options]", "digest: true", "user: \(user):\(password)"]
        case .aws(let signature, let inQuery):
            if inQuery {
                let message = "Hurl can't sign in the query, so it puts the signature into the header Authorization"
                writer.notes.append(request.note(.approximated, message))
            }
            if !signature.signsPayload {
                let message = "\"payload\": \"unsigned\" is not converted, so Hurl signs the body, too"
                writer.notes.append(request.note(.approximated, message))
            }
            if let token = signature.sessionToken { lines.append(field(AWSSignature.tokenHeader, token)) }
            lines += [
                "[Options]", "aws-sigv4: aws:amz:\(signature.region):\(signature.service)",
                "user: \(signature.accessKeyID):\(signature.secretAccessKey)",
            ]
        case .none, .key, .bearer, .oauth2: break
        }
        lines += options(request, isOpen: lines.contains("[Options]"))
        lines += body(call, request)
        lines += response(request)
        return lines.joined(separator: "\n") + "\n"
    }

    private func field(_ name: String, _ value: String) -> String {
        let key = name.replacing(":", with: "\\u{3a}")
        return value.isEmpty ? "\(key):" : "\(key): \(value)"
    }

    private func options(_ request: OpenRequest, isOpen: Bool) -> [String] {
        var options: [String] = []
        let transfer = request.request.transfer
        if transfer.redirects.isFollowing { options.append("location: true") }
        if let times = transfer.retry.times, times > 0 { options.append("retry: \(times)") }
        if let total = transfer.timeouts.total { options.append("max-time: \(Int(total / .milliseconds(1)))ms") }
        return options.isEmpty ? [] : (isOpen ? [] : ["[Options]"]) + options
    }

    private mutating func body(_ call: TemplateCall, _ request: OpenRequest) -> [String] {
        switch call.body {
        case .none: return []
        case .json(let text), .graphQL(_, _, let text): return [text]
        case .text(let text): return ["`\(text)`"]
        case .form(let fields): return ["[FormParams]"] + fields.map { field($0.name, $0.value) }
        case .multipart(let parts):
            writer.noteParts(of: request, typesOfTexts: false)
            return ["[MultipartFormData]"]
                + parts.map { part in
                    let type = part.contentType.map { " " + $0 } ?? ""
                    let file = part.file.map { "file,\(HurlText.path($0));\(type)" }
                    return field(part.name, file ?? HurlText.part(part.text ?? ""))
                }
        case .file(let path): return ["file,\(HurlText.path(path));"]
        case .bytes(let bytes): return ["hex,\(bytes.map { ScriptText.hex(UInt32($0), 2) }.joined());"]
        }
    }
}
