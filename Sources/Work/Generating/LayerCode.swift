import Foundation
import ReqcliDefinitions
import ReqcliText
@_spi(Generated) import RequestBuilding

/// Collects the operations of layers in their order. `LayerMerge` does the same for a request that is sent.
struct LayerCode {
    /// The parts of a request that `auth` and `cachePolicy` have set in one environment. A later layer with its own `auth` or
    /// `cachePolicy` removes the part. `queryKey` is the operation for credentials in the query. A query that is written as text
    /// replaces all items, so `queryKey` is added again after it.
    struct State {
        var auth: RequestSubject?
        var cache: RequestSubject?
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

    mutating func add(_ layer: RequestLayer, isShared: Bool) {
        addServer(layer)
        addAuth(layer.auth)
        addTransfer(layer)
        for header in layer.headers { add(header, isShared: isShared) }
        addQuery(layer.query)
    }

    // MARK: Headers and query

    private mutating func add(_ header: Named<Setting<[ValueTemplate]>>, isShared: Bool) {
        let name = header.name
        let subject = RequestSubject.header(name)
        release(subject)
        let written = code.literal(name)
        guard let templates = header.value.set else {
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

    private mutating func addQuery(_ setting: Setting<QueryTemplate>?) {
        guard let setting else { return }
        switch setting.set {
        case nil: add(.query, [.init(".rawQuery", ["\"\""])])
        case .items(let items): return items.forEach { add($0) }
        case .text(let template):
            if let only = template.onlyPlaceholder {
                let value = code.required(code.code(of: only.value).asText, only.value.text)
                add(.query, [.init(".rawQuery", ["PercentEncoding.queryComponent(\(value.text))"])])
            } else {
                let pieces = template.pieces.map { piece -> RequestCode.Piece in
                    switch piece {
                    case .literal(let text): return .written(text)
                    case .placeholder(let placeholder):
                        let value = code.required(code.code(of: placeholder.value), inText: placeholder.value.text)
                            .asText
                        return .value("\\(PercentEncoding.queryComponent(\(value.text)))")
                    }
                }
                add(.query, [.init(".rawQuery", [code.interpolated(pieces)])])
            }
        }
        // The text replaces the items of `query`, but must not replace the query item of `auth`, so this item is added again.
        for (names, subject) in groups(\.queryKey?.subject) where subject != nil {
            guard var operation = states[names[0]]?.queryKey else { continue }
            operation.environments = narrowed(to: names)
            operations.append(operation)
        }
    }

    private mutating func add(_ item: Named<Setting<[ValueTemplate]>>) {
        let subject = RequestSubject.queryItem(item.name)
        release(subject)
        let written = code.literal(item.name)
        guard let templates = item.value.set else {
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
            case .secret, .capture: true
            case .name(let name): code.secretParameters.contains(name)
            default: false
            }
        }
        return isSecret ? [.init(name, [written])] : []
    }

    // MARK: Parts that other settings set

    mutating func release(_ subject: RequestSubject) {
        for name in affected {
            if states[name]?.auth == subject { states[name]?.auth = nil }
            if states[name]?.queryKey?.subject == subject { states[name]?.queryKey = nil }
            if states[name]?.cache == subject { states[name]?.cache = nil }
        }
    }

    /// The environments that the operations change, in order.
    var affected: [String] { environments ?? states.keys.sorted() }

    /// The environments, grouped by a property of their state.
    func groups<Value: Hashable>(_ property: (State) -> Value?) -> [(names: [String], value: Value?)] {
        Dictionary(grouping: affected) { states[$0].flatMap(property) }.map { ($0.value, $0.key) }
            .sorted { $0.0.lexicographicallyPrecedes($1.0) }
    }

    /// The environments to which an operation for these names is limited; nil if the operation applies in all environments.
    func narrowed(to names: [String]) -> [String]? { names == affected ? environments : names }

    mutating func carry(_ property: WritableKeyPath<State, RequestSubject?>, by next: RequestSubject?) {
        for (names, last) in groups({ $0[keyPath: property] }) {
            guard let last, last != next else { continue }
            operations.append(
                Operation(subject: last, calls: [last.removal], environments: narrowed(to: names)))
        }
        for name in affected { states[name, default: State()][keyPath: property] = next }
    }
}
