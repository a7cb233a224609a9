import ReqcliBasics
import ReqcliJSONPath
import ReqcliText

/// Turns assertions of Postman's tests into conditions. The result is nil for every assertion that isn't completely understood.
enum JSAssertions {
    typealias Condition = ExpectDraft.Condition

    /// The conditions of a statement `pm.response.to.…` or `pm.expect(…).to.…`.
    static func statement(_ expression: JSExpression, _ values: JSValues) -> [Condition]? {
        var chain = Chain(expression)
        switch chain.root {
        case .name("pm"):
            guard chain.take("response"), chain.take("to") else { return nil }
            return response(&chain, values)
        case .call(let callee, let arguments) where callee.dotted == "pm.expect" && (1...2).contains(arguments.count):
            guard let subject = values.subject(arguments[0]) else { return nil }
            return expectation(of: subject, &chain, values)
        default: return nil
        }
    }

    /// The links of a chain such as `pm.expect(x).to.be.below(200)`.
    private struct Chain {
        let root: JSExpression
        private var links: [(name: String, arguments: [JSExpression]?)] = []

        init(_ expression: JSExpression) {
            var rest = expression
            while true {
                if case .call(.member(let base, let name), let arguments) = rest, name != "expect" {
                    links.append((name, arguments))
                    rest = base
                } else if case .member(let base, let name) = rest {
                    links.append((name, nil))
                    rest = base
                } else {
                    root = rest
                    return
                }
            }
        }

        /// Takes a link without arguments.
        mutating func take(_ name: String) -> Bool {
            guard let link = links.last, link.name == name, link.arguments == nil else { return false }
            links.removeLast()
            return true
        }

        /// The last link, which states the condition. Words before this link that only make the chain readable are skipped.
        mutating func last() -> (name: String, arguments: [JSExpression]?, isNegated: Bool)? {
            var isNegated = false
            while links.count > 1, let link = links.popLast() {
                guard link.arguments == nil else { return nil }
                if link.name == "not", !isNegated {
                    isNegated = true
                } else if !Self.fillers.contains(link.name) {
                    return nil
                }
            }
            return links.popLast().map { ($0.name, $0.arguments, isNegated) }
        }

        private static let fillers: Set<String> = [
            "to", "be", "been", "is", "that", "which", "and", "has", "have", "with", "at", "of", "same", "deep",
        ]
    }

    // MARK: The response

    private static func response(_ chain: inout Chain, _ values: JSValues) -> [Condition]? {
        guard let link = chain.last(), !link.isNegated else { return nil }
        guard let arguments = link.arguments else {
            switch link.name {
            case "json": return [.header("Content-Type", ExpectDraft.Operation("contains", "json"))]
            case "withBody": return [.body(ExpectDraft.Operation("empty", false))]
            default: return statuses[link.name].map { [.status([$0])] }
            }
        }
        let operands = arguments.compactMap { values.operand($0) }
        guard operands.count == arguments.count, let first = operands.first else { return nil }
        switch (link.name, operands.count) {
        case ("status", 1): return status(first).map { [.status([$0])] }
        case ("header", 1...2):
            guard case .string(let name) = first, name.isToken else { return nil }
            let operation = ExpectDraft.Operation(
                operands.count == 2 ? "equals" : "exists", operands.count == 2 ? operands[1] : true)
            return [.header(name, operation)]
        case ("body", 1):
            guard case .string = first else { return nil }
            return [.body(ExpectDraft.Operation("equals", first))]
        default: return nil
        }
    }

    private static let statuses: [String: OrderedJSON] = [
        "ok": 200, "success": "2xx", "redirection": "3xx", "clientError": "4xx", "serverError": "5xx",
        "accepted": 202, "badRequest": 400, "unauthorized": 401, "forbidden": 403, "notFound": 404, "rateLimited": 429,
    ]

