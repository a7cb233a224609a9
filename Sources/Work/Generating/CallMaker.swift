import ReqcliDefinitions
import ReqcliText

/// Makes the call of an endpoint.
struct CallMaker {
    private let endpoint: LocatedEndpoint
    private let source: GenerationSource
    private var layers: LayerCode
    private let parameters: [ParameterCode]

    var notes: [ConversionNote] { layers.notes }
    var usedValues: Set<String> { layers.code.usedValues }
    var namesInChoices: Set<String> { layers.code.namesInChoices }
    var importsFoundation: Bool { layers.code.importsFoundation }

    /// Makes the call.
    ///
    /// - Parameter states: The parts of a request that each environment sets and that an endpoint may remove.
    init(
        _ endpoint: LocatedEndpoint, _ states: [String: LayerCode.State], _ source: GenerationSource,
        _ lists: Set<String>
    ) {
        self.endpoint = endpoint
        self.source = source
        parameters = endpoint.parameters.map(ParameterCode.init)
        let needs = endpoint.needs.map { ($0.name, $0.value.endpoint?.value ?? $0.name) }
        let code = RequestCode(
            parameters: parameters, needs: Dictionary(needs, uniquingKeysWith: { first, _ in first }),
            listVariables: lists,
            secretParameters: Set(endpoint.parameters.filter(\.value.isSecret).map(\.name)))
        layers = LayerCode(code, states: states, owner: endpoint.id, workspace: source.workspace)
        let places = Dictionary(endpoint.needs.map { ($0.name, $0.namePlace) }, uniquingKeysWith: { first, _ in first })
        let place = endpoint.definition.place
        layers.code.capturePlace = { alias, _ in places[alias] ?? place }
    }

    mutating func call(named name: String, level: Int, _ models: inout ModelWriter) throws(Failure) -> CallWriter {
        if let defaults = endpoint.defaults { layers.add(defaults.layer, isShared: true) }
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
        var typeClashes = NameClashes(what: "enum")
        for case let parameter in all where parameter.option != nil {
            typeClashes.add(parameter.option?.name ?? "", "\(endpoint.id): \(parameter.source)", at: parameter.place)
        }
        try typeClashes.check()
        var inner = CodeLines(level: level)
        let valueType = source.hasModels ? models.response(of: endpoint, to: &inner) : nil
        return CallWriter(
            endpoint: endpoint, name: name, parameters: all, operations: operations, remarks: remarks,
            valueType: valueType, models: inner,
            importsNetworking: layers.code.importsNetworking)
    }
}

extension Parameter {
    /// Whether the param limits its values beyond their type.
    fileprivate var hasLimits: Bool {
        minimum != nil || maximum != nil || minimumLength != nil || maximumLength != nil || minimumCount != nil
            || maximumCount != nil || pattern != nil || schema != nil || items?.hasLimits == true
    }
}
