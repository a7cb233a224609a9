import Definitions
import RequestBuilding
import SourceText

/// A Hurl file with a file of variables for each environment.
package enum HurlExport: ExportFormat {
    package static let name = "hurl"
    package static let summary = "a Hurl file, and a file of variables for each environment"

    package static func write(_ source: ExportSource, _ notes: inout [ExportNote]) -> [ExportedFile] {
        var writer = HurlWriter(source)
        let text = writer.text()
        notes += writer.notes
        notes += source.lostFeatures(
            except: [.needs, .captures, .headers, .maxTime, .body, .json, .types, .retry, .timeout, .redirects])
        return [ExportedFile("requests.hurl", text)] + writer.environments()
    }

    static let dialect = TemplateDialect(
        generated: { generated in
            switch generated {
            case .uuid: "newUuid"
            case .isoTimestamp: "newDate"
            case .timestamp, .randomInt: nil
            }
        },
        literal: { text, place in
            switch place {
            case .json: text
            case .url: HurlText.escaped(text, "#")
            case .header, .text: HurlText.escaped(text, "#`\"")
            }
        })
}

/// Texts as Hurl reads them.
enum HurlText {
    /// A text for a line, with these characters and all that a line can't hold escaped.
    static func escaped(_ text: String, _ special: String) -> String {
        var result = ""
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            let isEdge = index == 0 || index == scalars.count - 1
            let opens = scalar == "{" && index + 1 < scalars.count && scalars[index + 1] == "{"
            let closes = scalar == "{" && index > 0 && scalars[index - 1] == "{"
            switch scalar {
            case "\\": result += "\\\\"
            case _ where opens || closes: result += "\\u{7b}"
            case " " where isEdge: result += "\\u{20}"
            case "\"": result += special.contains("\"") ? "\\u{22}" : "\""
            case "`": result += special.contains("`") ? "\\u{60}" : "`"
            case "#": result += "\\u{23}"
            case _
            where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                || [0x2028, 0x2029, 0xFEFF].contains(scalar.value):
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A text in quotes.
    static func quoted(_ text: String) -> String { "\"\(escaped(text, "\""))\"" }

    /// The path of a file in `file,…;`.
    static func path(_ text: String) -> String {
        String(
            text.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
                " ;\\#\n\r\t".unicodeScalars.contains(scalar) ? ["\\", scalar] : [scalar]
            }.map(Character.init))
    }
}

private struct HurlWriter {
    private let source: ExportSource
    private var writer: TemplateWriter
    private var ownNotes: [ExportNote] = []
    private var sent: Set<String> = []
    private var openValues: Set<String> = []

    init(_ source: ExportSource) {
        self.source = source
        writer = TemplateWriter(source, HurlExport.dialect)
    }

    var notes: [ExportNote] { writer.notes + ownNotes }

    mutating func text() -> String {
        let requests = writer.requests()
        var entries: [String] = []
        for request in requests { add(request, &entries) }
        let first = source.environments.first?.name ?? "NAME"
        let head = [
            "# \(ScriptText.comment(source.title))",
            "# hurl --variables-file \(first).env requests.hurl",
            "# Secrets: hurl --secret NAME=VALUE …, or HURL_VARIABLE_NAME in the environment.",
        ]
        return (head + [""]).joined(separator: "\n") + entries.map { "\n" + $0 }.joined()
    }

    func environments() -> [ExportedFile] {
        writer.environments.map { chain, variables in
            var lines: [String] = []
            let parameters = writer.names.parameters.map { ($0.name, $0.sample?.plainText) }
            for (name, value) in variables + parameters {
                if let value, !value.unicodeScalars.contains(where: { $0.value < 0x20 }) {
                    lines.append("\(name)=\(value)")
                } else {
                    lines.append("# \(name): give it with --secret or --variable")
                }
            }
            return ExportedFile("\(chain.name).env", lines.joined(separator: "\n") + "\n")
        }
    }

    /// Adds the entries that a request needs, each once, and its own.
    private mutating func add(_ request: OpenRequest, _ entries: inout [String]) {
        guard sent.insert(request.key).inserted else { return }
        for need in request.needs { add(need.request, &entries) }
        entries.append(entry(request))
    }

    private mutating func entry(_ request: OpenRequest) -> String {
        let call = writer.call(request)
        var lines = ["# \(ScriptText.comment(request.endpoint.id))"]
        if let summary = request.summary { lines.append("# \(ScriptText.comment(summary))") }
        lines.append("\(call.method) \(call.url)")
        for header in call.headers { lines.append(field(header.name, header.value)) }
        switch call.credentials {
        case .none: break
        case .bearer(let token): lines.append("Authorization: Bearer \(token)")
        case .key(false, let name, let value): lines.append(field(HurlText.escaped(name, ":"), value))
        case .key(true, let name, let value):
            lines += ["[QueryStringParams]", field(HurlText.escaped(name, ":"), value)]
        case .basic(let user, let password): lines += ["[BasicAuth]", "\(user): \(password)"]
        case .digest(let user, let password):
            lines += ["[Options]", "digest: true", "user: \(user):\(password)"]
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
        if transfer.retry.times > 0 { options.append("retry: \(transfer.retry.times)") }
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
            return ["[MultipartFormData]"]
                + parts.map { part in
                    let type = part.contentType.map { " " + $0 } ?? ""
                    let file = part.file.map { "file,\(HurlText.path($0));\(type)" }
                    return field(part.name, file ?? part.value ?? "")
                }
        case .file(let path): return ["file,\(HurlText.path(path));"]
        case .bytes(let bytes): return ["hex,\(bytes.map { hex($0) }.joined());"]
        }
    }

