import Foundation
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// Writes the part of a k6 script that depends on the workspace: a function for each endpoint and for each request that an
/// endpoint needs.
struct K6Writer {
    private let source: ExportSource
    private let maker: RequestMaker
    private var functionOfKey: [String: String] = [:]
    private var needs: [(request: OpenRequest, function: String)] = []
    private var taken = UniqueNames(separator: "_")
    var notes: [ConversionNote] = []

    init(_ source: ExportSource) {
        self.source = source
        maker = RequestMaker(source, .filled)
    }

    mutating func text() -> String {
        var requests: [OpenRequest] = []
        for endpoint in source.endpoints {
            do { requests.append(try maker.request(endpoint)) } catch { notes.append(.unmade(endpoint, error)) }
        }
        for request in requests { for need in request.needs { collect(need.request) } }
        var functions = ""
        for (request, function) in needs { functions += self.function(function, request, isNeed: true) }
        var weights: [String] = []
        for request in requests {
            let weight = source.options.weights[request.endpoint.id] ?? 1
            if weight == 0 { continue }
            let name = taken.take(Self.identifier(request.endpoint.id))
            functions += function(name, request, isNeed: false)
            weights.append("  [\(weight), \(name)],\n")
        }
        let secrets = source.secretVariables.map { name, variable in
            "  [\(ScriptText.javaScript(name))]: \(ScriptText.javaScript(variable)),\n"
        }.joined()
        return head + K6Runtime.imports + K6Runtime.options
            + "// The environment variables that hold the secrets.\nconst secretVariables = {\n\(secrets)};\n\n"
            + K6Runtime.functions + "\n// --- The endpoints ---\n" + functions
            + "\n// Each iteration calls one of the endpoints: the numbers say how often.\nconst endpoints = [\n\(weights.joined())];\n"
            + K6Runtime.iteration
    }

    private var head: String {
        let variables = source.secretVariables.map(\.variable)
        let flags = variables.map { " -e \($0)=…" }.joined()
        return """
            // A load test of \(ScriptText.comment(source.title)) in the environment \(ScriptText.comment(source.environment.name)).
            //
            //   k6 run --vus 10 --duration 1m\(ScriptText.comment(flags)) loadtest.js
            //
            // In two parts, on two machines:
            //
            //   k6 run --execution-segment 0:1/2 --execution-segment-sequence 0,1/2,1 loadtest.js
            //   k6 run --execution-segment 1/2:1 --execution-segment-sequence 0,1/2,1 loadtest.js

            """
    }

    // MARK: Functions

    /// Makes a function for a request that another request needs. Requests that this request itself needs get their functions
    /// first.
    private mutating func collect(_ request: OpenRequest) {
        guard functionOfKey[request.key] == nil else { return }
        functionOfKey[request.key] = ""
        for need in request.needs { collect(need.request) }
        let name = taken.take("need_" + Self.identifier(request.endpoint.id))
        functionOfKey[request.key] = name
        needs.append((request, name))
    }

    private static func identifier(_ id: String) -> String {
        "call_" + VariableNames.word(id).replacing("-", with: "_")
    }

    private mutating func function(_ name: String, _ request: OpenRequest, isNeed: Bool) -> String {
        let needed = request.needs.compactMap { need in
            functionOfKey[need.request.key].map { (key: need.request.key, function: $0, statuses: need.refreshOn) }
        }
        let redirects = request.request.transfer.redirects
        var lines = [
            "perform(\(ScriptText.javaScript(request.endpoint.id)), {",
            "  needs: [\(needed.map { "[\(ScriptText.javaScript($0.key)), \($0.function), [\($0.statuses.map(String.init).joined(separator: ", "))]]" }.joined(separator: ", "))],",
            "  make: () => ({", "    method: \(ScriptText.javaScript(request.method)),", "    url: \(url(request)),",
            "    headers: {",
        ]
        lines += headers(request).map { "      [\(ScriptText.javaScript($0))]: \($1)," }
        lines += [
            "    },", "    body: \(body(request)),", "    redirects: \(redirects.isFollowing ? redirects.maximum : 0),",
            "  }),",
        ]
        let statuses = request.statuses.isEmpty ? [100...399] : request.statuses
        lines.append(
            "  statuses: [\(statuses.map { "[\($0.lowerBound), \($0.upperBound)]" }.joined(separator: ", "))],")
        lines.append("  checks: () => [")
        lines += checks(request).map { "    \($0)," }
        lines.append("  ],")
        if isNeed {
            lines.append("  key: \(ScriptText.javaScript(request.key)),")
            lines.append("  captures: {")
            lines += captures(request).map { "    \($0)," }
            lines.append("  },")
        }
        lines.append("});")
        if request.request.transfer.challengeAccount != nil {
            notes.append(
                ConversionNote(
                    .lost, "digest credentials are not converted", request.endpoint.id,
                    at: request.endpoint.definition.place))
        }
        return "\nfunction \(name)() {\n" + lines.map { "  \($0)\n" }.joined() + "}\n"
    }

    // MARK: Requests

    private func url(_ request: OpenRequest) -> String {
        let load = LoadRequest(request)
        return expression(load.origin + load.target, request) { "inURL(\($0))" }
    }

    private mutating func headers(_ request: OpenRequest) -> [(String, String)] {
        LoadRequest(request).headers(&notes).map { name, value in
            guard let account = LoadRequest.account(inHeader: name, value) else {
                return (name, expression(value, request) { "text(\($0))" })
            }
            let parts = [account.user, account.password].map { expression($0, request) { "text(\($0))" } }
            return (name, "basic(\(parts.joined(separator: ", ")))")
        }
    }

