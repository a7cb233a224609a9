import Assembly
import Definitions
import Foundation
import RequestBuilding
import SourceText

/// Writes the part of a load test that a workspace makes.
struct LocustWriter {
    private let source: ExportSource
    let maker: RequestMaker
    private let base: String
    private var requests: [(request: OpenRequest, method: String)] = []
    private var methodOfKey: [String: String] = [:]
    var notes: [ExportNote] = []

    init(_ source: ExportSource) {
        self.source = source
        maker = RequestMaker(source, .filled)
        base = maker.base()?.url ?? ""
    }

    mutating func text() -> String {
        var tasks: [OpenRequest] = []
        for endpoint in source.endpoints {
            do { tasks.append(try maker.request(endpoint)) } catch { notes.append(.unmade(endpoint, error)) }
        }
        for request in tasks { for need in request.needs { collect(need.request) } }
        var body = ""
        for (request, method) in requests { body += need(request, method) }
        var taken: Set<String> = []
        for request in tasks {
            let weight = source.options.weights[request.endpoint.id] ?? 1
            if weight > 0 { body += task(request, weight: weight, &taken) }
        }
        let secrets = secretVariables
        return head(secrets.map(\.variable)) + LocustRuntime.imports + LocustRuntime.functions + "\n"
            + "# --- The endpoints ---\n\n"
            + "class WorkspaceUser(EndpointUser):\n"
            + "    host = \(ScriptText.python(host))\n"
            + "    secrets_from = {\(secrets.map { "\(ScriptText.python($0.name)): \(ScriptText.python($0.variable))" }.joined(separator: ", "))}\n"
            + "\n    def log_in(self):\n"
            + (requests.isEmpty ? "        pass\n" : requests.map { "        self.\($0.method)()\n" }.joined())
            + body
    }

    private func head(_ variables: [String]) -> String {
        let environment = ScriptText.comment(source.environment.name)
        let exports =
            variables.isEmpty
            ? "" : "#\n# Set these variables wherever users run: \(variables.joined(separator: ", "))\n"
        return """
            # A load test of \(ScriptText.comment(source.title)) in the environment \(environment).
            #
            #   pip install locust
            #   locust -f locustfile.py --headless -u 10 -t 1m
            #
            # On several machines, one master and any number of workers, which get this file from the master:
            #
            #   locust -f locustfile.py --master --headless --expect-workers 2 -u 100 -t 5m
            #   locust -f - --worker --master-host HOST
            \(exports)
            """ + "\n"
    }

    /// The server of the environment: scheme, host and port.
    private var host: String {
        let mark = base.firstRange(of: "://")?.upperBound ?? base.startIndex
        let end = base[mark...].firstIndex(of: "/") ?? base.endIndex
        return String(base[..<end])
    }

    // MARK: Secrets

    /// Where users of the load test read secrets from.
    private var secretVariables: [(name: String, variable: String)] {
        source.environment.secrets.map { secret in
            if case .processVariable(let variable)? = secret.value.value.value { return (secret.name, variable.value) }
            return (secret.name, VariableNames.word(secret.name).replacing("-", with: "_").uppercased())
        }
    }

    // MARK: Methods

    /// Gives each needed request a method, those that it needs itself first.
    private mutating func collect(_ request: OpenRequest) {
        guard methodOfKey[request.key] == nil else { return }
        methodOfKey[request.key] = ""
        for need in request.needs { collect(need.request) }
        let method = "need_\(requests.count + 1)_\(identifier(request.endpoint.id))"
        methodOfKey[request.key] = method
        requests.append((request, method))
    }

    private func identifier(_ text: String) -> String { VariableNames.word(text).replacing("-", with: "_") }

    private mutating func need(_ request: OpenRequest, _ method: String) -> String {
        "\n    def \(method)(self):\n" + call(request, isNeed: true)
    }