    private static func status(_ value: OrderedJSON) -> OrderedJSON? {
        guard case .number(let text) = value, let status = Int(text), (100...599).contains(status) else { return nil }
        return value
    }

    // MARK: Expectations

    private static func expectation(of subject: JSValues.Subject, _ chain: inout Chain, _ values: JSValues)
        -> [Condition]?
    {
        guard let link = chain.last() else { return nil }
        if let arguments = link.arguments, link.name == "property", (1...2).contains(arguments.count),
            case .json(let steps) = subject, case .string(let name) = arguments[0]
        {
            let path = JSValues.path(steps + [.key(name)])
            if arguments.count == 1 { return [.json(path, ExpectDraft.Operation("exists", .bool(!link.isNegated)))] }
            guard !link.isNegated, let value = values.operand(arguments[1]) else { return nil }
            return [.json(path, ExpectDraft.Operation("equals", value))]
        }
        guard let operation = operation(link, values) else { return nil }
        return condition(subject, operation)
    }

    private static func operation(
        _ link: (name: String, arguments: [JSExpression]?, isNegated: Bool), _ values: JSValues
    ) -> ExpectDraft.Operation? {
        let isNegated = link.isNegated
        guard let arguments = link.arguments else {
            switch link.name {
            case "exist": return isNegated ? nil : ExpectDraft.Operation("type", "null", isNegated: true)
            case "undefined": return ExpectDraft.Operation("exists", .bool(isNegated))
            case "null": return ExpectDraft.Operation("equals", .null, isNegated: isNegated)
            case "true", "false": return isNegated ? nil : ExpectDraft.Operation("equals", .bool(link.name == "true"))
            case "empty": return ExpectDraft.Operation("empty", .bool(!isNegated))
            default: return nil
            }
        }
        guard arguments.count == 1 else { return nil }
        if link.name == "match", let pattern = pattern(arguments[0]) {
            guard (try? IRegexp(pattern)) != nil else { return nil }
            return ExpectDraft.Operation("matches", .literal(pattern), isNegated: isNegated)
        }
        if link.name == "satisfy" { return predicate(arguments[0], values, isNegated: isNegated) }
        guard let value = values.operand(arguments[0]), let name = operators[link.name] else { return nil }
        if isNegated, !["equals", "contains", "in", "type"].contains(name) { return nil }
        switch name {
        case "in":
            guard case .array(let elements) = value, !elements.isEmpty else { return nil }
        case "type":
            guard case .string(let type) = value, types.contains(type) else { return nil }
        case "<", "<=", ">", ">=", "length":
            guard case .number = value else { return nil }
        default: break
        }
        return ExpectDraft.Operation(name, value, isNegated: isNegated)
    }

    /// The pattern of `/x/` and of `new RegExp("x")`.
    static func pattern(_ expression: JSExpression) -> String? {
        switch expression {
        case .regex(let pattern): pattern
        case .call(let callee, let arguments) where callee.dotted == "RegExp":
            if case .string(let pattern)? = arguments.first { pattern } else { nil }
        default: nil
        }
    }

    /// The condition of a function in `satisfy`: `Number.isInteger`, `(v) => String(v).startsWith("x")`.
    private static func predicate(
        _ expression: JSExpression, _ values: JSValues, isNegated: Bool
    ) -> ExpectDraft.Operation? {
        if expression.dotted == "Number.isInteger" {
            return ExpectDraft.Operation("type", "integer", isNegated: isNegated)
        }
        guard case .function(let statements) = expression, statements.count == 1,
            case .expression(let body) = statements[0].kind
        else { return nil }
        if case .call(.member(.call(let text, _), let name), let arguments) = body, text.dotted == "String",
            ["startsWith", "endsWith"].contains(name), arguments.count == 1
        {
            return values.operand(arguments[0]).map { ExpectDraft.Operation(name, $0, isNegated: isNegated) }
        }
        guard !isNegated, let patterns = JSStatusCheck.patterns(body, { $0.dotted == "code" }) else { return nil }
        return ExpectDraft.Operation("in", .array(patterns))
    }

