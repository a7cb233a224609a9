import Definitions
import NearNames
import SourceText

/// What a template came to.
enum Evaluated<Value> {
    case value(Value)
    /// Nothing but an optional param that wasn't given.
    case absent
    /// It couldn't be resolved; what was wrong has been reported.
    case failed

    func map<Other>(_ transform: (Value) -> Other) -> Evaluated<Other> {
        switch self {
        case .value(let value): .value(transform(value))
        case .absent: .absent
        case .failed: .failed
        }
    }
}

/// Fills templates with values, and gathers what can't be filled.
struct Evaluation {
    let call: Call
    let parameters: Parameters
    let world: World
    private(set) var secrets: SecretStore
    private(set) var diagnostics: [Diagnostic] = []
    private(set) var usageProblems: [ParameterProblem] = []
    /// A variable has one value in one request, however often it is used.
    private var variables: [String: Evaluated<OrderedJSON>] = [:]
    private var variablesInProgress: [String] = []
    /// The time is asked for once: all of a request happens at one time.
    private var time: Double?

    init(call: Call, parameters: Parameters, world: World) {
        self.call = call
        self.parameters = parameters
        self.world = world
        secrets = SecretStore(call: call, world: world)
    }

    mutating func report(_ code: Diagnostic.Code, _ message: String, at place: Place, hint: String? = nil) {
        let diagnostic = Diagnostic(code: code, message, at: place, hint: hint)
        if !diagnostics.contains(diagnostic) { diagnostics.append(diagnostic) }
    }

    /// What is wrong with a flag's value.
    mutating func reportUsage(_ message: String, flag: String?) {
        usageProblems.append(ParameterProblem(message: (flag.map { "\($0): " } ?? "") + message, hint: nil))
    }

    /// The secrets that were needed, and what must not be shown besides.
    var usedSecrets: [ResolvedSecret] { secrets.resolved + parameters.secrets + call.capturedSecrets }
}

// MARK: - Templates

extension Evaluation {
    mutating func json(_ template: ValueTemplate) -> Evaluated<OrderedJSON> {
        switch template {
        case .text(let text): return value(text)
        case .scalar(let value, _): return .value(value)
        case .choice(let choice):
            guard let picked = pick(choice) else { return .failed }
            return picked.map { json($0) } ?? .absent
        case .list(let elements, _):
            var result: [OrderedJSON] = []
            var isWhole = true
            for element in elements {
                switch json(element) {
                case .value(let value): result.append(value)
                case .absent: continue
                case .failed: isWhole = false
                }
            }
            return isWhole ? .value(.array(result)) : .failed
        case .object(let members, _):
            var result: [OrderedJSON.Member] = []
            var isWhole = true
            for member in members {
                switch json(member.value) {
                case .value(let value): result.append(OrderedJSON.Member(member.name, value))
                case .absent: continue
                case .failed: isWhole = false
                }
            }
            return isWhole ? .value(.object(result)) : .failed
        }
    }

    mutating func text(_ template: ValueTemplate) -> Evaluated<String> {
        json(template).map(ValueText.text)
    }

    /// The texts of values that stand under one name: an array stands for its elements. Absent ones are left out, and with
    /// nothing else all of it is absent.
    mutating func texts(_ templates: [ValueTemplate]) -> Evaluated<[String]> {
        var result: [String] = []
        var isWhole = true
        var isSaid = templates.isEmpty
        for template in templates {
            switch json(template) {
            case .value(.array(let elements)):
                result += elements.map(ValueText.text)
                isSaid = true
            case .value(let value):
                result.append(ValueText.text(of: value))
                isSaid = true
            case .absent: continue
            case .failed: isWhole = false
            }
        }
        return !isWhole ? .failed : isSaid ? .value(result) : .absent
    }

    /// A text that is one placeholder takes the value's type; any other is text.
    private mutating func value(_ template: TextTemplate) -> Evaluated<OrderedJSON> {
        if let only = template.onlyPlaceholder { return value(of: only) }
        return text(template).map { .string($0) }
    }

    mutating func text(_ template: TextTemplate) -> Evaluated<String> {
        if let only = template.onlyPlaceholder { return text(of: only) }
        var result = ""
        var isWhole = true
        for piece in template.pieces {
            switch piece {
            case .literal(let text): result += text
            case .placeholder(let placeholder):
                if let text = required(placeholder) { result += text } else { isWhole = false }
            }
        }
        return isWhole ? .value(result) : .failed
    }

