import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// The response handler of one request. All strings from the workspace's files become string literals in the script.
struct JetBrainsScript: ResponseScriptWriting {
    private let request: OpenRequest
    private(set) var lines: [String] = []

    init(_ request: OpenRequest) {
        self.request = request
    }

    static let operations: Set<Matcher.Operation> = [
        .equals, .type, .matches, .contains, .startsWith, .endsWith, .exists, .less, .lessOrEqual, .greater,
        .greaterOrEqual,
    ]

    mutating func addWhole() {
        let statuses = request.statuses
        if statuses.isEmpty { return }
        test("status is \(ScriptAccess.statusText(statuses))", ScriptAccess.statusCheck("response.status", statuses))
    }

    mutating func add(_ condition: OpenCondition, _ names: inout VariableNames) {
        let (subject, title): (String, String) =
            switch condition.subject {
            case .header(let name):
                ("response.headers.valueOf(\(ScriptText.javaScript(name)))", "header \(name)")
            case .body: ("response.body", "body")
            case .json(let path, let steps):
                ("response.body" + ScriptAccess.text(steps), steps.isEmpty ? "body" : path)
            }
        let value = ScriptAccess.script(condition.operand, request, &names) { "client.global.get(\($0))" }
        let missing = if case .header = condition.subject { "null" } else { "undefined" }
        let check =
            switch condition.operation {
            case .equals: "JSON.stringify(\(subject)) === JSON.stringify(\(value))"
            case .type: Self.typeCheck(subject, condition.operand.plainText)
            case .matches: "new RegExp(\(value), \"u\").test(\(subject))"
            case .contains: "\(subject).includes(\(value))"
            case .startsWith, .endsWith: "\(subject).\(condition.operation.rawValue)(\(value))"
            case .exists: "\(subject) \((condition.operand == true) != condition.isNegated ? "!==" : "===") \(missing)"
            case .less, .lessOrEqual, .greater, .greaterOrEqual:
                "\(subject) \(condition.operation.rawValue) \(value)"
            case .includes, .schema, .length, .empty, .in: "true"
            }
        test(
            "\(title) \(condition.isNegated ? "not " : "")\(condition.operation.rawValue)",
            condition.isNegated && condition.operation != .exists ? "!(\(check))" : check)
    }

    private static func typeCheck(_ subject: String, _ type: String) -> String {
        switch type {
        case "integer": "Number.isInteger(\(subject))"
        case "array": "Array.isArray(\(subject))"
        case "object": "(typeof \(subject) === \"object\" && \(subject) !== null && !Array.isArray(\(subject)))"
        default: "typeof \(subject) === \(ScriptText.javaScript(type))"
        }
    }

    mutating func add(_ line: String) { lines.append(line) }

    static func keeping(_ value: String, as variable: String) -> String { "client.global.set(\(variable), \(value));" }

    static func value(of capture: Capture) -> String? {
        switch capture.source {
        case .json(let path):
            guard let steps = MemberPath(path.value), steps.isSingle else { return nil }
            return "response.body" + ScriptAccess.text(steps.steps)
        case .header(let name):
            let header = "response.headers.valueOf(\(ScriptText.javaScript(name.value)))"
            return capture.match.map { ScriptAccess.match(header, $0.value) } ?? header
        case .body: return "response.body"
        case .status: return "response.status"
        case .cookie, .url, nil: return nil
        }
    }

    private mutating func test(_ name: String, _ check: String) {
        // `%}` would end the handler.
        let line = "client.test(\(ScriptText.javaScript(name)), () => { client.assert(\(check)); });"
        lines.append(line.replacing("%}", with: "%\\u007d"))
    }
}
