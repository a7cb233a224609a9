import ReqcliBasics
package import ReqcliDefinitions
package import ReqcliText

/// The values of an endpoint's params in one call.
package struct Parameters: Sendable {
    package private(set) var values: [String: OrderedJSON] = [:]
    /// The secret values, which must not be shown.
    package private(set) var secrets: [ResolvedSecret] = []
    /// Captures given as `alias.capture=value`, so that the request of the needed endpoint isn't sent.
    package private(set) var captures: [String: [String: OrderedJSON]] = [:]
    /// Params whose values are exactly what the caller typed.
    private(set) var typed: Set<String> = []
    /// Problems with the definitions of the given params.
    private(set) var diagnostics: [Diagnostic] = []
    /// Params without a usable value: the value is missing, or there is a problem with it.
    private(set) var unresolved: Set<String> = []
    /// Params whose values become known only during the run.
    private(set) var awaited: Set<String> = []
    /// The param that reads standard input. Only one param can read it.
    private(set) var standardInputReader: String?
    /// The position of each of the endpoint's params, by name.
    private var positions: [String: Int]

    private init(_ endpoint: LocatedEndpoint) { positions = endpoint.parameters.positions() }

    /// Whether the endpoint has a param of this name.
    func isDefined(_ name: String) -> Bool { positions[name] != nil }

    private func definition(_ name: String, _ endpoint: LocatedEndpoint) -> Parameter? {
        positions[name].map { endpoint.parameters[$0].value }
    }
}

extension Parameters {
    /// Reads a call's arguments as the endpoint's params. Returns every problem, and all values that could be read.
    ///
    /// - Parameter isWhole: False if required params may still be missing.
    static func bind(
        _ call: Call, world: World, isWhole: Bool = true
    ) -> (parameters: Parameters, problems: [Diagnostic]) {
        let endpoint = call.endpoint
        var result = Parameters(endpoint)
        var problems: [Diagnostic] = []
        var given: [String: [ParameterArgument]] = [:]
        let unchecked = call.unchecked?.name
        for argument in call.arguments where argument.name != unchecked {
            given[argument.name, default: []].append(argument)
        }
        let reader = ParameterReader(workspace: call.workspace, world: world, redactor: call.redactor)
        var taken: Set<String> = []
        for argument in call.arguments where argument.name != unchecked && taken.insert(argument.name).inserted {
            do throws(Failure) {
                try result.take(given[argument.name] ?? [argument], endpoint, call.workspace, reader)
            } catch {
                problems += error.diagnostics
                result.unresolved.insert(argument.name)
            }
        }
        result.take(call.unchecked, endpoint)
        for parameter in endpoint.parameters
        where parameter.name != unchecked && !result.hasValue(parameter, given[parameter.name] != nil) {
            if call.awaited.isEverything || call.awaited.parameters.contains(parameter.name) {
                result.awaited.insert(parameter.name)
            } else if let value = parameter.value.defaultValue, given[parameter.name] == nil {
                result.set(parameter.name, value.value, parameter.value)
                let problem =
                    parameter.value.patternProblem ?? parameter.value.schemaProblem(call.workspace.schemas)
                    ?? parameter.value.mismatch(of: value, called: "default")
                    ?? parameter.value.mismatch(of: value, called: "default", call.workspace.schemas)
                result.note(problem, with: parameter.name)
            } else if parameter.value.isRequired, isWhole {
                problems += missing(parameter, endpoint).diagnostics
                result.unresolved.insert(parameter.name)
            }
        }
        return (result, problems)
    }

    /// The required params for which a call has no argument. At a terminal, the user can be asked for their values.
    package static func missing(
        from arguments: [ParameterArgument], of endpoint: LocatedEndpoint
    ) -> [Named<Parameter>] {
        endpoint.parameters.filter { parameter in
            parameter.value.isRequired && parameter.value.defaultValue == nil
                && !arguments.contains { $0.name == parameter.name }
        }
    }

    /// Whether a param already has a value. An empty list doesn't count as a value.
    private func hasValue(_ parameter: Named<Parameter>, _ isGiven: Bool) -> Bool {
        isGiven
            && (parameter.value.kind != .list || values[parameter.name] != nil || unresolved.contains(parameter.name))
    }

    private mutating func take(_ unchecked: UncheckedValue?, _ endpoint: LocatedEndpoint) {
        guard let name = unchecked?.name, let value = unchecked?.value,
            let parameter = definition(name, endpoint)
        else { return }
        set(name, value, parameter)
    }

