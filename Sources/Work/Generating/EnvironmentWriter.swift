import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// Writes an environment as the base of all requests.
struct EnvironmentWriter {
    let environment: EnvironmentChain
    /// The type that has the environments.
    let owner: String
    /// The name without backticks.
    let name: String
    /// The operations of the environment's layers.
    private(set) var operations: [Operation] = []
    private(set) var notes: [ConversionNote] = []
    private(set) var importsNetworking = false
    private(set) var importsFunctions = false
    /// The parts of a request that the layers have set and that endpoints may remove.
    private(set) var state = LayerCode.State()
    private var values: [(name: String, write: (inout CodeLines) -> Void)] = []
    private var usedValues: Set<String> = []

    init(_ environment: EnvironmentChain, of source: GenerationSource, listVariables: Set<String>) {
        self.environment = environment
        owner = source.environmentType
        name = SwiftNames.value(environment.name, role: "environment")
        let code = RequestCode(of: source, listVariables: listVariables)
        var layers = LayerCode(
            code, states: [environment.name: LayerCode.State()], owner: environment.name,
            workspace: source.workspace)
        layers.add(.header("Accept"), [.init(".header", ["\"Accept\"", "\"*/*\""])])
        layers.add(
            .setting("redirects.follow"),
            [.init(".setting", [".followsRedirects", "false"])])
        layers.add(.setting("compressed"), [.init(".setting", [".decodesContent", "true"])])
        for definition in environment.layers { layers.add(definition.layer) }
        if let policy = environment.layers.last(where: { $0.policy?.set != nil })?.policy,
            environment.policy != nil
        {
            layers.note("policies are not converted", at: policy.place)
        }
        operations = layers.operations.withoutReplacedConstants
        state = layers.states[environment.name] ?? LayerCode.State()
        usedValues = layers.code.usedValues
        importsNetworking = layers.code.importsNetworking
        importsFunctions = layers.code.importsFunctions
        for variable in environment.variables {
            guard let template = variable.value.set else { continue }
            var code = RequestCode(of: source, listVariables: listVariables)
            let value = code.jsonExpression(template)
            importsFunctions = importsFunctions || code.importsFunctions
            usedValues.formUnion(code.usedValues)
            let needed = code.takeStatements()
            let written = SwiftText.literal(variable.name)
            values.append(
                (
                    variable.name,
                    { lines in
                        var body = CodeLines(level: lines.level + 1)
                        for statement in needed { statement(&body) }
                        body.add(
                            (needed.isEmpty ? "" : "return ")
                                + (value.isOptional ? "(\(value.text)) ?? .null" : value.text).withTry)
                        if body.lines.count == 1, !body.usesValues {
                            return lines.call(".value", [written, value.text])
                        }
                        lines.closure(".value(\(written))", body.usesValues ? "values" : "_") { inner in
                            inner.append(body)
                        }
                    }
                ))
        }
        notes = layers.notes
        for secret in environment.secrets {
            if let origins = environment.origins(ofSecret: secret.name) {
                notes.append(
                    ConversionNote(
                        .lost, "the app itself has to keep a secret at its \"origins\"",
                        "\(environment.name), \(secret.name)", at: origins.first?.place ?? secret.namePlace))
            }
            if case .command? = secret.value.set {
                notes.append(
                    ConversionNote(
                        .lost, "a secret from a program becomes a closure of the app",
                        "\(environment.name), \(secret.name)",
                        at: secret.value.place))
            }
        }
    }

