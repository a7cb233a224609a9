import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText

/// Reads the parts of a script that endpoint files can express: tests, captures and constants.
struct PostmanScriptReader {
    var variables: PostmanVariables
    private(set) var notes: [ConversionNote] = []
    private let script: PostmanScript
    private let owner: String
    private var findings = PostmanFindings()
    private var values = JSValues()
    private var places: PostmanScript.Places

    init(_ script: PostmanScript, owner: String, _ variables: PostmanVariables) {
        self.script = script
        self.owner = owner
        self.variables = variables
        places = PostmanScript.Places(script)
    }

    mutating func read() -> PostmanFindings {
        for statement in JSParser.statements(of: script.text) { read(statement) }
        return findings
    }

    private mutating func read(_ statement: JSStatement) {
        switch statement.kind {
        case .declaration(let name, let value):
            // A name with an unknown value is ignored here. An unknown value matters only if the name is used.
            values.bind(name, to: value)
        case .assignment(let target, let value):
            if let name = legacyTest(target) { return add(test: name, JSAssertions.legacy(value, values), statement) }
            guard case .name(let name) = target else { return noteLost(statement) }
            values.bind(name, to: value)
        case .expression(let expression): read(expression, statement)
        case .unknown: noteLost(statement)
        }
    }

    private mutating func read(_ expression: JSExpression, _ statement: JSStatement) {
        guard case .call(let callee, let arguments) = expression, let function = callee.dotted else {
            return noteLost(statement)
        }
        if function == "pm.test", arguments.count == 2, case .string(let name) = arguments[0],
            case .function(let statements) = arguments[1]
        {
            return readTest(name, statements, statement)
        }
        if let setting = setting(function, arguments) {
            return add(setting.name, setting.value, statement)
        }
        if Self.harmless.contains(function) { return }
        if let conditions = JSAssertions.statement(expression, values) {
            return add(test: owner, conditions, statement)
        }
        noteLost(statement)
    }

    /// Calls that only print.
    private static let harmless: Set<String> = ["console.log", "console.info", "console.warn", "console.error"]

    private mutating func noteLost(_ statement: JSStatement) {
        let what = script.kind == .test ? "a statement of a test script" : "a statement of a pre-request script"
        notes.append(
            ConversionNote(.lost, what + " is not converted", owner, at: places.place(of: statement.range)))
    }

    // MARK: Tests

    /// The name of `tests["name"]`.
    private func legacyTest(_ target: JSExpression) -> String? {
        switch target {
        case .index(.name("tests"), .string(let name)), .member(.name("tests"), let name): name
        default: nil
        }
    }

    private mutating func readTest(_ name: String, _ statements: [JSStatement], _ whole: JSStatement) {
        var values = values
        var conditions: [ExpectDraft.Condition]? = []
        var settings: [(name: String, value: JSExpression)] = []
        for statement in statements {
            switch statement.kind {
            case .declaration(let name, let value), .assignment(.name(let name), let value):
                if !values.bind(name, to: value) { conditions = nil }
            case .expression(let expression):
                if case .call(let callee, let arguments) = expression, let function = callee.dotted {
                    if let setting = setting(function, arguments), script.kind == .test,
                        values.subject(setting.value)?.captured != nil
                    {
                        settings.append(setting)
                        continue
                    }
                    if Self.harmless.contains(function) { continue }
                }
                if let found = JSAssertions.statement(expression, values) {
                    conditions?.append(contentsOf: found)
                } else {
                    conditions = nil
                }
            case .assignment, .unknown: conditions = nil
            }
            if conditions == nil { break }
        }
        guard let conditions else { return add(test: name, nil, whole) }
        let outer = self.values
        self.values = values
        for setting in settings { add(setting.name, setting.value, whole) }
        self.values = outer
        if conditions.isEmpty, !settings.isEmpty { return }
        add(test: name, conditions, whole)
    }

    private mutating func add(test name: String, _ conditions: [ExpectDraft.Condition]?, _ statement: JSStatement) {
        let place = places.place(of: statement.range)
        guard script.kind == .test, let conditions = conditions.map({ naming($0) }), !conditions.isEmpty else {
            notes.append(ConversionNote(.lost, "a test is not converted", name, at: place))
            return
        }
        findings.tests.append(PostmanFindings.Test(name: name, conditions: conditions, place: place))
    }

    /// The conditions, with the names of variables converted.
    private mutating func naming(_ conditions: [ExpectDraft.Condition]) -> [ExpectDraft.Condition] {
        conditions.map { condition in
            switch condition {
            case .header(let name, let operation): .header(name, naming(operation))
            case .body(let operation): .body(naming(operation))
            case .json(let path, let operation): .json(path, naming(operation))
            case .status, .maxTime: condition
            }
        }
    }

    private mutating func naming(_ operation: ExpectDraft.Operation) -> ExpectDraft.Operation {
        guard case .string(let text) = operation.operand, TemplateText(text).placeholders.count == 1,
            case .placeholder(let name)? = TemplateText(text).pieces.first
        else { return operation }
        return ExpectDraft.Operation(
            operation.name, .string("{{\(variables.name(of: name))}}"), isNegated: operation.isNegated)
    }

    // MARK: Variables

    private static let setters: Set<String> = [
        "pm.environment.set", "pm.globals.set", "pm.collectionVariables.set", "pm.variables.set",
        "pm.baseEnvironment.set", "postman.setEnvironmentVariable", "postman.setGlobalVariable",
    ]

    private func setting(_ function: String, _ arguments: [JSExpression]) -> (name: String, value: JSExpression)? {
        guard Self.setters.contains(function), arguments.count == 2, case .string(let name) = arguments[0],
            !name.isEmpty
        else { return nil }
        return (name, arguments[1])
    }

    private mutating func add(_ name: String, _ value: JSExpression, _ statement: JSStatement) {
        let clean = variables.name(of: name)
        if script.kind == .test, let source = values.captured(by: value) {
            findings.captures.append(ImportedCapture(clean, source))
        } else if script.kind == .preRequest, case .constant(let constant)? = values.subject(value),
            let text = constant.scalarText
        {
            if case .string = constant, TextTemplate.escaped(text) != text { return noteLost(statement) }
            if variables.set(clean, constant) { return }
            findings.params.append(ImportedParam(clean, defaultValue: constant))
        } else {
            notes.append(
                ConversionNote(
                    .lost, "a script sets a variable to a value that is not known here", name,
                    at: places.place(of: statement.range)))
        }
    }
}
