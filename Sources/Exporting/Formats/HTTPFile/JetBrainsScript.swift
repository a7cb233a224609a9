import Definitions
import SourceText

/// The response handler of one request. All texts of the files are string literals in it.
struct JetBrainsScript {
    private let request: OpenRequest
    private(set) var lines: [String] = []

    init(_ request: OpenRequest) {
        self.request = request
    }

    static let operations: Set<Matcher.Operation> = [
        .equals, .type, .matches, .contains, .startsWith, .endsWith, .exists, .less, .lessOrEqual, .greater,
        .greaterOrEqual,
    ]

    mutating func add(_ expectation: Expectation) {
        guard let status = expectation.status?.value else { return }
        let checks = status.map { pattern in
            pattern.range.count == 1
                ? "response.status === \(pattern.range.lowerBound)"
                : "(response.status >= \(pattern.range.lowerBound) && response.status <= \(pattern.range.upperBound))"
        }
        test("status is \(status.map(\.text).joined(separator: " or "))", checks.joined(separator: " || "))
    }

    mutating func add(_ condition: OpenCondition, _ names: inout VariableNames) {
        let (subject, title): (String, String) =
            switch condition.subject {
            case .header(let name):
                ("response.headers.valueOf(\(ScriptText.javaScript(name)))", "header \(name)")
            case .body: ("response.body", "body")
            case .json(let path, let steps): ("response.body" + ScriptAccess.text(steps), path)
            }
        let value = ScriptAccess.script(condition.operand, request, &names) { "client.global.get(\($0))" }
        let check =
            switch condition.operation {
            case .equals: "JSON.stringify(\(subject)) === JSON.stringify(\(value))"
            case .type: Self.typeCheck(subject, condition.operand.plainText)
            case .matches: "new RegExp(\(value), \"u\").test(\(subject))"
            case .contains: "(\(subject) || \"\").includes(\(value))"
            case .startsWith: "String(\(subject)).startsWith(\(value))"
            case .endsWith: "String(\(subject)).endsWith(\(value))"
            case .exists: "(\(subject) !== undefined && \(subject) !== null) === \(condition.operand.compact)"
            case .less, .lessOrEqual, .greater, .greaterOrEqual:
                "\(subject) \(condition.operation.rawValue) \(value)"
            case .includes, .schema, .length, .empty, .in: "true"
            }
        test(
            "\(title) \(condition.isNegated ? "not " : "")\(condition.operation.rawValue)",
            condition.isNegated ? "!(\(check))" : check)
    }

    private static func typeCheck(_ subject: String, _ type: String) -> String {
        switch type {
        case "integer": "Number.isInteger(\(subject))"
        case "array": "Array.isArray(\(subject))"
        case "null": "\(subject) === null"
        case "object": "(typeof \(subject) === \"object\" && \(subject) !== null && !Array.isArray(\(subject)))"
        default: "typeof \(subject) === \(ScriptText.javaScript(type))"
        }
    }

    mutating func add(_ capture: Named<Capture>, _ variable: String, _ notes: inout [ExportNote]) {
        let value: String
        var steps: [MemberPath.Step]?
        if case .json(let path)? = capture.value.source { steps = MemberPath(path.value)?.steps }
        switch capture.value.source {
        case .json where steps.map { !$0.contains(.everyItem) } ?? false:
            value = "response.body" + ScriptAccess.text(steps ?? [])
        case .json, .cookie, .url, nil:
            notes.append(
                ExportNote(
                    .lost, "such captures are not carried over", "\(capture.name) of \(request.endpoint.id)",
                    at: capture.namePlace))
            return
        case .header(let name):
            let header = "response.headers.valueOf(\(ScriptText.javaScript(name.value)))"
            value =
                capture.value.match.map {
                    "(\(header).match(new RegExp(\(ScriptText.javaScript($0.value)), \"u\")) || [])[0]"
                } ?? header
        case .body: value = "response.body"
        case .status: value = "response.status"
        }
        lines.append("client.global.set(\(ScriptText.javaScript(variable)), \(value));")
    }

    private mutating func test(_ name: String, _ check: String) {
        // `%}` would end the handler.
        let line = "client.test(\(ScriptText.javaScript(name)), () => { client.assert(\(check)); });"
        lines.append(line.replacing("%}", with: "%\\u007d"))
    }
}
