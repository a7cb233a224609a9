import ReqcliDefinitions
import ReqcliFunctions
import ReqcliText

/// Translates templates of the files into expressions, for a call or for an environment.
struct RequestCode {
    private let source: GenerationSource
    /// The properties of the call, by the names of the params; empty for an environment.
    let parameters: [String: ParameterCode]
    /// The names of the params in the order of the files.
    let order: [String]
    /// The ids of needed endpoints by alias.
    let needs: [String: String]
    /// The variables whose values may be lists. A list is sent as several values under the same name.
    let listVariables: Set<String>
    /// The params whose values must not be shown.
    let secretParameters: Set<String>
    /// Whether the call has the whole body as a property.
    let isBodyTyped: Bool
    /// The captures that are used, in the order of their use.
    private(set) var captures: [ParameterCode] = []
    /// The names of the values that the code reads from `values`. The environment must provide these values.
    private(set) var usedValues: Set<String> = []
    /// The names that a `$switch` uses, in its subject or its cases, and those that functions change.
    var hiddenNames: Set<String> = []
    /// The statements that must come before the operators that are being made.
    private(set) var statements: [(inout CodeLines) -> Void] = []
    var importsFoundation = false
    var importsFunctions = false
    var importsNetworking = false
    private var locals: Set<String>

    init(
        of source: GenerationSource, parameters: [ParameterCode] = [], needs: [String: String] = [:],
        listVariables: Set<String>, secretParameters: Set<String> = [], isBodyTyped: Bool = false
    ) {
        self.source = source
        self.isBodyTyped = isBodyTyped
        self.parameters = Dictionary(parameters.map { ($0.source, $0) }, uniquingKeysWith: { first, _ in first })
        order = parameters.map(\.source)
        self.needs = needs
        self.listVariables = listVariables
        self.secretParameters = secretParameters
        locals = Set(parameters.map(\.name)).union(["request", "values"])
    }

    /// Returns and removes the statements for the operators made since the last call of this function.
    mutating func takeStatements() -> [(inout CodeLines) -> Void] {
        defer { statements = [] }
        return statements
    }

    mutating func local(_ base: String) -> String {
        var number = 1
        while !locals.insert("\(base)\(number)").inserted { number += 1 }
        return "\(base)\(number)"
    }

    mutating func add(_ statement: @escaping (inout CodeLines) -> Void) { statements.append(statement) }

    // MARK: Placeholders

    mutating func code(of placeholder: Located<Placeholder>) -> Code {
        switch placeholder.value {
        case .name(let name): return code(named: name)
        case .secret(let name): return value("secret.\(name)", .json, isSingle: true)
        case .processVariable(let name): return value("$env.\(name)", .json, isSingle: true)
        case .capture(let alias, let name): return capture(alias, name)
        case .computed(let computed):
            let code = Code(
                "\(CodeMark.throwing.rawValue)values.computed(\(arguments(of: computed, placeholder)))", .json,
                isOptional: true)
            if !computed.pipeline.mayGiveList { singles.insert(code.text) }
            return code
        case .generated(let generated):
            let mark = CodeMark.values.rawValue
            var name: String { self.name(of: placeholder) }
            let code =
                switch generated {
                case .uuid: Code("\(mark)values.uuid(at: \(name))", .string)
                case .timestamp: Code("\(mark)values.timestamp", .json)
                case .isoTimestamp: Code("\(mark)values.isoTimestamp", .string)
                case .randomInt: Code("\(mark)values.randomInt(at: \(name))", .json)
                }
            singles.insert(code.text)
            return code
        }
    }

    /// The value of a param or a variable.
    mutating func code(named name: String) -> Code {
        if let parameter = parameters[name] { return parameter.value }
        return listVariables.contains(name) ? value(name, .json) : value(name, .json, isSingle: true)
    }

    /// The arguments for a placeholder with functions: the placeholder, the values in it, and its name if it is random.
    ///
    /// - Parameter isGiven: Whether the value of a name is an argument.
    mutating func arguments(
        of computed: ComputedPlaceholder, _ placeholder: Located<Placeholder>,
        giving isGiven: (Placeholder) -> Bool = { _ in true }
    ) -> String {
        importsFunctions = true
        for case .name(let name) in computed.inner.map(\.value) { hiddenNames.insert(name) }
        let inputs = computed.inner.filter { isGiven($0.value) }.map { inner in
            // With `default`, a process variable may be missing.
            guard computed.pipeline.fillsGaps, case .processVariable(let name) = inner.value else {
                return code(of: inner).json.text
            }
            usedValues.insert("$env.\(name)")
            return "\(CodeMark.throwing.rawValue)values.optional(\(SwiftText.literal("$env.\(name)")))"
        }
        var arguments = [SwiftText.literal(computed.text)]
        if !inputs.isEmpty { arguments.append("[\(inputs.joined(separator: ", "))]") }
        if computed.pipeline.isRandom { arguments.append("at: \(name(of: placeholder))") }
        return arguments.joined(separator: ", ")
    }

    /// The name of a placeholder, as a literal.
    func name(of placeholder: Located<Placeholder>) -> String { SwiftText.literal(source.name(of: placeholder)) }

    private mutating func value(_ name: String, _ kind: Code.Kind, isSingle: Bool = false) -> Code {
        usedValues.insert(name)
        let code = Code("\(CodeMark.throwing.rawValue)values[\(SwiftText.literal(name))]", kind)
        if isSingle { singles.insert(code.text) }
        return code
    }

    /// The code of expressions whose JSON value is never a list.
    private var singles: Set<String> = []

    /// The strings of a value that may be sent several times under one name; nil if the value is a single string.
    func repeated(_ code: Code) -> Code? { singles.contains(code.text) ? nil : code.repeated }

