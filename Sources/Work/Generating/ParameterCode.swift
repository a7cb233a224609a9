import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// A param of an endpoint as a property of its call.
struct ParameterCode {
    /// The name without backticks.
    private(set) var name: String
    /// The name in the files; `login.token` for a capture.
    let source: String
    let kind: Code.Kind
    /// The type as it is written, without a question mark.
    private(set) var type: String
    let isOptional: Bool
    /// The default value as an expression.
    let defaultText: String?
    /// The default value, if the type has no short literal for it. In the generated code, nil means this value.
    let fallback: OrderedJSON?
    let documentation: [String]
    /// The enum for the values of the param.
    private(set) var option: OptionType?
    /// Whether the type comes from a schema. The value is encoded as JSON.
    var isModel = false
    var isDeprecated = false
    let place: Place

    struct OptionType {
        var name: String
        let cases: [(name: String, value: String)]
        /// Whether the values are strings and not numbers.
        var isText = true
    }

    /// The params with names that differ: of two names that would be the same in Swift, the second gets a number.
    static func numbered(_ parameters: [ParameterCode]) -> [ParameterCode] {
        var names = UniqueNames(separator: "")
        var types = UniqueNames(separator: "")
        return parameters.map { parameter in
            var parameter = parameter
            parameter.name = names.take(parameter.name)
            if let option = parameter.option {
                parameter.option?.name = types.take(option.name)
                parameter.type = parameter.type.replacing(option.name, with: parameter.option?.name ?? option.name)
            }
            return parameter
        }
    }

    /// The value in the request.
    var value: Code {
        let name = SwiftNames.quoted(name)
        if isModel {
            let json = "\(CodeMark.throwing.rawValue)values.json"
            if !isOptional { return Code("\(json)(\(name))", .json) }
            let mapped = "\(name).map { try \(json)($0) }"
            return fallback == nil
                ? Code(mapped, .json, isOptional: true) : Code("(\(mapped) ?? Self.\(fallbackName))", .json)
        }
        guard fallback != nil else { return Code(name, kind, isOptional: isOptional) }
        switch kind {
        case .list: return Code(name, kind)
        case .int, .double: return Code("(\(name).map { JSONLiteral.number($0) } ?? Self.\(fallbackName))", .json)
        case .date: return Code("(\(name).map { JSONLiteral.date($0) } ?? Self.\(fallbackName))", .json)
        default: return Code("(\(name) ?? Self.\(fallbackName))", kind)
        }
    }

    /// The constant with the default value.
    var fallbackName: String { "default" + name.prefix(1).uppercased() + name.dropFirst() }

    /// Writes the constant with the default value.
    func writeFallback(to lines: inout CodeLines) {
        guard let fallback else { return }
        if case .string = kind, case .string(let text) = fallback {
            return lines.constant("private static let \(fallbackName)", of: text)
        }
        if case .list(let item, _) = kind, case .array(let elements) = fallback {
            let literals = elements.map { Self.literal($0, item, option) ?? "" }
            lines.add("private static let \(fallbackName): \(type) = [")
            lines.indented { $0.addFilled(literals) }
            return lines.add("]")
        }
        RequestCode.write(fallback, head: "private static let \(fallbackName): JSONLiteral = ", to: &lines)
    }

    /// The declaration as a parameter of the initializer.
    var declaration: String {
        if isListWithConstant { return "\(SwiftNames.quoted(name)): \(type)? = nil" }
        return "\(SwiftNames.quoted(name)): \(type)\(isOptional ? "?" : "")\(defaultText.map { " = \($0)" } ?? "")"
    }

    /// The value that the initializer gives to the property.
    var initialValue: String { SwiftNames.quoted(name) + listDefault }

    /// The value of the property if the initializer has no parameter for it; nil if the caller has to give it.
    var impliedValue: String? { isListWithConstant ? "Self.\(fallbackName)" : defaultText }

    private var listDefault: String { isListWithConstant ? " ?? Self.\(fallbackName)" : "" }

    private var isListWithConstant: Bool { if case .list = kind { fallback != nil } else { false } }
}

extension ParameterCode {
    /// A param for a capture of a needed endpoint. The caller gives the value of the capture.
    init(capture: String, of alias: String, from endpoint: String, at place: Place) {
        name = SwiftNames.value("\(alias)-\(capture)", role: "value")
        source = "\(alias).\(capture)"
        kind = .string
        type = "String"
        isOptional = false
        defaultText = nil
        fallback = nil
        documentation = ["The value \(capture) of the response of \(endpoint), which reqcli sends first"]
        option = nil
        self.place = place
    }

    /// The body of an endpoint, which has the type of a schema.
    init(bodyOf endpoint: LocatedEndpoint, type: String) {
        (name, source, kind, self.type) = ("body", "body", .json, type)
        (isOptional, defaultText, fallback, option) = (false, nil, nil, nil)
        documentation = ["The body of the request."]
        isModel = true
        place = endpoint.definition.request.body?.place ?? endpoint.definition.place
    }