    private mutating func body(_ request: OpenRequest) -> String {
        switch LoadRequest(request).body(source, &notes) {
        case .none: "null"
        case .bytes(let bytes):
            String(validating: bytes, as: UTF8.self).map { ScriptText.javaScript($0) }
                ?? "encoding.b64decode(\"\(Data(bytes).base64EncodedString())\")"
        case .json(let text): json(text, request)
        case .form(let text): expression(text, request) { "inURL(\($0))" }
        case .text(let text): expression(text, request) { "text(\($0))" }
        }
    }

    private func json(_ text: String, _ request: OpenRequest) -> String {
        LoadRequest.jsonParts(of: text).map { part in
            switch part {
            case .literal(let text): return ScriptText.javaScript(text)
            case .whole(let value), .inside(let value):
                let value = self.value(value, request)
                if part.isNumber { return value }
                return part.isWhole ? "JSON.stringify(\(value))" : "inJSON(\(value))"
            }
        }.joined(separator: " + ")
    }

    private func expression(_ text: String, _ request: OpenRequest, _ wrap: (String) -> String) -> String {
        let parts = StandIn.pieces(of: text).map { piece in
            switch piece {
            case .literal(let text): ScriptText.javaScript(text)
            case .open(let value): wrap(self.value(value, request))
            }
        }
        return parts.isEmpty ? "\"\"" : parts.joined(separator: " + ")
    }

    /// An expression for an open value.
    private func value(_ value: OpenValue, _ request: OpenRequest) -> String {
        switch value {
        case .secret(let name): "secret(\(ScriptText.javaScript(name)))"
        case .capture(let alias, let name):
            request.needs.first { $0.alias == alias }.map {
                "captured[\(ScriptText.javaScript($0.request.key))][\(ScriptText.javaScript(name))]"
            } ?? "\"\""
        case .processVariable(let name): "variable(\(ScriptText.javaScript(name)))"
        // A secret param is read from a process variable, like a secret.
        case .parameter(let name), .variable(let name):
            "(__ENV[\(ScriptText.javaScript(VariableNames.word(name).uppercased()))] || \"\")"
        case .generated(.uuid): "uuid()"
        case .generated(.timestamp): "String(Math.floor(Date.now() / 1000))"
        case .generated(.isoTimestamp): "new Date().toISOString().slice(0, 19) + \"Z\""
        case .generated(.randomInt): "String(Math.floor(Math.random() * 1000000000))"
        }
    }

    // MARK: Responses

    private static let operations: Set<Matcher.Operation> = [
        .equals, .type, .matches, .contains, .startsWith, .endsWith, .length, .exists, .in, .empty, .less, .lessOrEqual,
        .greater, .greaterOrEqual,
    ]

    /// The checks of a response. Each check has a name, a part of the response, an operator with its operand, and a flag for
    /// negation.
    private mutating func checks(_ request: OpenRequest) -> [String] {
        var checks: [String] = []
        if let time = request.expectation?.maxTime?.value {
            let milliseconds = Int(time / .milliseconds(1))
            checks.append("[\"takes at most \(milliseconds) ms\", [\"time\"], \"<=\", \(milliseconds), false]")
        }
        for condition in maker.conditions(of: request, Self.operations, takesEveryItem: true, &notes) {
            let (title, subject): (String, String) =
                switch condition.subject {
                case .header(let name): ("header \(name)", "[\"header\", \(ScriptText.javaScript(name))]")
                case .body: ("body", "[\"body\"]")
                case .json(let path, let steps): (path, "[\"json\", \(Self.list(steps))]")
                }
            let name = "\(title) \(condition.isNegated ? "not " : "")\(condition.operation.rawValue)"
            checks.append(
                "[\(ScriptText.javaScript(name)), \(subject), \(ScriptText.javaScript(condition.operation.rawValue)), "
                    + "\(script(condition.operand, request)), \(condition.isNegated)]")
        }
        return checks
    }

    private func script(_ value: OrderedJSON, _ request: OpenRequest) -> String {
        switch value {
        case .null, .bool, .number: value.compact
        case .string(let text):
            StandIn.onlyValue(of: text).map { self.value($0, request) }
                ?? expression(text, request) { "text(\($0))" }
        case .array(let elements): "[" + elements.map { script($0, request) }.joined(separator: ", ") + "]"
        case .object(let members):
            // Names are in brackets, since a plain `__proto__` would set the prototype.
            "{"
                + members.map { "[\(ScriptText.javaScript($0.name))]: \(script($0.value, request))" }
                .joined(separator: ", ") + "}"
        }
    }

    /// The steps of a path as a list; null means each item of a list.
    private static func list(_ steps: [MemberPath.Step]) -> String {
        let texts = steps.map { step in
            switch step {
            case .member(let name): ScriptText.javaScript(name)
            case .index(let index): String(index)
            case .everyItem: "null"
            }
        }
        return "[" + texts.joined(separator: ", ") + "]"
    }

    private mutating func captures(_ request: OpenRequest) -> [String] {
        LoadRequest(request).captures(&notes).map { name, source in
            let parts =
                switch source {
                case .json(let steps): "\"json\", \(Self.list(steps))"
                case .header(let name, let pattern):
                    ["header", name, pattern].compactMap(\.self).map { ScriptText.javaScript($0) }
                        .joined(separator: ", ")
                case .cookie(let name): "\"cookie\", \(ScriptText.javaScript(name))"
                case .body: "\"body\""
                case .status: "\"status\""
                }
            return "[\(ScriptText.javaScript(name))]: [\(parts)]"
        }
    }
}