    private mutating func capture(_ alias: String, _ name: String) -> Code {
        let source = "\(alias).\(name)"
        // The captures of an environment's needs are values of the environment.
        guard let endpoint = needs[alias] else { return value(source, .json, isSingle: true) }
        if let known = captures.first(where: { $0.source == source }) { return known.value }
        let place = capturePlace(alias, name)
        let parameter = ParameterCode(capture: name, of: alias, from: endpoint, at: place)
        captures.append(parameter)
        return parameter.value
    }

    var capturePlace: (_ alias: String, _ name: String) -> Place = { _, _ in
        Place(SourceFile(name: "", text: ""), 0..<0)
    }

    /// A value that must not be missing. The generated code throws an error if the value is nil.
    mutating func required(_ code: Code, _ name: String) -> Code {
        guard code.isOptional else { return code }
        return Code(
            "\(CodeMark.throwing.rawValue)values.required(\(code.text), \(SwiftText.literal(name)))", code.kind)
    }

    // MARK: Texts

    /// A string literal. A text of several lines becomes a constant before the operators.
    mutating func literal(_ text: String) -> String {
        guard text.contains("\n") else { return SwiftText.literal(text) }
        let name = local("text")
        add { $0.constant("let \(name)", of: text) }
        return name
    }

    enum Piece {
        case written(String)
        case value(String)
    }

    /// A string literal that contains interpolated values.
    func interpolated(_ pieces: [Piece]) -> String {
        let parts = pieces.map { piece in
            switch piece {
            case .written(let text): SwiftText.interpolated(text)
            case .value(let value): value
            }
        }
        return "\"\(parts.joined())\""
    }

    /// The template as a string expression; an optional if the value may be missing.
    mutating func text(_ template: TextTemplate) -> Code {
        if let only = template.onlyPlaceholder { return code(of: only).asText }
        if let text = template.literal { return Code(literal(text), .string) }
        let pieces = template.pieces.map { piece -> Piece in
            switch piece {
            case .literal(let text): return .written(text)
            case .placeholder(let placeholder):
                let value = required(code(of: placeholder), inText: placeholder.value.text)
                return .value(value.interpolation)
            }
        }
        return Code(interpolated(pieces), .string)
    }

    /// A value inside a longer string. A list becomes one joined string.
    mutating func required(_ code: Code, inText name: String) -> Code {
        if case .list = code.kind { return required(code.asText, name) }
        return required(code, name)
    }

    /// A scalar value as text.
    mutating func text(_ template: ValueTemplate) -> Code {
        switch template {
        case .text(let text): return self.text(text)
        case .choice(let choice): return self.choice(choice, .text)
        case .plain, .scalar, .list, .object:
            if let literal = template.literal { return Code(self.literal(literal.plainText), .string) }
            return json(template).asText
        }
    }

    // MARK: Values under a name that repeats

    enum Texts {
        case none
        case one(Code)
        case many(Code)
    }

    /// The values of a header, a query item or a form field.
    mutating func texts(_ templates: [ValueTemplate]) -> Texts {
        guard let first = templates.first else { return .none }
        let all = templates.map { one($0) }
        if all.count == 1, first.literal?.isEmptyArray != true { return all[0] }
        var parts: [String] = []
        var run: [String] = []
        func endRun() {
            if !run.isEmpty { parts.append("[\(run.joined(separator: ", "))]") }
            run = []
        }
        for texts in all {
            switch texts {
            case .none: continue
            case .one(let code): run.append(code.text)
            case .many(let code):
                endRun()
                parts.append("\(code.text).map { $0 }")
            }
        }
        endRun()
        if parts.count == 1 { return .many(Code(parts[0], .string)) }
        let name = local("list")
        let isThrowing = parts.contains(where: CodeMark.throwing.isIn)
        add { lines in
            lines.add(
                "let \(name): [[String?]] = \(isThrowing ? "try " : "")[\(parts.joined(separator: ", "))]")
        }
        return .many(Code("\(name).flatMap(\\.self)", .string))
    }

    private mutating func one(_ template: ValueTemplate) -> Texts {
        switch template {
        case .text(let text):
            guard let only = text.onlyPlaceholder else { return .one(self.text(text)) }
            let code = code(of: only)
            return repeated(code).map { .many($0) } ?? .one(code.asText)
        case .choice(let choice):
            if choice.isSingle(listVariables, parameters) { return .one(self.choice(choice, .text)) }
            let json = self.choice(choice, .json)
            return json.repeated.map { .many($0) } ?? .one(json.asText)
        case .plain, .scalar, .list, .object:
            if case .array(let elements)? = template.literal {
                return .many(Code("[\(elements.map { literal($0.plainText) }.joined(separator: ", "))]", .string))
            }
            return .one(text(template))
        }
    }
}

extension OrderedJSON {
    fileprivate var isEmptyArray: Bool { self == .array([]) }
}

extension ValueTemplate.Switch {
    /// Whether each case of the `$switch` is a single value, never a list.
    fileprivate func isSingle(_ lists: Set<String>, _ parameters: [String: ParameterCode]) -> Bool {
        (cases.map(\.value) + [otherwise].compactMap(\.self)).allSatisfy { template in
            switch template {
            case .plain(let value): value.kind != .array
            case .scalar: true
            case .list, .object: false
            case .choice(let choice): choice.isSingle(lists, parameters)
            case .text(let text):
                if case .name(let name)? = text.onlyPlaceholder?.value {
                    parameters[name].map { Code($0.source, $0.kind).repeated == nil } ?? !lists.contains(name)
                } else {
                    true
                }
            }
        }
    }
}
