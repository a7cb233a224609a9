import ReqcliBasics
import ReqcliText

extension ScriptScope {
    typealias Condition = ExpectDraft.Condition
    typealias Operation = ExpectDraft.Operation

    // MARK: Chains

    /// The condition of a chain such as `expect(x).to.be.below(200)`; nil if any part of the chain isn't understood.
    func condition(ofChain expression: ScriptExpression) -> Condition? {
        // The last word states the condition. Other words only make the chain readable.
        var word: (name: String, arguments: [ScriptExpression]?)?
        var isNegated = false
        var rest = expression
        while true {
            let link: (name: String, arguments: [ScriptExpression]?)
            switch rest {
            case .call(let callee, let arguments) where meaning(callee, "()") == .expect:
                guard let word, (1...2).contains(arguments.count), let value = value(arguments[0]) else { return nil }
                return condition(on: value, word.name, word.arguments, isNegated: isNegated)
            case .member where meaning(rest) == .response:
                guard let word, !isNegated else { return nil }
                return condition(onResponse: word.name, word.arguments)
            case .call(.member(let base, .string(let name)), let arguments):
                link = (name, arguments)
                rest = base
            case .member(let base, .string(let name)):
                link = (name, nil)
                rest = base
            default: return nil
            }
            if word == nil {
                word = link
            } else if link.arguments == nil, link.name == "not", !isNegated {
                isNegated = true
            } else if link.arguments != nil || !Self.fillers.contains(link.name) {
                return nil
            }
        }
    }

    private static let fillers: Set<String> = [
        "to", "be", "been", "is", "that", "which", "and", "has", "have", "with", "at", "of", "same", "deep",
    ]

    private func condition(onResponse word: String, _ arguments: [ScriptExpression]?) -> Condition? {
        guard let arguments else { return Self.responseWords[word] }
        switch (word, arguments.count) {
        case ("status", 1):
            return operand(arguments[0]).flatMap { ScriptValue.status.condition(Operation("equals", $0)) }
        case ("body", 1): return operand(arguments[0]).flatMap { ScriptValue.text.condition(Operation("equals", $0)) }
        case ("header", 1...2):
            guard case .string(let name) = arguments[0], name.isToken else { return nil }
            if arguments.count == 1 { return .header(name, Operation("exists", true)) }
            return operand(arguments[1]).flatMap { ScriptValue.header(name).condition(Operation("equals", $0)) }
        default: return nil
        }
    }

    private static let responseWords: [String: Condition] = [
        "json": .header("Content-Type", Operation("contains", "json")), "withBody": .body(Operation("empty", false)),
        "ok": .status([200]), "success": .status(["2xx"]), "redirection": .status(["3xx"]),
        "clientError": .status(["4xx"]), "serverError": .status(["5xx"]), "accepted": .status([202]),
        "badRequest": .status([400]), "unauthorized": .status([401]), "forbidden": .status([403]),
        "notFound": .status([404]), "rateLimited": .status([429]),
    ]

    private func condition(
        on value: ScriptValue, _ word: String, _ arguments: [ScriptExpression]?, isNegated: Bool
    ) -> Condition? {
        guard let arguments else {
            return Self.words[word].flatMap { isNegated ? $0.negated : $0.plain }.flatMap { value.condition($0) }
        }
        if word == "property", case .json(let steps) = value, (1...2).contains(arguments.count) {
            guard case .string(let name) = arguments[0] else { return nil }
            let property = ScriptValue.json(steps + [.key(name)])
            if arguments.count == 1 { return property.condition(Operation("exists", .bool(!isNegated))) }
            guard !isNegated, let operand = operand(arguments[1]) else { return nil }
            return property.condition(Operation("equals", operand))
        }
        guard arguments.count == 1 else { return nil }
        switch word {
        case "match":
            guard let pattern = pattern(arguments[0]) else { return nil }
            return value.condition(Operation("matches", pattern, isNegated: isNegated))
        case "satisfy":
            guard let all = conditions(of: arguments[0], on: value), all.count == 1 else { return nil }
            return isNegated ? all[0].negated : all[0]
        default:
            guard let name = Self.operators[word], let operand = operand(arguments[0]) else { return nil }
            if isNegated, !["equals", "contains", "in", "type"].contains(name) { return nil }
            return value.condition(Operation(name, operand, isNegated: isNegated))
        }
    }

    /// The operations of words without arguments, and the operations of these words after `not`.
    private static let words: [String: (plain: Operation, negated: Operation?)] = [
        "exist": (Operation("type", "null", isNegated: true), nil),
        "undefined": (Operation("exists", false), Operation("exists", true)),
        "null": (Operation("equals", .null), Operation("equals", .null, isNegated: true)),
        "true": (Operation("equals", true), nil),
        "false": (Operation("equals", false), nil),
        "empty": (Operation("empty", true), Operation("empty", false)),
    ]
    private static let operators = [
        "eql": "equals", "eqls": "equals", "equal": "equals", "equals": "equals", "eq": "equals", "oneOf": "in",
        "below": "<", "lessThan": "<", "lt": "<", "above": ">", "greaterThan": ">", "gt": ">", "least": ">=",
        "gte": ">=", "most": "<=", "lte": "<=", "include": "contains", "includes": "contains", "contain": "contains",
        "contains": "contains", "a": "type", "an": "type", "length": "length", "lengthOf": "length",
    ]