    private static let operators = [
        "eql": "equals", "eqls": "equals", "equal": "equals", "equals": "equals", "eq": "equals", "oneOf": "in",
        "below": "<", "lessThan": "<", "lt": "<", "above": ">", "greaterThan": ">", "gt": ">", "least": ">=",
        "gte": ">=", "most": "<=", "lte": "<=", "include": "contains", "includes": "contains", "contain": "contains",
        "contains": "contains", "a": "type", "an": "type", "length": "length", "lengthOf": "length",
    ]
    private static let types: Set<String> = ["string", "number", "boolean", "array", "object", "null"]

    static func condition(_ subject: JSValues.Subject, _ operation: ExpectDraft.Operation) -> [Condition]? {
        let name = operation.name
        switch subject {
        case .status:
            guard !operation.isNegated else { return nil }
            if name == "equals" { return status(operation.operand).map { [.status([$0])] } }
            guard name == "in", case .array(let all) = operation.operand else { return nil }
            let statuses = all.compactMap { JSStatusCheck.isClass($0) ? $0 : status($0) }
            return statuses.count == all.count ? [.status(statuses)] : nil
        case .time:
            guard name == "<" || name == "<=", case .number(let text) = operation.operand, let time = Int(text),
                (1...2_000_000_000).contains(time)
            else { return nil }
            return [.maxTime(time % 1000 == 0 ? "\(time / 1000)s" : "\(time)ms")]
        case .header(let header):
            if name == "type", operation.operand == "null", operation.isNegated {
                return [.header(header, ExpectDraft.Operation("exists", true))]
            }
            if name == "equals", operation.operand == .null {
                return [.header(header, ExpectDraft.Operation("exists", .bool(operation.isNegated)))]
            }
            guard ["equals", "contains", "matches", "in", "exists", "startsWith", "endsWith"].contains(name),
                operation.operand != .null
            else { return nil }
            return [.header(header, operation)]
        case .body:
            let isPossible =
                name == "empty"
                || ["equals", "contains", "matches", "startsWith", "endsWith"].contains(name)
                    && operation.operand.isText
            return isPossible ? [.body(operation)] : nil
        case .json(let steps): return json(JSValues.path(steps), operation)
        case .jsonLength(let steps):
            guard !operation.isNegated, case .number(let text) = operation.operand, let count = Int(text), count >= 0
            else { return nil }
            let operand: OrderedJSON? =
                switch name {
                case "equals": operation.operand
                case "<", "<=", ">", ">=": .object([OrderedJSON.Member(name, operation.operand)])
                default: nil
                }
            return operand.map { [.json(JSValues.path(steps), ExpectDraft.Operation("length", $0))] }
        case .cookie, .variable, .constant: return nil
        }
    }

    private static func json(_ path: String, _ operation: ExpectDraft.Operation) -> [Condition]? {
        if operation.name == "empty" {
            let length: OrderedJSON = operation.operand == true ? 0 : .object([OrderedJSON.Member(">", 0)])
            return [.json(path, ExpectDraft.Operation("length", length))]
        }
        if operation.name == "length", case .number(let text) = operation.operand, Int(text).map({ $0 < 0 }) ?? true {
            return nil
        }
        // Doesn't convert Postman's check for a subset of an object, because `contains` can't express it.
        if operation.name == "contains", case .object = operation.operand { return nil }
        return [.json(path, operation)]
    }

    // MARK: Legacy tests

