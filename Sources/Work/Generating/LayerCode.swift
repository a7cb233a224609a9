import Foundation
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliFunctions
import ReqcliText
@_spi(Generated) import RequestBuilding

/// Prints the steps of layers as operations.
struct LayerCode {
    /// What the layers so far have set in one environment.
    struct State {
        var carriers = Carriers()
        /// The operation for credentials in the query.
        var queryKey: Operation?
    }

    var code: RequestCode
    var operations: [Operation] = []
    var notes: [ConversionNote] = []
    /// The state after the layers so far, by environment.
    var states: [String: State]
    /// The environments in which the operations apply; nil for all environments.
    var environments: [String]?
    /// The id of the endpoint, or the name of the environment, for notes.
    let owner: String
    let workspace: Workspace

    init(_ code: RequestCode, states: [String: State], owner: String, workspace: Workspace) {
        self.code = code
        self.states = states
        self.owner = owner
        self.workspace = workspace
    }

    /// Notes where files are read, for each placeholder that reads one.
    mutating func noteFiles(in placeholders: [Located<Placeholder>]) {
        for placeholder in placeholders {
            guard case .computed(let computed) = placeholder.value, computed.pipeline.readsFile else { continue }
            note(
                "the path in {{\(computed.text)}} is relative to the app's current folder, not to the workspace",
                at: placeholder.place)
        }
    }

    mutating func note(_ message: String, at place: Place) {
        notes.append(ConversionNote(.lost, message, owner, at: place))
    }

    mutating func add(
        _ subject: RequestSubject?, _ calls: [Operation.Call], isCertain: Bool = true, standIn: [Operation.Call]? = nil
    ) {
        operations.append(
            Operation(
                subject: subject, calls: calls, statements: code.takeStatements(), isCertain: isCertain,
                environments: environments, standIn: standIn))
    }

    /// Adds the layer of an environment or a group.
    mutating func add(_ layer: RequestLayer) {
        addSteps { layer.steps(isShared: true, &$0, $1) }
        noteFiles(in: layer.placeholders)
    }

    /// Adds the layer of an endpoint.
    mutating func add(_ layer: EndpointLayer) {
        addSteps { layer.steps(&$0, $1) }
        noteFiles(in: layer.placeholders)
    }

    /// Adds the steps of a layer. They are the same in all environments, except for the parts of earlier layers that they change.
    private mutating func addSteps(_ walk: (inout Carriers, (LayerStep) -> Void) -> Void) {
        let names = affected
        let lists = names.map { name in
            var steps: [LayerStep] = []
            walk(&states[name, default: State()].carriers) { steps.append($0) }
            return steps
        }
        for (index, step) in (lists.first ?? []).enumerated() {
            switch step.change {
            case .removal:
                add(
                    zip(names, lists.map { $0[index].carrier }),
                    again: { Operation(subject: $1.subject, calls: [$1.removal]) })
            case .queryKey:
                let keys = states.mapValues(\.queryKey)
                add(zip(names, lists.map { $0[index].carrier }), again: { name, _ in keys[name] ?? nil })
            default: add(step)
            }
        }
    }

    /// Adds the operations about the carriers of the environments, each limited to the environments with the same carrier.
    private mutating func add(
        _ carriers: some Sequence<(String, Carrier?)>, again operation: (String, Carrier) -> Operation?
    ) {
        let groups = Dictionary(grouping: carriers, by: \.1).map { (names: $1.map(\.0), carrier: $0) }
        for (names, carrier) in groups.sorted(by: { $0.names.lexicographicallyPrecedes($1.names) }) {
            guard let carrier, var operation = operation(names[0], carrier) else { continue }
            operation.environments = names == affected ? environments : names
            operations.append(operation)
        }
    }

    /// The environments that the operations change, in order.
    var affected: [String] { environments ?? states.keys.sorted() }

