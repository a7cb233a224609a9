import ReqcliDefinitions
import ReqcliText

/// Makes the call of an endpoint.
struct CallMaker {
    private let endpoint: LocatedEndpoint
    private let source: GenerationSource
    private var layers: LayerCode
    private let types: CallTypes
    private let parameters: [ParameterCode]

    var notes: [ConversionNote] { layers.notes }
    var usedValues: Set<String> { layers.code.usedValues }
    var hiddenNames: Set<String> { layers.code.hiddenNames }
    var importsFoundation: Bool { layers.code.importsFoundation }
    var importsFunctions: Bool { layers.code.importsFunctions }
    /// The params that conditions of stub variants can read in the call.
    var parametersInCall: [String: ParameterCode] { layers.code.parameters }

    /// Makes the call.
    ///
    /// - Parameter states: The parts of a request that each environment sets and that an endpoint may remove.
    init(
        _ endpoint: LocatedEndpoint, _ types: CallTypes, _ states: [String: LayerCode.State],
        _ source: GenerationSource, _ lists: Set<String>
    ) {
        self.endpoint = endpoint
        self.types = types
        self.source = source
        let own = endpoint.parameters.filter { !types.parametersInBody.contains($0.name) }
            .map { ParameterCode($0, model: types.parameters[$0.name]) }
        let body = types.body.map { ParameterCode(bodyOf: endpoint, type: $0) }
        parameters = ParameterCode.numbered(own + [body].compactMap(\.self))
        let needs = endpoint.needs.map { ($0.name, $0.value.endpoint?.value ?? $0.name) }
        let code = RequestCode(
            of: source, parameters: parameters, needs: Dictionary(needs, uniquingKeysWith: { first, _ in first }),
            listVariables: lists,
            secretParameters: Set(endpoint.parameters.filter(\.value.isSecret).map(\.name)),
            isBodyTyped: types.body != nil)
        layers = LayerCode(code, states: states, owner: endpoint.id, workspace: source.workspace)
        let places = Dictionary(endpoint.needs.map { ($0.name, $0.namePlace) }, uniquingKeysWith: { first, _ in first })
        let place = endpoint.definition.place
        layers.code.capturePlace = { alias, _ in places[alias] ?? place }
    }

    mutating func call(
        named name: String, path: String, level: Int, _ enums: inout EnumTypes
    ) throws(Failure) -> CallWriter {
        if let defaults = endpoint.defaults { layers.add(defaults.layer) }
        layers.add(endpoint.definition.request)
        for overlay in endpoint.definition.environments
        where source.environments.contains(where: { $0.name == overlay.name }) {
            layers.environments = [overlay.name]
            layers.add(overlay.value)
            layers.environments = nil
        }
        let operations = layers.operations.withoutReplacedValues
        var remarks: [String] = []
        for need in endpoint.needs {
            let id = need.value.endpoint?.value ?? need.name
            remarks.append(
                "reqcli sends \(id) first. Here, the caller sends it and passes the values that it captures.")
            layers.notes.append(
                ConversionNote(
                    .lost, "the generated call does not send the requests that must come first",
                    "\(endpoint.id), \(id)",
                    at: need.namePlace))
        }
        if let first = endpoint.definition.captures.first {
            layers.note("captures are not converted", at: first.namePlace)
        }
        if let first = endpoint.parameters.first(where: { $0.value.hasLimits }) {
            layers.note("limits of params are documented, but not checked", at: first.namePlace)
        }
        let all = parameters + layers.code.captures
        var clashes = NameClashes(what: "param")
        for parameter in all { clashes.add(parameter.name, "\(endpoint.id): \(parameter.source)", at: parameter.place) }
        try clashes.check()
        var inner = CodeLines(level: level)
        for case let option? in parameters.map(\.option) {
            enums.write(option, documentation: [], in: path, to: &inner)
        }
        inner.append(types.lines)
        return CallWriter(
            endpoint: endpoint, name: name, parameters: all, operations: operations, remarks: remarks,
            valueType: types.value, types: inner, importsNetworking: layers.code.importsNetworking)
    }
}

extension Parameter {
    /// Whether the param limits its values beyond their type.
    fileprivate var hasLimits: Bool {
        minimum != nil || maximum != nil || minimumLength != nil || maximumLength != nil || minimumCount != nil
            || maximumCount != nil || pattern != nil || schema != nil || items?.hasLimits == true
    }
}
