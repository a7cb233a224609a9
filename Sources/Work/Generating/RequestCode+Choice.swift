import ReqcliDefinitions
import ReqcliText

/// Translates `$switch`.
extension RequestCode {
    /// The type that the cases have.
    enum ChoiceMode: String {
        case text = "String"
        case json = "JSONLiteral"
        case segment = "PathText"
    }

    mutating func choice(_ choice: ValueTemplate.Switch, _ mode: ChoiceMode) -> Code {
        hiddenNames.formUnion(
            ValueTemplate.choice(choice).placeholders.compactMap {
                if case .name(let name) = $0.value { name } else { nil }
            })
        let subject = subject(of: choice)
        let cases = choice.cases.map { (name: $0.name, code: branch($0.value, mode)) }
        let otherwise = choice.otherwise.map { branch($0, mode) }
        if case .bool = subject.kind, !subject.isOptional, let ternary = ternary(subject, cases, otherwise, mode) {
            return ternary
        }
        let isAbsent = subject.isOptional && otherwise == nil
        let branches = cases.map(\.code) + [otherwise].compactMap(\.self)
        let isOptional = isAbsent || branches.contains(where: \.isOptional)
        let isBool = if case .bool = subject.kind { !subject.isOptional } else { false }
        var arms: [(pattern: String, code: Code)] = []
        for one in cases where !isBool || one.name == "true" || one.name == "false" {
            arms.append(("case \(isBool ? one.name : literal(one.name))", one.code))
        }
        if isBool, let otherwise {
            for name in ["true", "false"] where !arms.contains(where: { $0.pattern == "case \(name)" }) {
                arms.append(("case \(name)", otherwise))
            }
        }
        if isAbsent { arms.append(("case nil", Code("nil", .json))) }
        if !isBool || arms.count < 2 {
            arms.append(("default", otherwise ?? refusal(of: subject.asText, choice)))
        }
        let name = local("choice")
        let type = mode.rawValue + (isOptional ? "?" : "")
        var value = (isBool ? subject.text : subject.asText.text).withTry
        // The subject of a `switch` can't contain a closure without parentheses.
        if value.contains("{") { value = "(\(value))" }
        add { [value] lines in
            lines.add("let \(name): \(type) =")
            lines.indented { lines in
                lines.add("switch \(value) {")
                for arm in arms { Self.add(arm.pattern, arm.code, to: &lines) }
                lines.add("}")
            }
        }
        let kind: Code.Kind = mode == .json ? .json : .string
        return Code(name, kind, isOptional: isOptional)
    }

    private static func add(_ pattern: String, _ code: Code, to lines: inout CodeLines) {
        lines.add("\(pattern): \(code.text.withTry)")
    }

    private mutating func subject(of choice: ValueTemplate.Switch) -> Code {
        guard let only = choice.subject.onlyPlaceholder else { return text(choice.subject) }
        let code = code(of: only)
        if case .bool = code.kind { return code }
        return code.asText
    }

    /// A choice between two short strings with `?:`; nil if the choice needs a `switch`.
    private func ternary(
        _ subject: Code, _ cases: [(name: String, code: Code)], _ otherwise: Code?, _ mode: ChoiceMode
    ) -> Code? {
        guard mode == .text, let yes = cases.first(where: { $0.name == "true" })?.code ?? otherwise,
            let no = cases.first(where: { $0.name == "false" })?.code ?? otherwise,
            !yes.isOptional, !no.isOptional, !yes.throwsError, !no.throwsError
        else { return nil }
        return Code("\(subject.text) ? \(yes.text) : \(no.text)", .string)
    }

    private mutating func refusal(of subject: Code, _ choice: ValueTemplate.Switch) -> Code {
        let names = choice.cases.map { SwiftText.literal($0.name) }.joined(separator: ", ")
        return Code("throw \(CodeMark.values.rawValue)values.noCase(for: \(subject.text), among: \(names))", .json)
    }

    private mutating func branch(_ template: ValueTemplate, _ mode: ChoiceMode) -> Code {
        switch mode {
        case .text: text(template)
        case .json: jsonExpression(template)
        case .segment: segment(template)
        }
    }

    // MARK: Paths

    /// The operator for a path.
    mutating func path(_ template: TextTemplate) -> Operation.Call {
        if let text = template.literal {
            return Operation.Call(".path", [text.hasPrefix("/") ? "fromRoot: \(literal(text))" : literal(text)])
        }
        if let only = template.onlyPlaceholder {
            let code = code(of: only)
            return Operation.Call(".path", ["filling: \(pathValue(listAsText(code)))"])
        }
        let pieces = pathPieces(template)
        return Operation.Call(".path", ["filling: \(interpolated(pieces))"])
    }

    mutating func pathPieces(_ template: TextTemplate) -> [Piece] {
        template.pieces.map { piece in
            switch piece {
            case .literal(let text): return .written(text)
            case .placeholder(let placeholder):
                let code = listAsText(code(of: placeholder))
                return .value("\\(\(code.plainForPath))")
            }
        }
    }

    /// The value for a path: a list becomes one joined string.
    private func listAsText(_ code: Code) -> Code { if case .list = code.kind { code.asText } else { code } }

    private func pathValue(_ code: Code) -> String {
        code.isOptional ? "\(code.optionalText).map { \"\\(\(code.mapped))\" }" : "\"\\(\(code.plainForPath))\""
    }

    /// A segment of a path that is written as a list.
    mutating func segment(_ template: ValueTemplate) -> Code {
        switch template {
        case .choice(let choice):
            let code = self.choice(choice, .segment)
            return code
        case .text(let text):
            if let only = text.onlyPlaceholder {
                let code = listAsText(code(of: only))
                return Code(pathValue(code), .string, isOptional: code.isOptional)
            }
            if let literal = text.literal { return Code(SwiftText.literal(literal), .string) }
            return Code(interpolated(pathPieces(text)), .string)
        case .plain, .scalar, .list, .object:
            let text = template.literal?.plainText ?? ""
            return Code(SwiftText.literal(text), .string)
        }
    }
}

extension Code {
    /// The value in the form that a path accepts. The value may be optional.
    fileprivate var plainForPath: String {
        switch kind {
        case .option, .date: asText.text
        default: text
        }
    }

    /// The optional value, to be followed by a `map` with `mapped` in its closure.
    fileprivate var optionalText: String { operand }

    /// The unwrapped value, in the closure after `optionalText`.
    fileprivate var mapped: String { Code("$0", kind).plainForPath }
}