    /// - Parameter model: The type of the param's schema; nil if it has none.
    init(_ parameter: Named<Parameter>, model: String? = nil) {
        let value = parameter.value
        source = parameter.name
        name = SwiftNames.value(
            parameter.name, role: "value", taken: ["request", "values", "hashValue", "namedRequest"])
        place = parameter.namePlace
        let optionName = SwiftNames.type(parameter.name, role: "Option")
        let (kind, type, option) = Self.type(of: value, named: optionName)
        self.kind = kind
        self.type = model ?? type
        self.option = option
        isModel = model != nil
        isDeprecated = value.isDeprecated
        let isList = value.kind == .list
        var documentation = [Self.sentence(value.summary), isDeprecated ? "Deprecated" : ""]
        documentation += Self.limits(of: value)
        if let given = value.defaultValue?.value, !(isList && given == .array([])) {
            let literal = Self.literal(given, kind, option)
            if let literal, literal.count <= 60 {
                (isOptional, defaultText, fallback) = (false, literal, nil)
            } else if isList {
                (isOptional, defaultText, fallback) = (false, literal, literal == nil ? nil : given)
                if literal == nil {
                    documentation.append(
                        "The default in the files is \(given.compact), which cannot be written as a literal here")
                }
            } else {
                (isOptional, defaultText) = (true, "nil")
                fallback = given
                documentation.append("Nil means the default, `\(given.compact.prefix(60))`")
            }
        } else {
            isOptional = !value.isRequired && !isList
            defaultText = value.isRequired ? nil : isList ? "[]" : "nil"
            fallback = nil
        }
        self.documentation = documentation.filter { !SwiftText.oneLine($0).isEmpty }
    }

    private static func sentence(_ text: String?) -> String { text ?? "" }

    private static func type(
        of parameter: Parameter, named name: String
    ) -> (Code.Kind, type: String, option: OptionType?) {
        if parameter.kind == .list, let items = parameter.items {
            let (kind, type, option) = type(of: items, named: name)
            return (.list(kind, separator: parameter.separator), "[\(type)]", option)
        }
        if let allowed = parameter.allowed, [.string, .file, .integer, .number].contains(parameter.kind) {
            let isText = parameter.kind == .string || parameter.kind == .file
            let values = allowed.map { parameter.plain($0.value).plainText }
            return (.option(isText: isText), name, OptionType(name: name, cases: cases(of: values), isText: isText))
        }
        return switch parameter.kind {
        case .string where parameter.format == .dateTime: (.date, "Date", nil)
        case .string, .file: (.string, "String", nil)
        case .integer: (.int, "Int", nil)
        case .number: (.double, "Double", nil)
        case .boolean: (.bool, "Bool", nil)
        case .json, .list: (.json, "JSONLiteral", nil)
        }
    }

    /// The cases for the values, each value once. Names that would be the same get a number.
    static func cases(of values: [String]) -> [(name: String, value: String)] {
        var names = UniqueNames(separator: "")
        var cases: [(name: String, value: String)] = []
        for value in values where !cases.contains(where: { $0.value.utf8.elementsEqual(value.utf8) }) {
            let base = SwiftNames.value(
                String(value.prefix(40)), role: "case", taken: ["allCases", "rawValue", "hashValue", "none", "some"])
            cases.append((names.take(base == "case" ? "case\(cases.count + 1)" : base), value))
        }
        return cases
    }

    /// A value as a literal of the param's type; nil if the literal would be sent as a different string.
    private static func literal(_ value: OrderedJSON, _ kind: Code.Kind, _ option: OptionType?) -> String? {
        switch (kind, value) {
        case (.string, .string(let text)): return SwiftText.literal(text)
        case (.int, .number(let text)): return Int(text).flatMap { String($0) == text ? $0.swiftLiteral : nil }
        case (.double, .number(let text)):
            if let whole = Int(text) { return String(whole) == text && abs(whole) < 1 << 53 ? whole.swiftLiteral : nil }
            guard let number = Double(text), "\(number)" == text, !text.contains("e"), number.magnitude < 1_000_000
            else { return nil }
            return text
        case (.bool, .bool(let value)): return "\(value)"
        case (.option, _):
            let text = value.plainText
            return option?.cases.first { $0.value.utf8.elementsEqual(text.utf8) }.map {
                ".\(SwiftNames.quoted($0.name))"
            }
        case (.list(let item, _), .array(let elements)):
            let literals = elements.map { literal($0, item, option) }
            return literals.contains(nil) ? nil : "[\(literals.compactMap(\.self).joined(separator: ", "))]"
        default: return nil
        }
    }

    private static func limits(of parameter: Parameter) -> [String] {
        var limits: [String] = []
        if let minimum = parameter.minimum { limits.append("at least \(minimum.text)") }
        if let maximum = parameter.maximum { limits.append("at most \(maximum.text)") }
        if let minimum = parameter.minimumLength { limits.append("at least \(minimum) characters") }
        if let maximum = parameter.maximumLength { limits.append("at most \(maximum) characters") }
        if let minimum = parameter.minimumCount { limits.append("at least \(minimum) items") }
        if let maximum = parameter.maximumCount { limits.append("at most \(maximum) items") }
        if let pattern = parameter.pattern { limits.append("matches `\(pattern.value)`") }
        guard let first = limits.first else { return [] }
        let others = limits.dropFirst()
        return [([first.prefix(1).uppercased() + first.dropFirst()] + others).joined(separator: ", ")]
    }
}