    /// The case of a `$switch`: nil if it can't be decided, nil inside if it is decided that there is none.
    private mutating func pick(_ choice: ValueTemplate.Switch) -> ValueTemplate?? {
        switch text(choice.subject) {
        case .failed: return nil
        case .absent: return .some(choice.otherwise)
        case .value(let value):
            if let found = choice.cases[named: value] { return found }
            if let otherwise = choice.otherwise { return otherwise }
            let names = choice.cases.map(\.name.quoted).joined(separator: ", ")
            report(
                .valueUnresolved, "this $switch has no case for \(value.quoted)", at: choice.subject.place,
                hint: "it has \(names); \"$default\" would catch the rest")
            return nil
        }
    }
}

// MARK: - Placeholders

extension Evaluation {
    mutating func text(of placeholder: Located<Placeholder>) -> Evaluated<String> {
        value(of: placeholder).map(ValueText.text)
    }

    /// A value inside a longer text, which can't do without; nil if there is none, which has been reported.
    mutating func required(_ placeholder: Located<Placeholder>) -> String? {
        switch text(of: placeholder) {
        case .value(let text): return text
        case .failed: return nil
        case .absent:
            report(
                .valueUnresolved,
                "\"\(placeholder.value.text)\" was not given, and the text around it can't do without",
                at: placeholder.place, hint: "give it, or give the param a default")
            return nil
        }
    }

    private mutating func value(of placeholder: Located<Placeholder>) -> Evaluated<OrderedJSON> {
        switch placeholder.value {
        case .name(let name): return named(name, placeholder.place)
        case .generated(let generated): return .value(make(generated))
        case .processVariable(let name):
            if let value = secrets.variable(name) { return .value(.string(value.value)) }
            report(
                .valueUnresolved, "the environment variable \(name) is not set", at: placeholder.place,
                hint: "export it, or put it into .env")
            return .failed
        case .capture(let alias, let name): return capture(alias, name, placeholder.place)
        case .secret(let name):
            switch secrets.secret(name, at: placeholder.place) {
            case .success(let value): return .value(.string(value))
            case .failure(let problem):
                report(problem.code, problem.message, at: problem.place, hint: problem.hint)
                return .failed
            }
        }
    }

    private mutating func named(_ name: String, _ place: Place) -> Evaluated<OrderedJSON> {
        if let value = parameters.values[name] { return .value(value) }
        // What is wrong with it is told once, not at each place where it is used.
        if parameters.unresolved.contains(name) { return .failed }
        if call.endpoint.parameters[named: name] != nil { return .absent }
        if let known = variables[name] { return known }
        guard let variable = call.environment.variables[named: name], let template = variable.value.value else {
            let known = call.endpoint.parameters.map(\.name) + call.environment.variables.map(\.name)
            report(
                .valueUnresolved,
                "\"{{\(name)}}\" is neither a param of \(call.endpoint.id) nor a variable of \(call.environment.name)",
                at: place, hint: NearNames.question(for: name, among: known))
            return .failed
        }
        if let start = variablesInProgress.firstIndex(of: name) {
            let circle = (variablesInProgress[start...] + [name]).joined(separator: " → ")
            report(.variableCycle, "variables stand for each other in a circle: \(circle)", at: variable.place)
            return .failed
        }
        variablesInProgress.append(name)
        defer { variablesInProgress.removeLast() }
        let value = json(template)
        variables[name] = value
        return value
    }

    private mutating func capture(_ alias: String, _ name: String, _ place: Place) -> Evaluated<OrderedJSON> {
        if let value = parameters.captures[alias]?[name] ?? call.captures[alias]?[name] { return .value(value) }
        if let needed = call.endpoint.needs[named: alias]?.endpoint?.value {
            report(
                .valueUnresolved, "\"{{\(alias).\(name)}}\" comes from \(needed), which has not been sent", at: place,
                hint: "give it as \(alias).\(name)=…")
        } else {
            report(
                .valueUnresolved, "\"\(alias)\" is not an alias in \"needs\"", at: place,
                hint: NearNames.question(for: alias, among: call.endpoint.needs.map(\.name) + ["secret"]))
        }
        return .failed
    }

    private mutating func make(_ generated: Placeholder.Generated) -> OrderedJSON {
        switch generated {
        case .uuid: .string(world.uuid())
        case .timestamp: .number(String(Int(now().rounded(.down))))
        case .isoTimestamp: .string(Timestamp.iso8601(now()))
        case .randomInt: .number(String(world.randomInt()))
        }
    }

    private mutating func now() -> Double {
        let now = time ?? world.now()
        time = now
        return now
    }
}