    private func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }

    // MARK: Responses

    private static let operations: Set<Matcher.Operation> = [
        .equals, .type, .matches, .contains, .startsWith, .endsWith, .length, .exists, .empty, .less, .lessOrEqual,
        .greater, .greaterOrEqual,
    ]

    private mutating func response(_ request: OpenRequest) -> [String] {
        var captures: [String] = []
        for capture in request.endpoint.definition.captures {
            guard let query = query(capture.value) else {
                ownNotes.append(
                    ExportNote(
                        .lost, "such captures are not carried over", "\(capture.name) of \(request.endpoint.id)",
                        at: capture.namePlace))
                continue
            }
            captures.append("\(writer.names.capture(capture.name, of: request)): \(query)")
        }
        var asserts: [String] = []
        var status = "HTTP *"
        let patterns = request.expectation?.status?.value ?? []
        if patterns.count == 1, patterns[0].range.count == 1 {
            status = "HTTP \(patterns[0].range.lowerBound)"
        } else if patterns.count == 1 {
            asserts.append("status >= \(patterns[0].range.lowerBound)")
            asserts.append("status <= \(patterns[0].range.upperBound)")
        } else if !patterns.isEmpty {
            let words = patterns.map { $0.range.count == 1 ? $0.text : "\($0.text.prefix(1))[0-9][0-9]" }
            asserts.append("status toString matches \"^(\(words.joined(separator: "|")))$\"")
        }
        if let time = request.expectation?.maxTime?.value {
            asserts.append("duration <= \(Int(time / .milliseconds(1)))")
        }
        var notes: [ExportNote] = []
        let conditions = writer.maker.conditions(of: request, Self.operations, takesEveryItem: false, &notes)
        for condition in conditions {
            if let lines = self.asserts(condition, request) {
                asserts += lines
            } else {
                notes.append(
                    ExportNote(
                        .lost, "conditions with \"\(condition.operation.rawValue)\" are not carried over",
                        request.endpoint.id, at: condition.place))
            }
        }
        ownNotes += notes
        guard !captures.isEmpty || !asserts.isEmpty || status != "HTTP *" else { return [] }
        return [status] + (captures.isEmpty ? [] : ["[Captures]"] + captures)
            + (asserts.isEmpty ? [] : ["[Asserts]"] + asserts)
    }

    private func query(_ capture: Capture) -> String? {
        switch capture.source {
        case .json(let path): "jsonpath \(HurlText.quoted(path.value))"
        case .header(let name):
            "header \(HurlText.quoted(name.value))"
                + (capture.match.map { " regex \(HurlText.quoted("(\($0.value))"))" } ?? "")
        case .cookie(let name): "cookie \(HurlText.quoted(name.value))"
        case .body: "body"
        case .status: "status"
        case .url: "url"
        case nil: nil
        }
    }

    private mutating func asserts(_ condition: OpenCondition, _ request: OpenRequest) -> [String]? {
        let subject =
            switch condition.subject {
            case .header(let name): "header \(HurlText.quoted(name))"
            case .body: "body"
            case .json(let path, _): "jsonpath \(HurlText.quoted(path))"
            }
        let not = condition.isNegated ? " not" : ""
        switch condition.operation {
        case .equals: return value(condition.operand, request).map { ["\(subject)\(not) == \($0)"] }
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            return value(condition.operand, request).map {
                ["\(subject)\(not) \(condition.operation.rawValue) \($0)"]
            }
        case .contains, .startsWith, .endsWith, .matches:
            return value(condition.operand, request).map {
                ["\(subject)\(not) \(condition.operation.rawValue) \($0)"]
            }
        case .exists:
            let isThere = (condition.operand == true) != condition.isNegated
            return ["\(subject)\(isThere ? "" : " not") exists"]
        case .empty:
            let isEmpty = (condition.operand == true) != condition.isNegated
            return ["\(subject)\(isEmpty ? "" : " not") isEmpty"]
        case .type:
            let words = [
                "string": "isString", "integer": "isInteger", "number": "isNumber", "boolean": "isBoolean",
                "array": "isList", "object": "isObject", "null": "== null",
            ]
            return words[condition.operand.plainText].map { ["\(subject)\(not) \($0)"] }
        case .length:
            guard case .object(let members) = condition.operand else {
                return ["\(subject) count\(not) == \(condition.operand.compact)"]
            }
            return condition.isNegated && members.count > 1
                ? nil : members.map { "\(subject) count\(not) \($0.name) \($0.value.compact)" }
        case .in, .includes, .schema: return nil
        }
    }

    /// A scalar as the operand of a predicate.
    private mutating func value(_ value: OrderedJSON, _ request: OpenRequest) -> String? {
        switch value {
        case .null, .bool: return value.compact
        case .number(let text): return StandIn.onlyValue(of: text) == nil ? text : nil
        case .string(let text):
            if let open = StandIn.onlyValue(of: text), !request.isText(open) {
                return writer.placeholder(open, .text, request)
            }
            return "\"\(writer.text(text, .text, request))\""
        case .array, .object: return nil
        }
    }
}
