import Foundation
import ReqcliBasics
package import ReqcliDefinitions
package import ReqcliText

/// Makes calls in which some values are left open, which means that their requests contain stand-ins instead. Secrets, captures
/// and generated values are always left open; for params and variables, the mode decides.
package struct OpenCalls: Sendable {
    package enum Mode: Sendable {
        /// Params have the values that the file gives.
        case filled
        /// Params and variables are left open; an optional param without a value isn't sent.
        case open
        /// Every param is left open, and optional params are sent, too.
        case whole
    }

    package let mode: Mode
    /// The environment with stand-ins.
    package let environment: EnvironmentChain
    private let workspace: Workspace
    private let version: String
    private let opensSwitches: Bool
    private let needed = NeededEndpoints()

    /// - Parameter opensSwitches: Whether each `$switch` is replaced by a stand-in, too. Otherwise, the params that choose the
    ///   case of a `$switch` have the values that the file gives.
    package init(
        _ workspace: Workspace, in environment: EnvironmentChain, _ mode: Mode, opensSwitches: Bool = false,
        version: String
    ) {
        self.mode = mode
        self.opensSwitches = opensSwitches
        self.workspace = workspace
        self.version = version
        self.environment = environment.leavingOpen(variables: mode == .open)
    }

    /// An assembler for these calls. The requests contain no secrets, and nothing that changes from run to run.
    package func assembler(_ world: World) -> Assembler {
        Assembler(world: world.standingIn(for: workspace, showsAnyFile: mode != .filled))
    }

    /// A call of an endpoint, and what takes the place of open values in its base URL.
    package func call(
        _ endpoint: LocatedEndpoint, _ samples: [String: OrderedJSON]
    ) -> (call: Call, servers: ServerStandIns) {
        let real = opensSwitches ? [] : endpoint.switchParameters(in: environment)
        var parameters: [Named<Parameter>] = []
        var arguments: [ParameterArgument] = []
        for parameter in endpoint.parameters {
            let argument = argument(
                for: parameter, sample: samples[parameter.name], isReal: real.contains(parameter.name))
            parameters.append(Named(parameter.name, at: parameter.namePlace, argument.parameter))
            if let value = argument.value { arguments.append(ParameterArgument(name: parameter.name, value: value)) }
        }
        let given = Dictionary(
            arguments.compactMap { argument in
                if case .value(let value) = argument.source { (argument.name, value) } else { nil }
            }, uniquingKeysWith: { $1 })
        let (servers, opened, environment) = openServers(endpoint.taking(parameters), given)
        var call = Call(workspace: workspace, endpoint: opened, environment: environment)
        call.arguments = arguments
        call.readsBodyFiles = mode == .filled
        call.version = version
        call.leavesSwitchesOpen = opensSwitches
        for need in endpoint.needs {
            guard let needed = needed(by: need) else { continue }
            call.captures[need.name] = Dictionary(
                needed.definition.captures.map { capture in
                    (capture.name, .string(StandIn.text(for: .capture(alias: need.name, name: capture.name))))
                }, uniquingKeysWith: { first, _ in first })
        }
        return (call, servers)
    }

    /// The endpoint that an entry of `needs` names, if the endpoint exists. The file of each endpoint is read only once.
    package func needed(by need: Named<Need>) -> LocatedEndpoint? {
        need.value.endpoint.flatMap { needed.endpoint($0.value) { workspace.needed(by: need) } }
    }

    /// The endpoint and the environment, with valid base URLs in place of those with open values.
    ///
    /// - Parameter arguments: The values of params.
    private func openServers(
        _ endpoint: LocatedEndpoint, _ arguments: [String: OrderedJSON]
    ) -> (ServerStandIns, LocatedEndpoint, EnvironmentChain) {
        var servers = ServerStandIns()
        let own = endpoint.layers(in: environment.name)
        guard environment.layers.contains(where: \.layer.hasOpenServer) || own.contains(where: \.hasOpenServer) else {
            return (servers, endpoint, environment)
        }
        var layers = environment.layers.map(\.layer) + own
        // Who opens switches compares received requests, and the start of a URL may have a part of their path.
        servers.replace(in: &layers, opensStarts: !opensSwitches) { placeholder in
            switch placeholder {
            case .secret(let name): .secret(name)
            case .processVariable(let name): .processVariable(name)
            case .capture(let alias, let name): .capture(alias: alias, name: name)
            case .generated: nil
            case .computed(let computed): .computed(computed.text, of: [])
            case .name(let name):
                if endpoint.parameters[named: name] != nil {
                    if case .string(let text)? = arguments[name] { StandIn.onlyValue(of: text) } else { nil }
                } else {
                    environment.openValue(ofVariable: name)
                }
            }
        }
        let opened = EnvironmentChain(
            name: environment.name,
            layers: zip(environment.layers, layers).map { definition, layer in
                var definition = definition
                definition.layer = layer
                return definition
            })
        return (servers, endpoint.taking(Array(layers.suffix(own.count)), in: environment.name), opened)
    }

    private func argument(
        for parameter: Named<Parameter>, sample: OrderedJSON?, isReal: Bool
    ) -> (parameter: Parameter, value: OrderedJSON?) {
        var open = parameter.value
        open.isSecret = false
        if sample?.hasOpenValues == true || (mode == .filled && parameter.value.isSecret) {
            open.removeConditions()
            open.kind = .json
            return (open, parameter.value.isSecret ? .string(standIn(parameter)) : sample)
        }
        if isReal || mode == .filled { return (open, sample) }
        if mode == .open {
            guard sample != nil || parameter.value.isRequired else { return (open, sample) }
            // A list or a file keeps its value, because it can't become the single value of a variable.
            if sample != nil, open.kind == .list || open.kind == .file { return (open, sample) }
        }
        let isRepeated = open.kind == .list && open.separator == nil
        open.removeConditions()
        open.kind = isRepeated ? .json : .string
        let text = OrderedJSON.string(standIn(parameter))
        return (open, isRepeated ? .array([text]) : text)
    }

    private func standIn(_ parameter: Named<Parameter>) -> String { StandIn.text(for: .parameter(parameter.name)) }
}

