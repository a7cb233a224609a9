package import Definitions
import NearNames
package import SourceText

/// The values of an endpoint's params in one call.
package struct Parameters: Sendable {
    package fileprivate(set) var values: [String: OrderedJSON] = [:]
    /// Values that are never shown, with the param that they belong to.
    package fileprivate(set) var secrets: [(name: String, value: String)] = []
    /// What `alias.capture=value` said instead of running the endpoint behind the alias.
    package fileprivate(set) var captures: [String: [String: OrderedJSON]] = [:]
}

/// A call that doesn't fit the endpoint's params.
package struct ParameterProblem: Error, Sendable, Equatable {
    package let message: String
    package let hint: String?
}

extension Parameters {
    /// Reads arguments as the endpoint's params; every problem, and the values as far as they could be read.
    package static func bind(
        _ arguments: [ParameterArgument], to endpoint: LocatedEndpoint, world: World
    ) -> (parameters: Parameters, problems: [ParameterProblem]) {
        var result = Parameters()
        var problems: [ParameterProblem] = []
        let declared = endpoint.parameters
        for argument in arguments {
            if result.takeCapture(argument, endpoint) { continue }
            guard let parameter = declared[named: argument.name] else {
                problems.append(unknown(argument.name, endpoint))
                continue
            }
            switch read(argument, as: parameter, world) {
            case .success(let value): result.set(argument.name, value, parameter)
            case .failure(let problem): problems.append(problem)
            }
        }
        let given = Set(arguments.map(\.name))
        for parameter in declared where !given.contains(parameter.name) {
            if let value = parameter.value.defaultValue {
                result.set(parameter.name, value.value, parameter.value)
            } else if parameter.value.isRequired {
                problems.append(missing(parameter, endpoint))
            }
        }
        return (result, problems)
    }

    /// The required params that a call doesn't give: a terminal can be asked for them.
    package static func missing(
        from arguments: [ParameterArgument], of endpoint: LocatedEndpoint
    ) -> [Named<Parameter>] {
        endpoint.parameters.filter { parameter in
            parameter.value.isRequired && !arguments.contains { $0.name == parameter.name }
        }
    }

    private mutating func set(_ name: String, _ value: OrderedJSON, _ parameter: Parameter) {
        values[name] = value
        if parameter.isSecret { secrets.append((name, ValueText.text(of: value))) }
    }

    private mutating func takeCapture(_ argument: ParameterArgument, _ endpoint: LocatedEndpoint) -> Bool {
        let parts = argument.name.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2, endpoint.needs[named: parts[0]] != nil, case .text(let text) = argument.source else {
            return false
        }
        captures[parts[0], default: [:]][parts[1]] = .string(text)
        return true
    }

    // MARK: Messages

    private static func unknown(_ name: String, _ endpoint: LocatedEndpoint) -> ParameterProblem {
        let names = endpoint.parameters.map(\.name)
        return ParameterProblem(
            message: "\(endpoint.id) has no param \"\(name)\"",
            hint: NearNames.question(for: name, among: names)
                ?? (names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"))
    }

    private static func missing(_ parameter: Named<Parameter>, _ endpoint: LocatedEndpoint) -> ParameterProblem {
        let summary = parameter.value.summary.map { " (\($0))" } ?? ""
        let example = parameter.value.example.map { ValueText.text(of: $0.value) } ?? "…"
        return ParameterProblem(
            message: "\(endpoint.id) needs the param \"\(parameter.name)\"\(summary)",
            hint: "give it as \(parameter.name)=\(example)")
    }
}

// MARK: - Reading

extension Parameters {
    private static func read(
        _ argument: ParameterArgument, as parameter: Parameter, _ world: World
    ) -> Result<OrderedJSON, ParameterProblem> {
        let text: String
        switch argument.source {
        case .value(let value): return checked(value, argument.name, parameter, found: value.shortDescription)
        case .text(let given): text = given
        case .file(let path):
            do throws(FileProblem) {
                let bytes = try path == "-" ? world.standardInput() : world.files.read(path, Workspace.largestFile)
                guard let content = String(validating: bytes, as: UTF8.self) else {
                    return .failure(
                        ParameterProblem(
                            message: "\"\(path)\", the value of \(argument.name), is not UTF-8 text", hint: nil))
                }
                text = content
            } catch {
                return .failure(
                    ParameterProblem(
                        message: "\"\(path)\", the value of \(argument.name), can't be read: \(error.reason)", hint: nil
                    ))
            }
        }
        return value(of: text, argument.name, parameter, world)
    }

    private static func value(
        of text: String, _ name: String, _ parameter: Parameter, _ world: World
    ) -> Result<OrderedJSON, ParameterProblem> {
        let found = OrderedJSON.string(text).shortDescription
        func wrong(_ complaint: String, hint: String? = nil) -> Result<OrderedJSON, ParameterProblem> {
            .failure(ParameterProblem(message: "\(name) \(complaint); found \(found)", hint: hint))
        }
        switch parameter.kind {
        case .string: return checked(.string(text), name, parameter, found: found)
        case .file:
            guard world.files.kind(text) == .file else { return wrong("takes the path of a file that exists") }
            return checked(.string(text), name, parameter, found: found)
        case .boolean:
            guard text == "true" || text == "false" else { return wrong("takes true or false") }
            return .success(.bool(text == "true"))
        case .integer, .number:
            guard JSONNumber(text) != nil else { return wrong("takes \(parameter.kind.phrase)") }
            return checked(.number(text), name, parameter, found: found)
        case .json:
            let document = JSONDocument.read(SourceFile(name: name, text: text))
            if let problem = document.problems.first {
                let position = document.file.position(of: problem.range.lowerBound)
                return wrong(
                    "takes JSON", hint: "\(problem.message) (line \(position.line), column \(position.column))")
            }
            return checked(document.root.map { OrderedJSON($0) } ?? .null, name, parameter, found: found)
        }
    }

    private static func checked(
        _ value: OrderedJSON, _ name: String, _ parameter: Parameter, found: String
    ) -> Result<OrderedJSON, ParameterProblem> {
        if let complaint = parameter.complaint(about: value) {
            return .failure(ParameterProblem(message: "\(name) \(complaint); found \(found)", hint: nil))
        }
        return .success(value)
    }
}