    /// The conditions of the value in `tests["…"] = …`.
    static func legacy(_ expression: JSExpression, _ values: JSValues) -> [Condition]? {
        if let patterns = JSStatusCheck.patterns(expression, { values.subject($0) == .status }) {
            return [.status(patterns)]
        }
        switch expression {
        // A usual check for an object that is neither null nor an array.
        case .binary("&&", .binary("&&", let first, _), .call(.name("!"), let last))
        where last.count == 1 && first.isTypeofObject && last[0].isArrayCheck:
            return legacy(first, values)
        case .binary("&&", let left, let right):
            guard let one = legacy(left, values), let other = legacy(right, values) else { return nil }
            return one + other
        case .binary(let mark, .call(let typeof, let subjects), .string(let type))
        where typeof.dotted == "typeof" && subjects.count == 1 && types.contains(type):
            guard let subject = values.subject(subjects[0]) else { return nil }
            return condition(
                subject, ExpectDraft.Operation("type", .string(type), isNegated: mark.hasPrefix("!")))
        case .binary(let mark, .call(let one, let left), .call(let other, let right))
        where one.dotted == "JSON.stringify" && other.dotted == "JSON.stringify" && left.count == 1 && right.count == 1:
            return legacy(.binary(mark, left[0], right[0]), values)
        case .call(.name("!"), let arguments):
            guard arguments.count == 1, let inner = legacy(arguments[0], values), inner.count == 1 else { return nil }
            return inner[0].negated.map { [$0] }
        case .call(let callee, let arguments)
        where arguments.count == 1 && ["Number.isInteger", "Array.isArray"].contains(callee.dotted ?? ""):
            guard let subject = values.subject(arguments[0]) else { return nil }
            let type: OrderedJSON = callee.dotted == "Array.isArray" ? "array" : "integer"
            return condition(subject, ExpectDraft.Operation("type", type))
        case .call(.member(let base, "test"), let arguments):
            guard arguments.count == 1, let pattern = pattern(base), (try? IRegexp(pattern)) != nil,
                let subject = values.subject(arguments[0])
            else { return nil }
            return condition(subject, ExpectDraft.Operation("matches", .literal(pattern)))
        case .call(.member(let base, let name), let arguments)
        where arguments.count == 1 && ["startsWith", "endsWith"].contains(name):
            guard let subject = values.subject(base), let operand = values.operand(arguments[0]) else { return nil }
            return condition(subject, ExpectDraft.Operation(name, operand))
        case .binary(let mark, let left, let right):
            guard let name = comparisons[mark], let subject = values.subject(left) else { return nil }
            if case .name("undefined") = right, name == "equals" {
                return condition(subject, ExpectDraft.Operation("exists", .bool(mark.hasPrefix("!"))))
            }
            guard let operand = values.operand(right) else { return nil }
            if "<>".contains(name.first ?? " ") { guard case .number = operand else { return nil } }
            return condition(subject, ExpectDraft.Operation(name, operand, isNegated: mark.hasPrefix("!")))
        case .call(.member(let base, "has"), let arguments):
            guard arguments.count == 1, values.subject(base) == .body, case .string(let text) = arguments[0] else {
                return nil
            }
            return [.body(ExpectDraft.Operation("contains", .literal(text)))]
        case .call(.member(let base, "includes"), let arguments):
            guard arguments.count == 1, let subject = values.subject(base), let operand = values.operand(arguments[0])
            else { return nil }
            return condition(subject, ExpectDraft.Operation("contains", operand))
        default:
            guard case .header(let name)? = values.subject(expression) else { return nil }
            return [.header(name, ExpectDraft.Operation("exists", true))]
        }
    }

    private static let comparisons = [
        "===": "equals", "==": "equals", "!==": "equals", "!=": "equals", "<": "<", "<=": "<=", ">": ">", ">=": ">=",
    ]
}

extension OrderedJSON {
    fileprivate var isText: Bool { if case .string = self { true } else { false } }
}

extension JSExpression {
    fileprivate var isTypeofObject: Bool {
        if case .binary("===", .call(.name("typeof"), _), .string("object")) = self { true } else { false }
    }

    fileprivate var isArrayCheck: Bool {
        if case .call(let callee, _) = self { callee.dotted == "Array.isArray" } else { false }
    }
}
