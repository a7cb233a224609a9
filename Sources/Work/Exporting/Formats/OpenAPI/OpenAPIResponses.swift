import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// The responses of one operation, made from the expectations, with stub variants as examples.
struct OpenAPIResponses {
    private let plan: ResponsePlan
    var schemas: OpenAPISchemas
    /// The stub variants whose bodies are known.
    let variants: [StubReader.Response]
    private(set) var notes: [ConversionNote]

    init(_ request: OpenRequest, _ requests: ExportedRequests, _ schemas: OpenAPISchemas) {
        self.schemas = schemas
        let (variants, others) = StubReader(request.endpoint, requests.source.workspace).responses()
        self.variants = variants
        notes = others.map {
            request.note(.lost, "\($0.reason) is not converted", at: $0.place)
        }
        plan = ResponsePlan(request, requests, &notes)
    }

    private var endpoint: LocatedEndpoint { plan.request.endpoint }

    mutating func all() -> OrderedJSON {
        let described =
            endpoint.definition.response == nil ? nil : endpoint.successStatus(in: plan.request.environment.name)
        let expected = (plan.statuses.isEmpty ? described.map { [$0...$0] } ?? [] : plan.statuses).map(key)
        var keys = expected
        for variant in variants where !keys.contains(where: { accepts($0, variant.status) }) {
            keys.append(String(variant.status))
        }
        if keys.isEmpty { keys = ["2XX"] }
        var responses: [OrderedJSON.Member] = []
        for name in keys {
            let examples = variants.filter { variant in
                keys.first { accepts($0, variant.status) } == name
            }
            responses.append(
                OrderedJSON.Member(name, response(name, examples, isExpected: expected.contains(name))))
        }
        return .object(responses)
    }

    private func key(_ range: ClosedRange<Int>) -> String {
        range.count == 1 ? String(range.lowerBound) : "\(range.lowerBound / 100)XX"
    }

    private func accepts(_ key: String, _ status: Int) -> Bool {
        key.hasSuffix("XX") ? key.first == String(status).first : key == String(status)
    }

    private mutating func response(
        _ key: String, _ examples: [StubReader.Response], isExpected: Bool
    ) -> OrderedJSON {
        var schema: OrderedJSON?
        if isExpected {
            schema =
                (plan.schema ?? endpoint.definition.response?.schema)
                .map { schemas.schema($0, called: "\(endpoint.id).response") } ?? Self.schema(of: plan.checks)
        }
        var content: [(type: String, examples: [OrderedJSON.Member])] = []
        if schema != nil { content.append(("application/json", [])) }
        for example in examples {
            guard let value = example.body.value else { continue }
            let type = example.contentType ?? "text/plain"
            let member = OrderedJSON.Member(
                example.name, .object(["summary": example.summary.map { .string($0) }, "value": value]))
            if let index = content.firstIndex(where: { $0.type == type }) {
                content[index].examples.append(member)
            } else {
                content.append((type, [member]))
            }
        }
        let shown = examples.filter { $0.body.value != nil }
        let summary = (shown.isEmpty ? examples : shown).lazy.compactMap(\.summary).first
        return .object([
            "description": .string(summary ?? Self.phrase(key)),
            "content": content.isEmpty
                ? nil
                : .object(
                    content.map { type, examples in
                        OrderedJSON.Member(
                            type,
                            .object([
                                "schema": MediaType(type).isJSON ? schema : nil,
                                "examples": examples.isEmpty ? nil : .object(examples),
                            ]))
                    }),
        ])
    }

    private static func phrase(_ key: String) -> String {
        switch key.first {
        case "2": "Success"
        case "3": "Redirect"
        case "4": "Client error"
        case "5": "Server error"
        default: "Response"
        }
    }

    // MARK: Schemas from conditions

    /// The schema that combines all conditions on types; nil if there are no such conditions.
    private static func schema(of checks: [ResponseCheck]) -> OrderedJSON? {
        let types = checks.compactMap { check -> TypeCondition? in
            guard case .json(_, let steps) = check.subject else { return nil }
            return (steps[...], check.operand.plainText)
        }
        return types.isEmpty ? nil : schema(types)
    }

    /// The type that a value at the end of some steps must have.
    private typealias TypeCondition = (steps: ArraySlice<MemberPath.Step>, type: String)

    private static func schema(_ types: [TypeCondition]) -> OrderedJSON {
        func below(_ step: MemberPath.Step) -> [TypeCondition] {
            types.filter { $0.steps.first == step }.map { ($0.steps.dropFirst(), $0.type) }
        }
        var names: [String] = []
        for case .member(let name)? in types.map(\.steps.first) where !names.contains(name) { names.append(name) }
        let items = below(.everyItem)
        let type = types.last { $0.steps.isEmpty }?.type ?? (items.isEmpty ? names.isEmpty ? nil : "object" : "array")
        return .object([
            "type": type.map { .string($0) },
            "properties": names.isEmpty
                ? nil : .object(names.map { OrderedJSON.Member($0, schema(below(.member($0)))) }),
            "required": names.isEmpty ? nil : .array(names.map { .string($0) }),
            "items": items.isEmpty ? nil : schema(items),
        ])
    }
}

extension StubReader.Body {
    var value: OrderedJSON? {
        switch self {
        case .none: nil
        case .json(let value): value
        case .text(let text): .string(text)
        }
    }
}