    private mutating func add(_ step: LayerStep) {
        let place = step.place
        switch step.change {
        case .method(let method):
            add(.method, [.init(".method", [Self.method(constant: method) ?? code.literal(method)])])
        case .path(let path): addPath(path)
        case .body(let body?): add(.body, calls(for: body), isCertain: false)
        case .body(nil): add(.body, [.init(".removingBody", [])])
        case .baseURL(let template?): add(nil, [.init(".baseURL", [baseURL(template)])])
        case .baseURL(nil): note("a null that removes the base URL is not converted", at: place)
        case .scheme(let scheme):
            if let scheme { add(.scheme, [.init(".scheme", ["\"\(scheme.rawValue)\""])]) }
        case .host(let template):
            guard let template else { return }
            add(.host, [.init(".host", [code.required(code.text(template), "host").text])], standIn: [])
        case .port(let template): addPort(template)
        case .basePath(let template): addBasePath(template)
        case .credentials(let credentials): add(credentials)
        case .transfer(let entry): add(entry)
        case .cachePolicy(let policy):
            code.importsNetworking = true
            add(.setting("cache policy"), [.init(".cachePolicy", [".\(policy.rawValue)"])])
        case .proxy(let proxy): addProxy(proxy)
        case .noProxy(let hosts): addNoProxy(hosts)
        case .header(let name, let values, let isShared): addHeader(name, values, isShared: isShared)
        case .impliedHeader(let name, let value):
            add(.header(name), [.init(".header", [code.literal(name), code.literal(value)])])
        case .queryItem(let name, let values): addQueryItem(name, values)
        case .query(let template): addQuery(template)
        case .removal, .queryKey: return
        }
    }

    // MARK: Headers and query

    private mutating func addHeader(_ name: String, _ templates: [ValueTemplate]?, isShared: Bool) {
        let subject = RequestSubject.header(name)
        let written = code.literal(name)
        guard let templates else {
            return add(subject, [.init(".removingHeader", [written])])
        }
        let isTied = isShared && name.lowercased() == "content-type"
        let standIn: [Operation.Call] = [.init(".header", [written, "\"\""])]
        switch code.texts(templates) {
        case .none: add(subject, [.init(".removingHeader", [written])])
        case .one(let value):
            if isTied {
                let value = code.required(value, name)
                return add(subject, [.init(".sharedHeaders", ["[\(written): \(value.text)]"])], standIn: standIn)
            }
            let calls =
                [Operation.Call(".header", [written, value.text])] + secretMark(".secretHeader", written, templates)
            add(subject, calls, isCertain: !value.isOptional, standIn: standIn)
        case .many(let values):
            let calls =
                [Operation.Call(".header", [written, "repeating: \(values.text)"])]
                + secretMark(".secretHeader", written, templates)
            add(subject, calls, isCertain: false, standIn: standIn)
        }
    }

    private mutating func addQuery(_ template: TextTemplate?) {
        guard let template else { return add(.query, [.init(".rawQuery", ["\"\""])]) }
        if let only = template.onlyPlaceholder {
            let value = code.required(code.code(of: only).asText, only.value.text)
            return add(.query, [.init(".rawQuery", ["PercentEncoding.queryComponent(\(value.text))"])])
        }
        let pieces = template.pieces.map { piece -> RequestCode.Piece in
            switch piece {
            case .literal(let text): return .written(text)
            case .placeholder(let placeholder):
                let value = code.required(code.code(of: placeholder), inText: placeholder.value.text).asText
                return .value("\\(PercentEncoding.queryComponent(\(value.text)))")
            }
        }
        add(.query, [.init(".rawQuery", [code.interpolated(pieces)])])
    }

    private mutating func addQueryItem(_ name: String, _ templates: [ValueTemplate]?) {
        let subject = RequestSubject.queryItem(name)
        let written = code.literal(name)
        guard let templates else {
            return add(subject, [.init(".removingQueryItem", [written])])
        }
        let standIn: [Operation.Call] = [.init(".queryItem", [written, "\"\""])]
        let mark = secretMark(".secretQueryItem", written, templates)
        switch code.texts(templates) {
        case .none: add(subject, [.init(".removingQueryItem", [written])])
        case .one(let value):
            add(
                subject, [.init(".queryItem", [written, value.text])] + mark, isCertain: !value.isOptional,
                standIn: standIn)
        case .many(let values):
            add(
                subject, [.init(".queryItem", [written, "repeating: \(values.text)"])] + mark, isCertain: false,
                standIn: standIn)
        }
    }

    /// An operator that marks a value with a secret, so that no log shows the value.
    private func secretMark(_ name: String, _ written: String, _ templates: [ValueTemplate]) -> [Operation.Call] {
        let isSecret = templates.flatMap(\.placeholders).contains { placeholder in
            switch placeholder.value {
            // The values in a placeholder with functions are among the placeholders.
            case .secret, .capture: true
            case .name(let name): code.secretParameters.contains(name)
            default: false
            }
        }
        return isSecret ? [.init(name, [written])] : []
    }
}

extension LayerStep {
    /// The part of an earlier layer that the step changes.
    fileprivate var carrier: Carrier? {
        switch change {
        case .removal(let carrier): carrier
        case .queryKey(let name): name.map { .queryItem($0) }
        default: nil
        }
    }
}