/// A cache of the endpoints that `needs` names, by id.
private final class NeededEndpoints: Sendable {
    private let known = Mutex<[String: LocatedEndpoint?]>([:])

    func endpoint(_ id: String, _ find: () -> LocatedEndpoint?) -> LocatedEndpoint? {
        if let known = known.withLock({ $0[id] }) { return known }
        let endpoint = find()
        known.withLock { $0[id] = .some(endpoint) }
        return endpoint
    }
}

extension Workspace {
    /// The endpoint that an entry of `needs` names, if the endpoint exists.
    package func needed(by need: Named<Need>) -> LocatedEndpoint? {
        guard let id = need.value.endpoint?.value, case .found(let endpoint) = endpoint(id).value else { return nil }
        return endpoint
    }
}

extension Parameter {
    fileprivate mutating func removeConditions() {
        defaultValue = nil
        allowed = nil
        (pattern, format) = (nil, nil)
        schema = nil
        (minimum, maximum) = (nil, nil)
        (minimumLength, maximumLength, minimumCount, maximumCount) = (nil, nil, nil, nil)
        separator = nil
    }

    /// The value to use if a call gives no value: the default or, for a required param, the example or the first allowed value.
    package var sample: OrderedJSON? {
        defaultValue?.value ?? (isRequired ? example?.value ?? allowed?.first?.value : nil)
    }
}

extension LocatedEndpoint {
    package var samples: [String: OrderedJSON] {
        Dictionary(
            parameters.compactMap { parameter in parameter.value.sample.map { (parameter.name, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The params whose values choose the case of a `$switch`.
    package func switchParameters(in environment: EnvironmentChain) -> Set<String> {
        let subjects = switches(in: environment).flatMap(\.subject.placeholders)
        return Set(subjects.compactMap { if case .name(let name) = $0.value { name } else { nil } })
    }

    /// Every `$switch` that may be used in the endpoint's requests.
    package func switches(in environment: EnvironmentChain) -> [ValueTemplate.Switch] {
        var values: [ValueTemplate] = []
        func add(_ layer: RequestLayer) {
            for header in layer.headers { values += header.value.set ?? [] }
            for item in layer.query?.set?.items ?? [] { values += item.value.set ?? [] }
        }
        for layer in [definition.request, definition.environments[named: environment.name]].compactMap(\.self) {
            add(layer.layer)
            if case .segments(let segments)? = layer.path?.set { values += segments }
            values += layer.body?.set?.values ?? []
        }
        if let defaults { add(defaults.layer) }
        for layer in environment.layers { add(layer.layer) }
        for variable in environment.variables {
            if let value = variable.value.set { values.append(value) }
        }
        var found: [ValueTemplate.Switch] = []
        while let value = values.popLast() {
            switch value {
            case .choice(let choice):
                found.append(choice)
                values += choice.cases.map(\.value) + [choice.otherwise].compactMap(\.self)
            case .list(let elements, _): values += elements
            case .object(let members, _): values += members.map(\.value)
            case .plain, .text, .scalar: break
            }
        }
        return found
    }
}

extension Body {
    /// The values that may contain a `$switch`.
    fileprivate var values: [ValueTemplate] {
        switch content {
        case .json(let value): [value]
        case .form(let fields): fields.flatMap { $0.value.set ?? [] }
        case .multipart(let parts):
            parts.compactMap { if case .value(let value)? = $0.value.source { value } else { nil } }
        case .graphQL(let operation): [operation.variables].compactMap(\.self)
        case .text, .file, .base64: []
        }
    }
}
