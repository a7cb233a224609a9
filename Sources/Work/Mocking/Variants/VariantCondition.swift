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
        func compiled(_ all: [Named<Matchers>]) -> [Conditions]? {
            let conditions = all.compactMap { Conditions($0.name, at: $0.namePlace, $0.value, schemas) }
            return conditions.count == all.count ? conditions : nil
        }
        guard let parameters = compiled(source.parameters), let query = compiled(source.query),
            let headers = compiled(source.headers), let json = compiled(source.json)
        else { return nil }
        let paths = source.json.compactMap { PathReading.read($0.name, at: $0.namePlace).value }
        guard paths.count == json.count else { return nil }
        self.parameters = parameters
        self.query = query
        self.headers = headers
        self.json = zip(paths, json).map { (path: $0, conditions: $1) }
        body = source.body.flatMap { Conditions("body", at: source.place, $0, schemas) }
        if source.body != nil, body == nil { return nil }
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
        let document = reading.json == nil ? JSONDocument.read(SourceFile(name: "body", bytes: request.content)) : nil
        guard let root = reading.json ?? (document?.problems.isEmpty == true ? document?.root : nil) else {
            return "the body, which is not JSON"
        }
        return json.first { each in
            let nodes = (try? each.path.nodes(in: root)) ?? []
            return !each.conditions.holdForAll(nodes.map { .json($0) })
        }.map { $0.path.text }
    }
}

extension Conditions {
    fileprivate init?(_ name: String, at place: Place, _ matchers: Matchers, _ schemas: SchemaStore) {
        var all: [Condition] = []
        for matcher in matchers.all {
            guard let value = matcher.operand.literal, let condition = try? Condition(matcher, value, schemas) else {
                return nil
            }
            all.append(condition)
        }
        self.init(name: name, place: place, all: all)
    }

    private var wantsNothing: Bool { all.contains { $0.wantsExistence == false } }

    private func hold(for value: ActualValue) -> Bool { all.allSatisfy { $0.objection(to: value) == nil } }

    /// Whether one of the values meets all conditions. If the condition is that there is no value, whether there is no value.
    fileprivate func hold(for values: [ActualValue]) -> Bool {
        wantsNothing ? values.isEmpty : values.contains { hold(for: $0) }
    }

    /// Whether there are values, and each of them meets all conditions, as in `expect`.
    fileprivate func holdForAll(_ values: [ActualValue]) -> Bool {
        wantsNothing ? values.isEmpty : !values.isEmpty && values.allSatisfy { hold(for: $0) }
    }
}
