import ReqcliDefinitions
import ReqcliText

/// The test script of one request. All strings from the workspace's files become string literals in the script.
struct PostmanTestWriter: ResponseScriptWriting {
    private let request: OpenRequest
    private(set) var lines: [String] = []

    init(_ request: OpenRequest) {
        self.request = request
    }

    static let operations: Set<Matcher.Operation> = [
        .equals, .type, .matches, .contains, .startsWith, .endsWith, .length, .exists, .in, .empty, .less, .lessOrEqual,
        .greater, .greaterOrEqual,
    ]

    mutating func addWhole() {
        let statuses = request.statuses
        if statuses.count == 1, statuses[0].count == 1 {
            test("status is \(statuses[0].lowerBound)", "pm.response.to.have.status(\(statuses[0].lowerBound))")
        } else if !statuses.isEmpty {
            let checks = ScriptAccess.statusCheck("code", statuses)
            test(
                "status is \(ScriptAccess.statusText(statuses))",
                "pm.expect(pm.response.code).to.satisfy((code) => \(checks))")
        }
        if let time = request.expectation?.maxTime?.value {
            let milliseconds = Int(time / .milliseconds(1))
            test(
                "response takes at most \(milliseconds) ms",
                "pm.expect(pm.response.responseTime).to.be.at.most(\(milliseconds))")
        }
    }

    mutating func add(_ condition: OpenCondition, _ names: inout VariableNames) {
        var subject: String
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
        var operation = condition.operation
        var operand = condition.operand
        var name = "\(title) \(condition.isNegated ? "not " : "")\(operation.rawValue)"
        if operation == .length {
            subject = "Object.keys(\(subject)).length"
            operation = .equals
            if case .object(let limits) = operand, let limit = limits.first {
                operation = Matcher.Operation(rawValue: limit.name) ?? .equals
                operand = limit.value
                name += " \(limit.name)"
            }
        }
        let value = ScriptAccess.script(operand, request, &names) { "pm.variables.get(\($0))" }
        let not = condition.isNegated ? ".to.not" : ".to"
        test(
            name,
            "pm.expect(\(subject))" + Self.assertion(operation, operand, value, isNegated: condition.isNegated, not))
    }

    /// The rest of the assertion after `pm.expect(subject)`.
    private static func assertion(
        _ operation: Matcher.Operation, _ operand: OrderedJSON, _ value: String, isNegated: Bool, _ not: String
    ) -> String {
        switch operation {
        case .equals: "\(not).eql(\(value))"
        case .type where operand == "integer": "\(not).satisfy(Number.isInteger)"
        case .type: "\(not).be.a(\(value))"
        case .matches: "\(not).match(new RegExp(\(value), \"u\"))"
        case .contains: "\(not).include(\(value))"
        case .startsWith, .endsWith: "\(not).satisfy((text) => String(text).\(operation.rawValue)(\(value)))"
        case .exists: (operand == true) != isNegated ? ".to.not.be.undefined" : ".to.be.undefined"
        case .empty: (operand == true) != isNegated ? ".to.be.empty" : ".to.not.be.empty"
        case .in: "\(not).be.oneOf(\(value))"
        case .less: "\(not).be.below(\(value))"
        case .lessOrEqual: "\(not).be.at.most(\(value))"
        case .greater: "\(not).be.above(\(value))"
        case .greaterOrEqual: "\(not).be.at.least(\(value))"
        case .length, .includes, .schema: "\(not).eql(\(value))"
        }
    }

    mutating func add(_ line: String) { lines.append(line) }

    static func keeping(_ value: String, as variable: String) -> String {
        "pm.collectionVariables.set(\(variable), \(value));"
    }

    static func value(of capture: Capture) -> String? {
        switch capture.source {
        case .json(let path):
            guard let steps = MemberPath(path.value), steps.isSingle else { return nil }
            return "pm.response.json()" + ScriptAccess.text(steps.steps)
        case .header(let name):
            let header = "pm.response.headers.get(\(ScriptText.javaScript(name.value)))"
            return capture.match.map { ScriptAccess.match(header, $0.value) } ?? header
        case .cookie(let name): return "pm.cookies.get(\(ScriptText.javaScript(name.value)))"
        case .body: return "pm.response.text()"
        case .status: return "pm.response.code"
        case .url, nil: return nil
        }
    }

    private mutating func test(_ name: String, _ body: String) {
        lines.append("pm.test(\(ScriptText.javaScript(name)), () => {")
        lines.append("    \(body);")
        lines.append("});")
    }
}
