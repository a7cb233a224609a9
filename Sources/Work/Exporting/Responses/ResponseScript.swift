import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// A tool whose scripts check a response in JavaScript. Arguments are expressions: all strings from the workspace's files become
/// string literals.
struct ScriptDialect: Sendable {
    let status: String
    let body: String
    let json: String
    let header: @Sendable (_ name: String) -> String
    let cookie: @Sendable (_ name: String) -> String
    /// The expression that reads a variable, and the statement that sets it.
    let read: @Sendable (_ variable: String) -> String
    let keep: @Sendable (_ variable: String, _ value: String) -> String
    /// The lines of a test.
    let test: @Sendable (_ name: String, _ assertion: String) -> [String]
    let assertStatuses: @Sendable ([ClosedRange<Int>]) -> String
    let assertTime: @Sendable (_ milliseconds: Int) -> String
    let assert: @Sendable (ResponseCheck, _ subject: String, _ operand: String) -> String
}

extension TemplateWriter {
    /// The lines of a script that checks a response and keeps parts of it; empty if the request has no expectations and captures.
    mutating func script(for request: OpenRequest, _ dialect: ScriptDialect) -> [String] {
        let plan = ResponsePlan(request, requests, &notes)
        func test(_ name: String, _ assertion: String) -> [String] {
            dialect.test(ScriptText.javaScript(name), assertion)
        }
        var lines: [String] = []
        if !plan.statuses.isEmpty {
            let text = plan.statuses.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound / 100)xx" }
            lines += test("status is \(text.joined(separator: " or "))", dialect.assertStatuses(plan.statuses))
        }
        if let time = plan.maximumTime {
            lines += test("response takes at most \(time) ms", dialect.assertTime(time))
        }
        for check in plan.checks {
            let subject =
                switch check.subject {
                case .header(let name): dialect.header(ScriptText.javaScript(name))
                case .body: dialect.body
                case .json(_, let steps): dialect.json + Self.access(steps)
                }
            let assertion = dialect.assert(check, subject, expression(check.operand, request, dialect.read))
            lines += test(check.title, assertion)
        }
        for (name, source) in plan.captures {
            let value =
                switch source {
                case .json(_, let steps): dialect.json + Self.access(steps)
                case .header(let name, let pattern): Self.match(dialect.header(ScriptText.javaScript(name)), pattern)
                case .cookie(let name): dialect.cookie(ScriptText.javaScript(name))
                case .body: dialect.body
                case .status, .url: dialect.status
                }
            lines.append(dialect.keep(ScriptText.javaScript(names.capture(name, of: request)), value))
        }
        return lines
    }

    /// The steps of a path, to be written after a value: `["items"][0]`.
    private static func access(_ steps: [MemberPath.Step]) -> String {
        steps.map { step in
            switch step {
            case .member(let name): "[\(ScriptText.javaScript(name))]"
            case .index(let index): "[\(index)]"
            case .everyItem: ""
            }
        }.joined()
    }

    /// The first match of a pattern in the value of an expression.
    private static func match(_ expression: String, _ pattern: String?) -> String {
        pattern.map { "(\(expression).match(new RegExp(\(ScriptText.javaScript($0)), \"u\")) || [])[0]" } ?? expression
    }

    /// A value as an expression. The expression reads open values from variables.
    ///
    /// - Parameter read: Makes the expression that reads a variable. The argument is the variable's name as a string literal.
    private mutating func expression(
        _ value: OrderedJSON, _ request: OpenRequest, _ read: (String) -> String
    ) -> String {
        switch value {
        case .null, .bool, .number: return value.compact
        case .string(let text):
            if let open = StandIn.onlyValue(of: text), !request.isText(open) {
                return "JSON.parse(\(read(ScriptText.javaScript(names.name(of: open, in: request)))))"
            }
            let parts = StandIn.pieces(of: text).map { piece in
                switch piece {
                case .literal(let text): return ScriptText.javaScript(text)
                case .open(let open): return read(ScriptText.javaScript(names.name(of: open, in: request)))
                }
            }
            return parts.isEmpty ? "\"\"" : parts.joined(separator: " + ")
        case .array(let elements):
            return "[" + elements.map { expression($0, request, read) }.joined(separator: ", ") + "]"
        case .object(let members):
            let all = members.map { "\(ScriptText.javaScriptKey($0.name)): \(expression($0.value, request, read))" }
            return "{" + all.joined(separator: ", ") + "}"
        }
    }
}

extension [ClosedRange<Int>] {
    /// The condition that the status is an expected status: `code === 404 || (code >= 200 && code <= 299)`.
    func condition(on subject: String) -> String {
        map { range in
            range.count == 1
                ? "\(subject) === \(range.lowerBound)"
                : "(\(subject) >= \(range.lowerBound) && \(subject) <= \(range.upperBound))"
        }.joined(separator: " || ")
    }
}
