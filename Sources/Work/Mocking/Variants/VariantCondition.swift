import ReqcliDefinitions
import ReqcliJSONPath
import ReqcliMatching
import ReqcliText

/// The conditions of a variant, ready to be compared with requests.
struct VariantCondition: Sendable {
    private let parameters: [Conditions]
    private let query: [Conditions]
    private let headers: [Conditions]
    private let json: [(path: JSONPath, conditions: Conditions)]
    private let body: Conditions?

    /// Nil if a path or an operand is invalid, which validation reports.
    init?(_ source: StubCondition, _ schemas: SchemaStore) {
        var diagnostics: [Diagnostic] = []
        func compiled(_ name: String, _ place: Place, _ matchers: Matchers) -> Conditions {
            Conditions(name, at: place, matchers.all, schemas, &diagnostics)
        }
        parameters = source.parameters.map { compiled($0.name, $0.namePlace, $0.value) }
        query = source.query.map { compiled($0.name, $0.namePlace, $0.value) }
        headers = source.headers.map { compiled($0.name, $0.namePlace, $0.value) }
        body = source.body.map { compiled("body", source.place, $0) }
        let paths = source.json.compactMap { PathReading.read($0.name, at: $0.namePlace).value }
        json = zip(paths, source.json).map { ($0, compiled($1.name, $1.namePlace, $1.value)) }
        let isInvalid = diagnostics.contains { $0.severity == .error }
        if isInvalid || paths.count < source.json.count { return nil }
    }

    /// The part of the request that does not meet the first unmet condition; nil if all conditions are met.
    func objection(to request: IncomingRequest, _ reading: RequestReading) -> String? {
        for condition in parameters {
            let value = reading.parameters[condition.name].flatMap { JSONDocument.writing($0, name: "param").root }
            if !condition.hold(for: value.map { [.json($0)] } ?? []) { return "the param \(condition.name)" }
        }
        for condition in query {
            let found = request.query.filter { $0.name == condition.name }
            if !condition.hold(for: found.map { .text(Array($0.value.utf8)) }) {
                return "the query item \(condition.name)"
            }
        }
        for condition in headers {
            let found = request.headers(named: condition.name)
            if !condition.hold(for: found.map { .text(Array($0.utf8)) }) { return "the header \(condition.name)" }
        }
        if let body, !body.hold(for: [.text(request.content)]) { return "the body" }
        if json.isEmpty { return nil }
        guard let root = reading.json ?? request.json else { return "the body, which is not JSON" }
        return json.first { each in
            let nodes = (try? each.path.nodes(in: root)) ?? []
            return !each.conditions.holdForAll(nodes.map { .json($0) })
        }.map { $0.path.text }
    }
}

extension Conditions {
    private var wantsNothing: Bool { all.contains { $0.wantsExistence == false } }

    private func hold(for value: ActualValue) -> Bool { all.allSatisfy { $0.objection(to: value) == nil } }

    /// Whether one of the values meets all conditions. For the condition that there is no value: whether `values` is empty.
    fileprivate func hold(for values: [ActualValue]) -> Bool {
        wantsNothing ? values.isEmpty : values.contains { hold(for: $0) }
    }

    /// Whether there are values, and each of them meets all conditions, as in `expect`.
    fileprivate func holdForAll(_ values: [ActualValue]) -> Bool {
        wantsNothing ? values.isEmpty : !values.isEmpty && values.allSatisfy { hold(for: $0) }
    }
}