    /// Takes all arguments with one name. Only a list param may have several arguments.
    private mutating func take(
        _ arguments: [ParameterArgument], _ endpoint: LocatedEndpoint, _ workspace: Workspace, _ reader: ParameterReader
    ) throws(Failure) {
        let parameter = definition(arguments[0].name, endpoint)
        if arguments.count > 1, parameter?.kind != .list {
            throw Failure(parameter: "\(own: arguments[0].name) is given twice", hint: "keep one of the two values")
        }
        for argument in arguments { try claimStandardInput(argument) }
        let argument = arguments[0]
        if let parameter {
            let value = try reader.value(of: arguments, as: parameter)
            if case .text = argument.source, argument.isTyped { typed.insert(argument.name) }
            note(parameter.patternProblem ?? parameter.schemaProblem(workspace.schemas), with: argument.name)
            set(argument.name, value, parameter)
        } else if let capture = try Self.capture(argument.name, endpoint) {
            let value = try reader.captured(argument)
            captures[capture.alias, default: [:]][capture.name] = value
            if Self.isSecret(capture.alias, capture.name, endpoint, workspace) {
                secrets += value.secretTexts.map {
                    ResolvedSecret(name: argument.name, value: $0, origin: .capture)
                }
            }
        } else {
            throw Self.unknown(argument.name, endpoint)
        }
    }

    private mutating func claimStandardInput(_ argument: ParameterArgument) throws(Failure) {
        guard argument.source == .file("-") else { return }
        if let other = standardInputReader { throw Failure(secondReader: argument.name, besides: other) }
        standardInputReader = argument.name
    }

    /// Records a problem with the definition of a param.
    private mutating func note(_ problem: Diagnostic?, with name: String) {
        guard let problem else { return }
        diagnostics.append(problem)
        unresolved.insert(name)
    }

    private mutating func set(_ name: String, _ value: OrderedJSON, _ parameter: Parameter) {
        let value = parameter.plain(value)
        if parameter.kind == .list, value == .array([]) { return }
        values[name] = value
        guard parameter.isSecret else { return }
        secrets += value.secretTexts.map { ResolvedSecret(name: name, value: $0, origin: .parameter) }
    }

    /// Whether the endpoint with this alias marks the capture as secret. True if the endpoint can't be read.
    private static func isSecret(
        _ alias: String, _ name: String, _ endpoint: LocatedEndpoint, _ workspace: Workspace
    ) -> Bool {
        guard let id = endpoint.needs[named: alias]?.endpoint?.value,
            case .found(let needed) = workspace.endpoint(id).value
        else { return true }
        return needed.definition.captures[named: name]?.isSecret ?? false
    }

    // MARK: Names

    /// The capture that a name such as `login.token` means, if the endpoint uses it.
    private static func capture(
        _ name: String, _ endpoint: LocatedEndpoint
    ) throws(Failure) -> (alias: String, name: String)? {
        let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, endpoint.needs[named: parts[0]] != nil else { return nil }
        let used = endpoint.usedCaptures
        guard used.contains(name) else {
            throw Failure(
                parameter: "\(own: endpoint.id) does not use \"\(name)\"",
                hint: NearNames.question(for: name, among: used).map(Wording.init(own:))
                    ?? (used.isEmpty ? nil : "captures that the endpoint uses: \(own: used.joined(separator: ", "))"))
        }
        return (parts[0], parts[1])
    }

    private static func unknown(_ name: String, _ endpoint: LocatedEndpoint) -> Failure {
        let names = endpoint.parameters.map(\.name)
        return Failure(
            parameter: "\(own: endpoint.id) has no param \"\(name)\"",
            hint: NearNames.question(for: name, among: names + endpoint.usedCaptures).map(Wording.init(own:))
                ?? (names.isEmpty
                    ? "the endpoint has no params" : "params of the endpoint: \(own: names.joined(separator: ", "))"))
    }

    private static func missing(_ parameter: Named<Parameter>, _ endpoint: LocatedEndpoint) -> Failure {
        let summary = parameter.value.summary.map { " (\($0))" } ?? ""
        let example = parameter.value.isSecret ? nil : parameter.value.exampleValues.first.map(ValueText.text)
        return Failure(
            parameter: "\(own: endpoint.id) needs the param \"\(own: parameter.name)\"\(own: summary)",
            hint: "give it as \(own: quoted("\(parameter.name)=\(example ?? "…")"))")
    }

    /// A word, quoted for a shell where necessary.
    private static func quoted(_ word: String) -> String {
        guard word.contains(where: { " \t\n\"'\\$&|;<>()*?[]{}#~`!".contains($0) }) else { return word }
        return "'\(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
    }
}

extension Failure {
    /// The failure of a call that doesn't fit the endpoint's params.
    init(parameter wording: Wording, hint: Wording? = nil) {
        self.init(.usage, code: .parameterInvalid, wording, hint: hint)
    }

    /// The failure if two arguments read standard input, which can be read only once.
    init(secondReader name: String, besides other: String) {
        self.init(parameter: "\(own: name) cannot read standard input: \(own: other) already reads it")
    }
}
