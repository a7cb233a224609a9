import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// Values, expectations and captures as expressions of Python.
extension LocustWriter {
    /// An expression for an open value.
    func value(_ value: OpenValue, _ request: OpenRequest) -> String {
        switch value {
        case .secret(let name): "self.secrets[\(ScriptText.python(name))]"
        case .capture(let alias, let name):
            request.needs.first { $0.alias == alias }.map {
                "self.captures[\(ScriptText.python($0.request.key))][\(ScriptText.python(name))]"
            } ?? "''"
        case .processVariable(let name): "os.environ[\(ScriptText.python(name))]"
        // A secret param is read from a process variable, like a secret.
        case .parameter(let name), .variable(let name):
            "os.environ.get(\(ScriptText.python(VariableNames.word(name).uppercased())), '')"
        case .generated(.uuid): "str(uuid.uuid4())"
        case .generated(.timestamp): "str(int(time.time()))"
        case .generated(.isoTimestamp): "iso_timestamp()"
        case .generated(.randomInt): "str(random.randint(0, 999999999))"
        }
    }

    private static let operations: Set<Matcher.Operation> = [
        .equals, .type, .matches, .contains, .startsWith, .endsWith, .length, .exists, .in, .empty, .less, .lessOrEqual,
        .greater, .greaterOrEqual,
    ]

    mutating func expectations(_ request: OpenRequest) -> [String] {
        var lines: [String] = []
        if !request.statuses.isEmpty {
            let ranges = request.statuses.map { "(\($0.lowerBound), \($0.upperBound))" }
            lines.append("'status': [\(ranges.joined(separator: ", "))]")
        }
        if let time = request.expectation?.maxTime?.value {
            lines.append("'max_time': \(time / .seconds(1))")
        }
        var headers: [String] = []
        var body: [String] = []
        var json: [String] = []
        let conditions = maker.conditions(of: request, Self.operations, takesEveryItem: true, &notes)
        for condition in conditions {
            let rest =
                "\(ScriptText.python(condition.operation.rawValue)), "
                + "\(python(condition.operand, request)), \(condition.isNegated ? "True" : "False")"
            switch condition.subject {
            case .header(let name): headers.append("(\(ScriptText.python(name)), \(rest))")
            case .body: body.append("(\(rest))")
            case .json(let path, let steps):
                json.append("(\(ScriptText.python(path)), \(Self.list(steps)), \(rest))")
            }
        }
        for (key, items) in [("headers", headers), ("body", body), ("json", json)] where !items.isEmpty {
            lines.append("'\(key)': [\(items.joined(separator: ", "))]")
        }
        return lines
    }

    func python(_ value: OrderedJSON, _ request: OpenRequest) -> String {
        switch value {
        case .null: "None"
        case .bool(let value): value ? "True" : "False"
        case .number(let text): "json.loads(\(ScriptText.python(text)))"
        case .string(let text):
            StandIn.onlyValue(of: text).map { self.value($0, request) }
                ?? expression(text, request) { "text(\($0))" }
        case .array(let elements): "[" + elements.map { python($0, request) }.joined(separator: ", ") + "]"
        case .object(let members):
            "{"
                + members.map { "\(ScriptText.python($0.name)): \(python($0.value, request))" }
                .joined(separator: ", ") + "}"
        }
    }

    /// The steps of a path as a list of Python.
    private static func list(_ steps: [MemberPath.Step]) -> String {
        let texts = steps.map { step in
            switch step {
            case .member(let name): ScriptText.python(name)
            case .index(let index): String(index)
            case .everyItem: "None"
            }
        }
        return "[" + texts.joined(separator: ", ") + "]"
    }

    mutating func captures(_ request: OpenRequest) -> [String] {
        LoadRequest(request).captures(&notes).map { name, source in
            let parts =
                switch source {
                case .json(let steps): "'json', \(Self.list(steps)), None"
                case .header(let name, let pattern):
                    "'header', \(ScriptText.python(name)), \(pattern.map { ScriptText.python($0) } ?? "None")"
                case .cookie(let name): "'cookie', \(ScriptText.python(name)), None"
                case .body: "'body', None, None"
                case .status: "'status', None, None"
                }
            return "\(ScriptText.python(name)): (\(parts))"
        }
    }
}
