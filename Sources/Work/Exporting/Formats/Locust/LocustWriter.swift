import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// Writes the part of a load test that depends on the workspace.
struct LocustWriter {
    private let source: ExportSource
    let maker: RequestMaker
    private let base: String
    private var requests: [(request: OpenRequest, method: String)] = []
    private var methodOfKey: [String: String] = [:]
    var notes: [ConversionNote] = []

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
        var taken = UniqueNames(separator: "_")
        for request in tasks {
            let weight = source.options.weights[request.endpoint.id] ?? 1
            if weight > 0 { body += task(request, weight: weight, &taken) }
        }
        let secrets = source.secretVariables
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
    private var host: String { LoadRequest.origin(of: base) }

    // MARK: Methods

    /// Makes a method for a request that another request needs. Requests that this request itself needs get their methods first.
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

    private mutating func task(_ request: OpenRequest, weight: Int, _ taken: inout UniqueNames) -> String {
        let name = taken.take("task_\(identifier(request.endpoint.id))")
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
                ConversionNote(
                    .lost, "digest credentials are not converted", request.endpoint.id,
                    at: request.endpoint.definition.place))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: Requests

    /// The path and the query as an expression. If the server isn't the environment's server, the expression begins with the
    /// server.
    private func url(_ request: OpenRequest) -> String {
        let load = LoadRequest(request)
        return expression((load.origin == host ? "" : load.origin) + load.target, request) { "in_url(\($0))" }
    }

    private mutating func headers(_ request: OpenRequest) -> [(String, String)] {
        // Locust's client can't decode zstd.
        LoadRequest(request).headers(codings: "deflate, gzip, br", &notes).map { name, value in
            guard let account = LoadRequest.account(inHeader: name, value) else {
                return (name, expression(value, request) { "text(\($0))" })
            }
            let user = expression(account.user, request) { "text(\($0))" }
            let password = expression(account.password, request) { "text(\($0))" }
            return (name, "basic(\(user), \(password))")
        }
    }

    private mutating func body(_ request: OpenRequest) -> String {
        switch LoadRequest(request).body(source, &notes) {
        case .none: "None"
        case .bytes(let bytes): ScriptText.python(bytes)
        case .json(let text): "(\(json(text, request))).encode()"
        case .form(let text): "(\(expression(text, request) { "in_url(\($0))" })).encode()"
        case .text(let text): "(\(expression(text, request) { "text(\($0))" })).encode()"
        }
    }

    private func json(_ text: String, _ request: OpenRequest) -> String {
        LoadRequest.jsonParts(of: text).map { part in
            switch part {
            case .literal(let text): return ScriptText.python(text)
            case .whole(let value), .inside(let value):
                let value = self.value(value, request)
                if part.isNumber { return value }
                return part.isWhole ? "json_text(\(value))" : "in_json(\(value))"
            }
        }.joined(separator: " + ")
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
