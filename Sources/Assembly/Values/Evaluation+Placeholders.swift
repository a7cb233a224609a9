import Definitions
import NearNames
import RequestBuilding
import SourceText

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

    mutating func value(of placeholder: Located<Placeholder>) -> Evaluated<OrderedJSON> {
        if call.awaited.isEverything { return awaitValue() }
        switch placeholder.value {
        case .name(let name): return named(name, placeholder.place)
        case .generated(let generated): return .value(make(generated, placeholder.place))
        case .processVariable(let name):
            if let variable = secrets.variable(name) {
                if variable.isText { return given(.string(variable.value), placeholder.place) }
                report(
                    .valueUnresolved, "the environment variable \(name) is not UTF-8 text", at: placeholder.place)
                return .failed
            }
            report(
                .valueUnresolved, "the environment variable \(name) is not set", at: placeholder.place,
                hint: "export it, or put it into .env")
            return .failed
        case .capture(let alias, let name): return capture(alias, name, placeholder.place)
        case .secret(let name):
            switch secrets.secret(name, at: placeholder.place) {
            case .success(let value): return given(.string(value), placeholder.place)
            case .failure(let problem):
                report(problem.code, problem.message, at: problem.place, hint: problem.hint)
                return .failed
            }
        }
    }

    /// Fills what an environment says, its own headers for example.
    mutating func inEnvironment<Result>(_ fill: (inout Evaluation) -> Result) -> Result {
        isInEnvironment = true
        defer { isInEnvironment = false }
        return fill(&self)
    }

    /// Whether it is something of the environment's own that is filled, a variable's value for example: no endpoint gets
    /// into it.
    private var isOfEnvironment: Bool { isInEnvironment || !variablesInProgress.isEmpty }

    private mutating func named(_ name: String, _ place: Place) -> Evaluated<OrderedJSON> {
        if !isOfEnvironment, let value = parameter(name, place) { return value }
        if let known = variables[name] { return take(known, at: place) }
        guard let variable = call.environment.variables[named: name], let template = variable.value.value else {
            reportUnknown(name, place)
            return .failed
        }
        if let start = variablesInProgress.firstIndex(of: name) {
            let circle = (variablesInProgress[start...] + [name]).joined(separator: " → ")
            report(.variableCycle, "variables refer to each other in a cycle: \(circle)", at: variable.place)
            return .failed
        }
        variablesInProgress.append(name)
        let filled = measuring { $0.json(template) }
        variablesInProgress.removeLast()
        variables[name] = filled
        return take(filled, at: place)
    }

    /// The value of the endpoint's param of that name; nil if it has none.
    private mutating func parameter(_ name: String, _ place: Place) -> Evaluated<OrderedJSON>? {
        if let value = parameters.values[name] { return given(value, place) }
        if parameters.awaited.contains(name) { return awaitValue() }
        // Its problem is reported once, not at each place that uses it.
        if parameters.unresolved.contains(name) { return .failed }
        return call.endpoint.parameters.contains { $0.name == name } ? .absent : nil
    }

    /// A value from outside the files: how deep that nests has been looked at where it was read.
    private mutating func given(_ value: OrderedJSON, _ place: Place) -> Evaluated<OrderedJSON> {
        take(value, ValueSize(bytes: ValueSize(of: value).bytes), at: place)
    }

    private mutating func reportUnknown(_ name: String, _ place: Place) {
        let environment = call.environment
        let variables = environment.variables.map(\.name)
        guard !isOfEnvironment else {
            report(
                .valueUnresolved, "\"{{\(name)}}\" is not a variable of \(environment.name)", at: place,
                hint: NearNames.question(for: name, among: variables)
                    ?? "declare it in \"variables\"; params exist only in their endpoint")
            return
        }
        report(
            .valueUnresolved,
            "\"{{\(name)}}\" is neither a param of \(call.endpoint.id) nor a variable of \(environment.name)",
            at: place,
            hint: NearNames.question(for: name, among: call.endpoint.parameters.map(\.name) + variables))
    }

    private mutating func capture(_ alias: String, _ name: String, _ place: Place) -> Evaluated<OrderedJSON> {
        if isOfEnvironment {
            report(
                .valueUnresolved, "\"{{\(alias).\(name)}}\" is a capture, but an environment has no \"needs\"",
                at: place,
                hint: NearNames.question(for: alias, among: ["secret"])
                    ?? "use it in an endpoint, or in the \"defaults\" of a group")
            return .failed
        }
        if let value = parameters.captures[alias]?[name] ?? call.captures[alias]?[name] {
            return given(value, place)
        }
        if call.awaited.captures[alias]?.contains(name) == true { return awaitValue() }
        if let known = call.awaited.captures[alias] {
            let needed = call.endpoint.needs[named: alias]?.endpoint?.value ?? alias
            report(
                .valueUnresolved, "\(needed), the endpoint of \"\(alias)\", has no capture \"\(name)\"", at: place,
                hint: NearNames.question(for: name, among: known.sorted()) ?? "add it to that endpoint's \"capture\"")
        } else if let needed = call.endpoint.needs[named: alias]?.endpoint?.value {
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

    /// In a variable it is the same for all that belongs to a request, elsewhere each is another.
    private mutating func make(_ generated: Placeholder.Generated, _ place: Place) -> OrderedJSON {
        durability = min(durability, generated.durability)
        guard !variablesInProgress.isEmpty else { return made(generated) }
        let value = drawn[place] ?? made(generated)
        drawn[place] = value
        return value
    }

    private mutating func made(_ generated: Placeholder.Generated) -> OrderedJSON {
        switch generated {
        case .uuid: .string(world.uuid())
        case .timestamp: .number(String(Int(now().rounded(.down))))
        case .isoTimestamp: .string(Timestamp.iso8601(now()))
        case .randomInt: .number(String(world.randomInt()))
        }
    }

    private mutating func now() -> Double {
        let now = drawn.time ?? world.clock.date()
        drawn.time = now
        return now
    }
}

extension Placeholder.Generated {
    /// For how long a request with such a value is the right one.
    fileprivate var durability: Durability {
        switch self {
        case .uuid, .randomInt: .unique
        case .timestamp, .isoTimestamp: .momentary
        }
    }
}
