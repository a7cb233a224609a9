import Definitions
import SourceText

/// The test script of one request. All texts of the files are string literals in it.
struct PostmanScript {
    private let request: OpenRequest
    private(set) var lines: [String] = []

    init(_ request: OpenRequest) {
        self.request = request
    }

    static let operations: Set<Matcher.Operation> = [
        .equals, .type, .matches, .contains, .startsWith, .endsWith, .length, .exists, .in, .empty, .less, .lessOrEqual,
        .greater, .greaterOrEqual,
    ]

    mutating func add(_ expectation: Expectation) {
        if let status = expectation.status?.value {
            if status.count == 1, status[0].range.count == 1 {
                test("status is \(status[0].text)", "pm.response.to.have.status(\(status[0].range.lowerBound))")
            } else {
                let checks = status.map { pattern in
                    "(code >= \(pattern.range.lowerBound) && code <= \(pattern.range.upperBound))"
                }
                test(
                    "status is \(status.map(\.text).joined(separator: " or "))",
                    "const code = pm.response.code; pm.expect(\(checks.joined(separator: " || "))).to.be.true")
            }
        }
        if let time = expectation.maxTime?.value {
            let milliseconds = Int(time / .milliseconds(1))
            test(
                "response takes at most \(milliseconds) ms",
                "pm.expect(pm.response.responseTime).to.be.at.most(\(milliseconds))")
        }
    }

    mutating func add(_ condition: OpenCondition, _ names: inout VariableNames) {
        let subject: String
        let title: String
        switch condition.subject {
        case .header(let name):
            subject = "pm.response.headers.get(\(ScriptText.javaScript(name)))"
            title = "header \(name)"
        case .body:
            subject = "pm.response.text()"
            title = "body"
        case .json(let path, let steps):
            subject = "pm.response.json()" + ScriptAccess.text(steps)
            title = path
        }
        let value = ScriptAccess.script(condition.operand, request, &names) { "pm.variables.get(\($0))" }
        let not = condition.isNegated ? ".to.not" : ".to"
        let name = "\(title) \(condition.isNegated ? "not " : "")\(condition.operation.rawValue)"
        test(name, "pm.expect(\(subject))" + Self.assertion(condition, subject, value, not))
    }

    /// The rest of the assertion behind `pm.expect(subject)`.
    private static func assertion(
        _ condition: OpenCondition, _ subject: String, _ value: String, _ not: String
    ) -> String {
        switch condition.operation {
        case .equals: return "\(not).eql(\(value))"
        case .type:
            if condition.operand == "integer" { return "\(not).satisfy(Number.isInteger)" }
            return "\(not).be.a(\(value))"
        case .matches: return "\(not).match(new RegExp(\(value), \"u\"))"
        case .contains: return "\(not).include(\(value))"
        case .startsWith: return "\(not).satisfy((text) => String(text).startsWith(\(value)))"
        case .endsWith: return "\(not).satisfy((text) => String(text).endsWith(\(value)))"
        case .exists: return (condition.operand == true) != condition.isNegated ? ".to.exist" : ".to.not.exist"
        case .empty: return (condition.operand == true) != condition.isNegated ? ".to.be.empty" : ".to.not.be.empty"
        case .in: return "\(not).be.oneOf(\(value))"
        case .less: return "\(not).be.below(\(value))"
        case .lessOrEqual: return "\(not).be.at.most(\(value))"
        case .greater: return "\(not).be.above(\(value))"
        case .greaterOrEqual: return "\(not).be.at.least(\(value))"
        case .length:
            let size = "(Array.isArray(v) || typeof v === \"string\" ? [...v] : Object.keys(v)).length"
            let checks: [String]
            if case .object(let members) = condition.operand {
                checks = members.map { "(\(size)) \($0.name) \($0.value.compact)" }
            } else {
                checks = ["(\(size)) === \(value)"]
            }
            return "\(not).satisfy((v) => \(checks.joined(separator: " && ")))"
        case .includes, .schema: return "\(not).eql(\(value))"
        }
    }

    mutating func add(_ capture: Named<Capture>, _ variable: String, _ notes: inout [ExportNote]) {
        var value: String
        switch capture.value.source {
        case .json(let path):
            guard let steps = MemberPath(path.value)?.steps, !steps.contains(.everyItem) else {
                notes.append(
                    ExportNote(
                        .lost, "captures with such a JSONPath are not carried over",
                        "\(path.value) of \(request.endpoint.id)", at: path.place))
                return
            }
            value = "pm.response.json()" + ScriptAccess.text(steps)
        case .header(let name):
            value = "pm.response.headers.get(\(ScriptText.javaScript(name.value)))"
            if let match = capture.value.match {
                value = "(\(value).match(new RegExp(\(ScriptText.javaScript(match.value)), \"u\")) || [])[0]"
            }
        case .cookie(let name): value = "pm.cookies.get(\(ScriptText.javaScript(name.value)))"
        case .body: value = "pm.response.text()"
        case .status: value = "pm.response.code"
        case .url, nil:
            notes.append(
                ExportNote(
                    .lost, "captures of the URL are not carried over", request.endpoint.id, at: capture.namePlace))
            return
        }
        lines.append("pm.collectionVariables.set(\(ScriptText.javaScript(variable)), \(value));")
    }

    private mutating func test(_ name: String, _ body: String) {
        lines.append("pm.test(\(ScriptText.javaScript(name)), () => {")
        lines.append("    \(body);")
        lines.append("});")
    }
}