    /// The closures that the environment takes. They give the secrets and the process variables that requests use.
    func closures(_ usedByCalls: Set<String>) -> [(value: String, name: String, documentation: String, place: Place?)] {
        let used = usedValues.union(usedByCalls)
        let secrets = environment.secrets.filter { used.contains("secret.\($0.name)") }.map { secret in
            (
                "secret.\(secret.name)", SwiftNames.value(secret.name, role: "secret"),
                secret.value.set.map(\.documentation) ?? "", Optional(secret.namePlace)
            )
        }
        let variables = used.filter { $0.hasPrefix("$env.") }.sorted().map { value in
            let name = String(value.dropFirst(5))
            return (
                value, SwiftNames.value(name.lowercased(), role: "variable"),
                "In reqcli, the environment variable \(name).", Place?.none
            )
        }
        let captures = used.sorted().compactMap { value in
            let parts = value.split(separator: ".", maxSplits: 1).map(String.init)
            return environment.needs.first { parts.count == 2 && $0.name == parts[0] }.map { need in
                (
                    value, SwiftNames.value("\(parts[0])-\(parts[1])", role: "value"),
                    "In reqcli, the value \(parts[1]) of the response of \(need.value.endpoint?.value ?? need.name).",
                    Optional(need.namePlace)
                )
            }
        }
        return secrets + variables + captures
    }

    func write(
        _ closures: [(value: String, name: String, documentation: String, place: Place?)], to lines: inout CodeLines
    ) {
        var documentation = [environment.layers.last?.summary ?? ""]
        if SwiftText.oneLine(documentation[0]).isEmpty { documentation = ["The environment \(environment.name)."] }
        if !closures.isEmpty {
            documentation.append(
                "A client calls and awaits a closure only for a request that needs its value. Without the closure, such a request is an error."
            )
        }
        lines.document(documentation)
        if !closures.isEmpty {
            lines.add("///")
            lines.add("/// - Parameters:")
            for closure in closures {
                lines.add("///   - \(closure.name): \(SwiftText.oneLine(closure.documentation))")
            }
        }
        let name = SwiftNames.quoted(name)
        if closures.isEmpty {
            lines.block("public static var \(name): RequestBuilder") { writeBody(closures, to: &$0) }
        } else {
            let parameters = closures.map {
                "\(SwiftNames.quoted($0.name)): (@Sendable () async throws -> String)? = nil"
            }
            lines.function("public static func \(name)", parameters, " -> RequestBuilder") {
                writeBody(closures, to: &$0)
            }
        }
    }

    private func writeBody(
        _ closures: [(value: String, name: String, documentation: String, place: Place?)], to lines: inout CodeLines
    ) {
        let statements = operations.filter { !$0.usesValues }.flatMap(\.statements)
        for statement in statements { statement(&lines) }
        lines.add(statements.isEmpty ? "RequestBuilder()" : "return RequestBuilder()")
        lines.indented { lines in
            lines.call(".value", ["\"$environment\"", SwiftText.literal(environment.name)])
            for closure in closures {
                let name = SwiftNames.quoted(closure.name)
                lines.call(
                    ".awaitedValue", [SwiftText.literal(closure.value), name, "of: \"\(owner).\(self.name)\""])
            }
            for value in values { value.write(&lines) }
            for operation in operations {
                if !operation.usesValues {
                    for call in operation.calls { lines.call(call.name, call.arguments) }
                    continue
                }
                let subject = operation.subject.map { "(\($0.code))" } ?? ""
                lines.closure(".deferred\(subject)", "values") { OperationWriter.body([operation], to: &$0) }
            }
        }
    }
}

extension SecretSource {
    fileprivate var documentation: String {
        switch self {
        case .processVariable(let name): "In reqcli, the environment variable \(name.value)."
        case .command(let words, _, _): "In reqcli, the output of \(words.first?.value ?? "a program")."
        case .file(let path): "In reqcli, the content of \(path.value)."
        }
    }
}

extension [Operation] {
    /// The operations without those that a later operation replaces. The order of settings doesn't matter. A header keeps the place
    /// of its first operation, as in a request.
    fileprivate var withoutReplacedConstants: [Operation] {
        var result: [Operation] = []
        for operation in self {
            if operation.isCertain, case .setting? = operation.subject {
                result.removeAll { $0.subject == operation.subject }
            }
            if let place = result.lastIndex(where: { $0.subject == operation.subject }),
                result[place].setsConstantHeader,
                operation.setsConstantHeader
            {
                result[place] = operation
            } else {
                result.append(operation)
            }
        }
        return result
    }
}

extension Operation {
    /// Whether the operation replaces a header by a text that no value changes.
    fileprivate var setsConstantHeader: Bool {
        isCertain && !usesValues && calls.map(\.name) == [".header"]
    }
}
