import Assembly
import CommandLineKit
import Definitions
import Foundation
import RequestBuilding
import SourceText

/// Makes the requests of endpoints with stand-ins for what stays open: secrets, captures and generated values always, params and
/// variables as the format wants.
struct RequestMaker {
    enum Mode {
        /// Params have the values of the file.
        case filled
        /// Params and variables are open; an optional param without a value isn't sent.
        case open
        /// Every param is open and sent, whether it is optional or not.
        case whole
    }

    private let source: ExportSource
    private let chain: EnvironmentChain
    private let plain: EnvironmentChain
    private let mode: Mode
    private let assembler: Assembler

    init(_ source: ExportSource, in chain: EnvironmentChain? = nil, _ mode: Mode) {
        self.source = source
        self.mode = mode
        plain = chain ?? source.environment
        self.chain = plain.leavingOpen(variables: mode == .open)
        assembler = Assembler(world: source.world.exporting(from: source.workspace, showsAnyFile: mode != .filled))
    }

    /// How deep needs are followed: deeper than any file that `validate` accepts in practice.
    private static let mostNeeds = 32

    /// The request of an endpoint with the requests that it needs.
    ///
    /// - Parameter values: The values of params that a caller hands on.
    func request(
        _ endpoint: LocatedEndpoint, with values: [String: OrderedJSON] = [:], depth: Int = 0
    ) throws(Failure) -> OpenRequest {
        let samples = endpoint.samples.merging(values) { $1 }
        let real = endpoint.switchParameters(in: chain.name)
        var parameters: [Named<Parameter>] = []
        var arguments: [ParameterArgument] = []
        var given: [String: OrderedJSON] = [:]
        for parameter in endpoint.parameters {
            let argument = argument(
                for: parameter, sample: samples[parameter.name], isReal: real.contains(parameter.name))
            parameters.append(Named(parameter.name, at: parameter.namePlace, argument.parameter))
            guard let value = argument.value else { continue }
            arguments.append(ParameterArgument(name: parameter.name, value: value))
            given[parameter.name] = value
        }
        let (ports, opened, chain) = openPorts(endpoint.taking(parameters), given)
        var call = Call(workspace: source.workspace, endpoint: opened, environment: chain)
        call.arguments = arguments
        call.readsBodyFiles = mode == .filled
        call.version = source.version
        var needs: [(need: Named<Need>, endpoint: LocatedEndpoint)] = []
        for need in endpoint.needs {
            guard let id = need.value.endpoint?.value, case .found(let needed) = source.workspace.endpoint(id).value
            else { continue }
            needs.append((need, needed))
            call.captures[need.name] = Dictionary(
                needed.definition.captures.map { capture in
                    (capture.name, .string(StandIn.text(for: .capture(alias: need.name, name: capture.name))))
                }, uniquingKeysWith: { first, _ in first })
        }
        let assembled = try assembler.assemble(call)
        var requests: [OpenRequest.Need] = []
        for (need, needed) in needs where depth < Self.mostNeeds {
            let filled = try assembler.fill(need.value.parameters.map(\.value), for: call, needsAll: true)
            let handed = zip(need.value.parameters, filled.values).compactMap { parameter, value in
                value.map { (parameter.name, $0.filling { value in samples.value(of: value) }) }
            }.filter { name, value in
                // A param that is as open as the one it gets: the variable of either needs a value.
                mode != .open || !value.isOpenParameter || needed.parameters[named: name]?.sample != nil
            }
            requests.append(
                OpenRequest.Need(
                    alias: need.name,
                    request: try request(
                        needed, with: Dictionary(handed, uniquingKeysWith: { $1 }), depth: depth + 1),
                    refreshOn: need.value.refreshOn, place: need.namePlace))
        }
        return OpenRequest(
            endpoint: endpoint, environment: chain, variables: plain.variables, assembled: assembled, ports: ports,
            call: call,
            needs: requests, values: samples)
    }

    /// The values of templates in the scope of a request.
    func fill(_ templates: [ValueTemplate], for request: OpenRequest) -> [OrderedJSON?] {
        (try? assembler.fill(templates, for: request.call, needsAll: true))?.values
            ?? templates.map { _ in nil }
    }

    /// The scheme, host and path before the endpoints' paths, with the environment's own headers; nil without a server.
    func base() -> (url: String, headers: [(name: String, value: String)])? {
        let (ports, endpoint, chain) = openPorts(LocatedEndpoint(typed: "base"), [:])
        guard
            let assembled = try? assembler.assemble(
                Call(workspace: source.workspace, endpoint: endpoint, environment: chain))
        else { return nil }
        let url = ports.restored(assembled.request.url.absoluteString).prefix { $0 != "?" }
        return (
            url.hasSuffix("/") ? String(url.dropLast()) : String(url),
            assembled.request.headers.map { ($0.name, $0.value) }
        )
    }