    private mutating func task(_ request: OpenRequest, weight: Int, _ taken: inout Set<String>) -> String {
        let stem = "task_\(identifier(request.endpoint.id))"
        var name = stem
        var number = 2
        while !taken.insert(name).inserted {
            name = "\(stem)_\(number)"
            number += 1
        }
        let tags = request.endpoint.tags
        let tag = tags.isEmpty ? "" : "    @tag(\(tags.map { ScriptText.python($0) }.joined(separator: ", ")))\n"
        return "\n\(tag)    @task(\(weight))\n    def \(name)(self):\n" + call(request, isNeed: false)
    }

    private mutating func call(_ request: OpenRequest, isNeed: Bool) -> String {
        let needs = request.needs.compactMap { need -> (key: String, method: String, statuses: [Int])? in
            methodOfKey[need.request.key].map { (need.request.key, $0, need.refreshOn) }
        }
        func pair(_ need: (key: String, method: String, statuses: [Int])) -> String {
            "(\(ScriptText.python(need.key)), self.\(need.method))"
        }
        let refresh = needs.filter { !$0.statuses.isEmpty }.map { need in
            "((\(need.statuses.map(String.init).joined(separator: ", ")),), \(pair(need)))"
        }
        var lines = [
            "        def make():",
            "            return (",
            "                \(ScriptText.python(request.method)),",
            "                \(url(request)),",
            "                {",
        ]
        for (name, value) in headers(request) {
            lines.append("                    \(ScriptText.python(name)): \(value),")
        }
        lines += [
            "                },", "                \(body(request)),",
            "                \(request.request.transfer.redirects.isFollowing ? "True" : "False"),", "            )",
            "",
        ]
        lines.append("        def expect(self):")
        lines.append("            return {")
        lines += expectations(request).map { "                \($0)," }
        lines.append("            }")
        lines.append("")
        var arguments = [ScriptText.python(request.endpoint.id), "make", "expect"]
        if isNeed {
            arguments.append("capture={\(captures(request).joined(separator: ", "))}")
            arguments.append("key=\(ScriptText.python(request.key))")
        }
        if !needs.isEmpty { arguments.append("needs=[\(needs.map(pair).joined(separator: ", "))]") }
        if !refresh.isEmpty { arguments.append("refresh=[\(refresh.joined(separator: ", "))]") }
        lines.append("        self.perform(\n            \(arguments.joined(separator: ",\n            ")))")
        if request.request.transfer.challengeAccount != nil {
            notes.append(
                ExportNote(
                    .lost, "digest credentials are not carried over", request.endpoint.id,
                    at: request.endpoint.definition.place))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: Requests

    /// The target as an expression, with the server in front where it isn't the environment's.
    private func url(_ request: OpenRequest) -> String {
        let message = WireMessage(
            request.request, defaults: WireDefaults(userAgent: nil, accept: nil), fileSize: { _ in 0 })
        let url = request.url
        let mark = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        let end = url[mark...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        let origin = String(url[..<end])
        let text = origin == host ? message.target : origin + message.target
        return expression(text, request) { "in_url(\($0))" }
    }

    private mutating func headers(_ request: OpenRequest) -> [(String, String)] {
        let message = WireMessage(
            request.request, defaults: WireDefaults(userAgent: nil, accept: nil), fileSize: { _ in 0 })
        let own = Set(request.headers.map { $0.name.lowercased() })
        var headers: [(name: String, values: [String])] = []
        for field in message.headers {
            let key = field.name.lowercased()
            // Locust's client sets both from the URL and the body, as reqcli does.
            if ["host", "content-length"].contains(key), !own.contains(key) { continue }
            // Locust's client can't decode zstd.
            let value = key == "accept-encoding" && !own.contains(key) ? "deflate, gzip, br" : field.value
            if let index = headers.firstIndex(where: { $0.name.lowercased() == key }) {
                headers[index].values.append(value)
                notes.append(
                    ExportNote(
                        .approximated, "a header that repeats is sent once, with its values separated by commas",
                        "\(field.name) of \(request.endpoint.id)", at: request.endpoint.definition.place))
            } else {
                headers.append((field.name, [value]))
            }
        }
        return headers.map { ($0.name, header($0.name, $0.values.joined(separator: ", "), request)) }
    }

    private func header(_ name: String, _ value: String, _ request: OpenRequest) -> String {
        if name.lowercased() == "authorization", value.hasPrefix("Basic "),
            let bytes = Data(base64Encoded: String(value.dropFirst(6))).flatMap({
                String(validating: $0, as: UTF8.self)
            }), let colon = bytes.firstIndex(of: ":"),
            StandIn.pieces(of: bytes).contains(where: { $0.value != nil })
        {
            let user = expression(String(bytes[..<colon]), request) { "text(\($0))" }
            let password = expression(String(bytes[bytes.index(after: colon)...]), request) { "text(\($0))" }
            return "basic(\(user), \(password))"
        }
        return expression(value, request) { "text(\($0))" }
    }

    /// Files up to this size become a part of the load test, since workers have no others.
    private static let largestFile = 1 << 20

    private mutating func body(_ request: OpenRequest) -> String {
        var bytes: [UInt8] = []
        for piece in request.request.body?.pieces ?? [] {
            switch piece {
            case .data(let data): bytes += data
            case .file(let path):
                guard let data = try? source.workspace.files.read(path, Self.largestFile) else {
                    notes.append(
                        ExportNote(
                            .lost, "a body's file is missing, or larger than 1 MiB: the body is left out",
                            "\(request.endpoint.id), \(path)", at: request.endpoint.definition.place))
                    return "None"
                }
                bytes += data
            }
        }
        if request.request.body == nil { return "None" }
        guard let text = String(validating: bytes, as: UTF8.self),
            StandIn.pieces(of: text).contains(where: { $0.value != nil })
        else { return ScriptText.python(bytes) }
        let type = request.contentType ?? ""
        if request.bodyJSON != nil { return "(\(json(text, request))).encode()" }
        let isForm = type.hasPrefix("application/x-www-form-urlencoded")
        return "(\(expression(text, request) { isForm ? "in_url(\($0))" : "text(\($0))" })).encode()"
    }

    /// JSON in which a string that is nothing but an open value is that value as JSON, whatever its type.
    private func json(_ text: String, _ request: OpenRequest) -> String {
        let pieces = StandIn.pieces(of: text)
        var parts: [String] = []
        var literal = ""
        var skipsQuote = false
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .literal(let text):
                literal += skipsQuote ? String(text.dropFirst()) : text
                skipsQuote = false
            case .open(let value):
                var next = ""
                if index + 1 < pieces.count, case .literal(let text) = pieces[index + 1] { next = text }
                let isWhole = literal.hasSuffix("\"") && !literal.hasSuffix("\\\"") && next.hasPrefix("\"")
                if isWhole { literal.removeLast() }
                if !literal.isEmpty { parts.append(ScriptText.python(literal)) }
                literal = ""
                skipsQuote = isWhole
                if case .generated(let generated) = value, generated != .uuid, generated != .isoTimestamp {
                    parts.append(self.value(value, request))
                } else {
                    parts.append(
                        isWhole ? "json_text(\(self.value(value, request)))" : "in_json(\(self.value(value, request)))")
                }
            }
        }
        if !literal.isEmpty { parts.append(ScriptText.python(literal)) }
        return parts.joined(separator: " + ")
    }

    func expression(_ text: String, _ request: OpenRequest, _ wrap: (String) -> String) -> String {
        let parts = StandIn.pieces(of: text).map { piece in
            switch piece {
            case .literal(let text): ScriptText.python(text)
            case .open(let value): wrap(self.value(value, request))
            }
        }
        return parts.isEmpty ? "''" : parts.joined(separator: " + ")
    }
}