    /// The operand of `matches`; nil if there is no such I-Regexp.
    private func pattern(_ expression: ScriptExpression) -> OrderedJSON? {
        guard case .regex(let pattern) = expression else { return nil }
        return ForeignPattern.spelledOut(pattern).map { .literal($0) }
    }

    /// The conditions that a function states on its argument: `Number.isInteger`, `(v) => String(v).startsWith("x")`.
    private func conditions(of function: ScriptExpression, on value: ScriptValue) -> [Condition]? {
        var parameter = ""
        var body = ScriptExpression.call(function, [.name(parameter)])
        if case .function(let names, let statements) = function {
            guard names.count == 1, statements.count == 1, case .expression(let result) = statements[0].kind else {
                return nil
            }
            parameter = names[0]
            body = result
        }
        var inner = self
        inner.names[parameter] = value
        return inner.conditions(of: body)
    }

    // MARK: Boolean expressions

    /// The conditions under which an expression is true; nil if any part of the expression isn't understood.
    func conditions(of expression: ScriptExpression) -> [Condition]? {
        if let statuses = statuses(expression) { return [.status(statuses)] }
        if let operand = expression.argument(of: "!") {
            guard let all = conditions(of: operand), all.count == 1 else { return nil }
            return all[0].negated.map { [$0] }
        }
        if case .binary("&&", let left, let right) = expression {
            guard let first = conditions(of: left), let second = conditions(of: right) else { return nil }
            return Self.simplified(first + second)
        }
        if let condition = comparison(expression) ?? call(expression) { return [condition] }
        guard case .header(let name)? = value(expression) else { return nil }
        return [.header(name, Operation("exists", true))]
    }

    /// The statuses in a comparison with several statuses and classes: `code === 404 || (code >= 200 && code <= 299)`.
    private func statuses(_ expression: ScriptExpression) -> [OrderedJSON]? {
        switch expression {
        case .binary("||", let left, let right):
            guard let first = statuses(left), let second = statuses(right) else { return nil }
            return first + second
        case .binary("===", let left, .number(let text)):
            guard value(left) == .status, let status = Int(text), (100...599).contains(status) else { return nil }
            return [.int(status)]
        case .binary("&&", .binary(">=", let low, .number(let least)), .binary("<=", let high, .number(let most))):
            guard value(low) == .status, value(high) == .status, let start = Int(least), Int(most) == start + 99,
                [100, 200, 300, 400, 500].contains(start)
            else { return nil }
            return [.string("\(start / 100)xx")]
        default: return nil
        }
    }

    /// The conditions without the parts of a usual check for an object that only exclude null and lists.
    private static func simplified(_ conditions: [Condition]) -> [Condition] {
        guard case .json(let path, Operation("type", "object"))? = conditions.first else { return conditions }
        let excluded = [Operation("equals", .null, isNegated: true), Operation("type", "array", isNegated: true)]
        return conditions.filter { condition in !excluded.contains { condition == .json(path, $0) } }
    }

    private func comparison(_ expression: ScriptExpression) -> Condition? {
        guard case .binary(let mark, let left, let right) = expression, let name = Self.comparisons[mark] else {
            return nil
        }
        let isNegated = mark.hasPrefix("!")
        if let left = left.argument(of: "JSON.stringify"), let right = right.argument(of: "JSON.stringify") {
            return comparison(.binary(mark, left, right))
        }
        if name == "equals", let left = left.argument(of: "typeof"), case .string = right, let type = operand(right) {
            return value(left)?.condition(Operation("type", type, isNegated: isNegated))
        }
        if name == "equals", case .name("undefined") = right {
            return value(left)?.condition(Operation("exists", .bool(isNegated)))
        }
        return operand(right).flatMap { value(left)?.condition(Operation(name, $0, isNegated: isNegated)) }
    }

    private static let comparisons = [
        "===": "equals", "==": "equals", "!==": "equals", "!=": "equals", "<": "<", "<=": "<=", ">": ">", ">=": ">=",
    ]

    /// The condition under which a call returns true.
    private func call(_ expression: ScriptExpression) -> Condition? {
        for (function, type) in ["Number.isInteger": "integer", "Array.isArray": "array"] {
            if let argument = expression.argument(of: function) {
                return value(argument)?.condition(Operation("type", .string(type)))
            }
        }
        guard case .call(.member(let base, .string(let method)), let all) = expression, all.count == 1 else {
            return nil
        }
        if method == "test", let pattern = pattern(base) {
            return value(all[0])?.condition(Operation("matches", pattern))
        }
        guard let name = Self.methods[method], let operand = operand(all[0]) else { return nil }
        // `String(x)` is the same as `x` except for a search: a list as a text contains more than the list.
        let object = name == "contains" ? base : base.argument(of: "String") ?? base
        return value(object)?.condition(Operation(name, operand))
    }

    private static let methods = [
        "startsWith": "startsWith", "endsWith": "endsWith", "includes": "contains", "has": "contains",
    ]
}

extension ExpectDraft.Condition {
    /// The condition with another operation; nil for a condition without an operation.
    func mappingOperation(_ change: (ExpectDraft.Operation) -> ExpectDraft.Operation) -> ExpectDraft.Condition? {
        switch self {
        case .status, .maxTime: nil
        case .header(let name, let operation): .header(name, change(operation))
        case .body(let operation): .body(change(operation))
        case .json(let path, let operation): .json(path, change(operation))
        }
    }

    /// The opposite condition; nil for a condition that can't be negated.
    var negated: ExpectDraft.Condition? {
        mappingOperation { ExpectDraft.Operation($0.name, $0.operand, isNegated: !$0.isNegated) }
    }
}