    // MARK: Ports

    /// The endpoint and its environment with numbers for the ports that are open.
    ///
    /// - Parameter arguments: The values of params.
    private func openPorts(
        _ endpoint: LocatedEndpoint, _ arguments: [String: OrderedJSON]
    ) -> (PortStandIns, LocatedEndpoint, EnvironmentChain) {
        var ports = PortStandIns()
        let own = endpoint.layers(in: chain.name)
        var layers = chain.layers.map(\.layer) + own
        guard layers.contains(where: \.hasOpenPort) else { return (ports, endpoint, chain) }
        ports.replacePorts(in: &layers) { placeholder in
            switch placeholder {
            case .secret(let name): .secret(name)
            case .processVariable(let name): .processVariable(name)
            case .capture(let alias, let name): .capture(alias: alias, name: name)
            case .generated: nil
            case .name(let name):
                if endpoint.parameters[named: name] != nil {
                    if case .string(let text)? = arguments[name] { StandIn.onlyValue(of: text) } else { nil }
                } else {
                    chain.openValue(ofVariable: name)
                }
            }
        }
        let environment = EnvironmentChain(
            name: chain.name,
            layers: zip(chain.layers, layers).map { definition, layer in
                var definition = definition
                definition.layer = layer
                return definition
            })
        return (ports, endpoint.taking(Array(layers.suffix(own.count)), in: chain.name), environment)
    }

    // MARK: Params

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
            // Lists and files are no single value of a variable.
            guard open.kind != .list, open.kind != .file, sample != nil || parameter.value.isRequired else {
                return (open, sample)
            }
        }
        let isRepeated = open.kind == .list && open.separator == nil
        open.removeConditions()
        open.kind = isRepeated ? .json : .string
        let text = OrderedJSON.string(standIn(parameter))
        return (open, isRepeated ? .array([text]) : text)
    }

    private func standIn(_ parameter: Named<Parameter>) -> String { StandIn.text(for: .parameter(parameter.name)) }
}

extension Parameter {
    fileprivate mutating func removeConditions() {
        defaultValue = nil
        allowed = nil
        pattern = nil
        schema = nil
        (minimum, maximum) = (nil, nil)
        (minimumLength, maximumLength, minimumCount, maximumCount) = (nil, nil, nil, nil)
        separator = nil
    }

    /// The value of a call that gives none: the default or, if it is required, the example.
    var sample: OrderedJSON? { defaultValue?.value ?? (isRequired ? example?.value ?? allowed?.first?.value : nil) }
}

extension LocatedEndpoint {
    fileprivate var samples: [String: OrderedJSON] {
        Dictionary(
            parameters.compactMap { parameter in parameter.value.sample.map { (parameter.name, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The params that a `$switch` asks for: their values choose what is sent.
    func switchParameters(in environment: String) -> Set<String> {
        let layers = [definition.request, definition.environments[named: environment]].compactMap(\.self)
        var found: Set<String> = []
        var values: [ValueTemplate] = []
        for layer in layers {
            values += layer.layer.headers.flatMap { $0.value.value.value ?? [] }
            values += layer.layer.query?.value.value?.items?.flatMap { $0.value.value.value ?? [] } ?? []
            if case .segments(let segments)? = layer.path?.value.value { values += segments }
            values += layer.body?.value.value?.values ?? []
        }
        values += defaults?.layer.headers.flatMap { $0.value.value.value ?? [] } ?? []
        values += defaults?.layer.query?.value.value?.items?.flatMap { $0.value.value.value ?? [] } ?? []
        while let value = values.popLast() {
            switch value {
            case .choice(let choice):
                for case .name(let name) in choice.subject.placeholders.map(\.value) { found.insert(name) }
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
    /// The values in which a `$switch` may stand.
    fileprivate var values: [ValueTemplate] {
        switch content {
        case .json(let value): [value]
        case .form(let fields): fields.flatMap { $0.value.value.value ?? [] }
        case .multipart(let parts):
            parts.compactMap { if case .value(let value)? = $0.value.source { value } else { nil } }
        case .graphQL(let operation): [operation.variables].compactMap(\.self)
        case .text, .file, .base64: []
        }
    }
}

extension [String: OrderedJSON] {
    /// The value of a param, which the request of a need gets as it is.
    fileprivate func value(of open: OpenValue) -> OrderedJSON? {
        if case .parameter(let name) = open { self[name] } else { nil }
    }
}

extension RequestLayer {
    fileprivate var hasOpenPort: Bool {
        if case .text? = port?.value.value { return true }
        return baseURL?.value.value?.portPosition != nil
    }
}
