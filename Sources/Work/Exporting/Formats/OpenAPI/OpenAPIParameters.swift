import Foundation
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliMocking
import ReqcliText
import RequestBuilding

/// The params and the body of one operation.
struct OpenAPIParameters {
    private let request: OpenRequest
    var schemas: OpenAPISchemas
    private(set) var all: [OrderedJSON] = []
    private(set) var notes: [ConversionNote] = []
    private var seen: Set<String> = []

    init(_ request: OpenRequest, _ schemas: inout OpenAPISchemas) {
        self.request = request
        self.schemas = schemas
    }

    /// Whether the header is left out. OpenAPI describes some headers in another place, and some headers, such as `User-Agent`,
    /// aren't chosen by the endpoint.
    static func isIgnored(_ header: String) -> Bool {
        ["accept", "content-type", "authorization", "user-agent", "host", "content-length"]
            .contains(header.lowercased())
    }

    mutating func addPath(_ name: String, _ value: OpenValue) {
        add(name, in: "path", isRequired: true, schema: schema(of: value), value)
    }

    mutating func addQuery(_ query: String?, except carriers: Set<String>) {
        for item in QueryItem.grouped(query ?? "") where !carriers.contains(item.name) {
            add(item.name, in: "query", item.values)
        }
    }

    mutating func addHeaders(except carriers: Set<String>) {
        let overlay = request.endpoint.definition.environments[named: request.environment.name]
        let layers = [
            request.endpoint.defaults?.layer, request.endpoint.definition.request.layer, overlay?.layer,
        ].compactMap(\.self)
        let own = Set(layers.flatMap(\.headers).map { $0.name.lowercased() })
        for name in own.sorted() where !Self.isIgnored(name) && !carriers.contains(name) {
            let values = request.request.headers.filter { $0.name.lowercased() == name }
            guard let first = values.first else { continue }
            add(first.name, in: "header", values.map(\.value))
        }
    }

    /// Adds a query item or a header with its values.
    private mutating func add(_ name: String, in place: String, _ values: [String]) {
        if let choice = choice(name, in: place) {
            return add(name, in: place, isRequired: false, schema: choice.schema, nil)
        }
        if values.count == 1, let value = StandIn.onlyValue(of: values[0]) {
            return add(name, in: place, isRequired: isRequired(value), schema: schema(of: value), value)
        }
        let (schema, example) = schema(ofTexts: values)
        if OrderedJSON.array(values.map { .string($0) }).hasOpenValues {
            notes.append(
                request.note(
                    .approximated, "a value with text around a param becomes one string parameter", part: name))
        }
        add(name, in: place, isRequired: true, schema: schema, nil, example: example)
    }

    /// The schema of a text, or of a list of several texts. With an example if a part of the texts is open, and the files have
    /// values for all such parts.
    private func schema(ofTexts values: [String]) -> (schema: OrderedJSON, example: OrderedJSON?) {
        let texts = values.map { OrderedJSON.string($0) }
        let value = texts.count == 1 ? texts[0] : .array(texts)
        let isFixed = !value.hasOpenValues
        let schema = OrderedJSON.object([
            "type": texts.count == 1 ? "string" : "array",
            "items": texts.count == 1 ? nil : .object(["type": "string"]),
            "const": isFixed ? value : nil,
        ])
        let example = value.filling { open in
            if parameter(open)?.isSecret == true { return nil }
            return (request.sample(open) ?? parameter(open)?.example?.value).map { .string($0.plainText) }
        }
        return (schema, isFixed || example.hasOpenValues ? nil : example)
    }

    private mutating func add(
        _ name: String, in place: String, isRequired: Bool, schema: OrderedJSON, _ value: OpenValue?,
        example: OrderedJSON? = nil
    ) {
        let key = place == "header" ? "\(place) \(name.lowercased())" : "\(place) \(name)"
        guard seen.insert(key).inserted else { return }
        var isRepeated: OrderedJSON?
        if case .parameter(let own)? = value, let parameter = request.endpoint.parameters[named: own],
            parameter.kind == .list, place != "path"
        {
            isRepeated = .bool(parameter.separator == nil)
        }
        var members: [OrderedJSON.Member] = [.init("name", .string(name)), .init("in", .string(place))]
        if let text = value.flatMap({ description(of: $0) }) { members.append(.init("description", .string(text))) }
        if isRequired { members.append(.init("required", true)) }
        if value.flatMap({ parameter($0) })?.isDeprecated == true { members.append(.init("deprecated", true)) }
        if place == "query", let isRepeated { members.append(.init("explode", isRepeated)) }
        members.append(.init("schema", schema))
        if let example = value.flatMap({ self.example(of: $0) }) ?? example {
            members.append(.init("example", example))
        }
        all.append(.object(members))
    }

    // MARK: Values

    private func parameter(_ value: OpenValue) -> Parameter? {
        if case .parameter(let name) = value { request.endpoint.parameters[named: name] } else { nil }
    }

    private func description(of value: OpenValue) -> String? { parameter(value)?.summary }

    private func isRequired(_ value: OpenValue) -> Bool { parameter(value)?.isRequired ?? true }

    private func example(of value: OpenValue) -> OrderedJSON? {
        parameter(value).flatMap { $0.isSecret || $0.defaultValue != nil ? nil : $0.example?.value }
    }

    private mutating func schema(of value: OpenValue) -> OrderedJSON {
        guard let parameter = parameter(value) else { return .object(["type": "string"]) }
        return schemas.schema(of: parameter)
    }

    /// The strings that a `$switch` chooses from, as an enum; nil if the item or the header isn't such a choice.
    private func choice(_ name: String, in place: String) -> (schema: OrderedJSON, Void)? {
        let layer = request.endpoint.definition.request.layer
        let setting =
            place == "query"
            ? layer.query?.set?.items?[named: name]
            : layer.headers.first { $0.name.lowercased() == name.lowercased() }?.value
        guard case .choice(let choice)? = setting?.set?.first else { return nil }
        var texts: [String] = []
        for value in choice.cases.map(\.value) + [choice.otherwise].compactMap(\.self) {
            guard let literal = value.literal else { return nil }
            if !texts.contains(literal.plainText) { texts.append(literal.plainText) }
        }
        return (.object(["type": "string", "enum": .array(texts.map { .string($0) })]), ())
    }

    /// The schema, with the description and the example of the param added.
    private func described(_ schema: OrderedJSON, _ value: OpenValue?) -> OrderedJSON {
        guard case .object(var parts) = schema, let value else { return schema }
        if let text = description(of: value) { parts.append(.init("description", .string(text))) }
        if let example = example(of: value) { parts.append(.init("examples", [example])) }
        return .object(parts)
    }

    /// The value of a member of the body: as `const` if the value is fixed, else as an example.
    private func sample(of json: OrderedJSON) -> [OrderedJSON.Member] {
        switch json {
        case .null, .bool: return [.init("const", json)]
        case .number(let text), .string(let text):
            let filled = json.filling { request.sample($0) }
            let isFixed = !StandIn.pieces(of: text).contains { $0.value != nil }
            if isFixed { return [.init("const", json)] }
            return filled.hasOpenValues ? [] : [.init("examples", [filled])]
        case .array, .object:
            return json.filling { request.sample($0) }.withoutOpenValues.map { [.init("examples", [$0])] } ?? []
        }
    }

    // MARK: The body

    mutating func body() -> OrderedJSON? {
        guard request.request.body != nil else { return nil }
        let definition = request.endpoint.body(in: request.environment.name)
        var type = request.contentType ?? "application/octet-stream"
        var schema: OrderedJSON = .object([])
        var example: OrderedJSON?
        switch definition?.content {
        case .json, .graphQL:
            guard let json = request.bodyJSON else { break }
            schema = self.schema(of: json, isBody: true)
            example = json.filling { request.sample($0) }.withoutOpenValues
        case .form:
            schema = form(IncomingRequest.fields(request.bodyText ?? "").map { ($0.name, $0.value, nil) })
        case .multipart:
            type = "multipart/form-data"
            schema = form(
                (request.parts ?? []).map { part in
                    (part.name, part.text, part.file.flatMap(StandIn.onlyValue))
                })
        case .text: schema = .object(["type": "string"])
        case .file, .base64, nil: break
        }
        return .object([
            "required": true,
            "content": .object([
                OrderedJSON.Member(type, .object(["schema": schema, "example": example]))
            ]),
        ])
    }

    /// The schema of a form.
    ///
    /// - Parameter fields: The names of the fields, each with its value, or with the open value for the path of a file.
    private mutating func form(_ fields: [(name: String, value: String?, file: OpenValue?)]) -> OrderedJSON {
        var members: [OrderedJSON.Member] = []
        var required: [OrderedJSON] = []
        for (name, text, file) in fields where !members.contains(where: { $0.name == name }) {
            guard let text else {
                members.append(
                    .init(
                        name,
                        .object([
                            "type": "string", "contentMediaType": "application/octet-stream",
                            "description": file.flatMap { description(of: $0) }.map { .string($0) },
                        ])))
                if file.map(isRequired) ?? true { required.append(.string(name)) }
                continue
            }
            let texts = fields.filter { $0.name == name }.compactMap(\.value)
            guard texts.count == 1, let value = StandIn.onlyValue(of: text) else {
                let (schema, example) = schema(ofTexts: texts)
                let examples = example.map { [OrderedJSON.Member("examples", [$0])] } ?? []
                members.append(.init(name, .object((schema.objectMembers ?? []) + examples)))
                required.append(.string(name))
                continue
            }
            members.append(.init(name, described(schema(of: value), value)))
            if isRequired(value) { required.append(.string(name)) }
        }
        return .object([
            "type": "object", "properties": .object(members), "required": required.isEmpty ? nil : .array(required),
        ])
    }

    /// The schema of a value. A stand-in, which marks the place of a param, gets the schema of the param. Any other value gets a
    /// schema with its type.
    ///
    /// - Parameter isBody: Whether the value is a body. If so, each member without a param also gets the value as `const` or as
    ///   an example.
    private mutating func schema(of json: OrderedJSON, isBody: Bool = false) -> OrderedJSON {
        switch json {
        case .null: return .object(["type": "null"])
        case .bool: return .object(["type": "boolean"])
        case .number(let text):
            if StandIn.onlyValue(of: text) != nil { return .object(["type": "integer"]) }
            return .object(["type": .string(JSONNumber(text)?.isInteger == true ? "integer" : "number")])
        case .string(let text):
            if let value = StandIn.onlyValue(of: text) { return schema(of: value) }
            return .object(["type": "string"])
        case .array(let elements):
            // For a list param, the JSON has a list with one stand-in.
            if elements.count == 1, case .string(let text) = elements[0], let value = StandIn.onlyValue(of: text),
                parameter(value)?.kind == .list
            {
                return schema(of: value)
            }
            let items = elements.map { schema(of: $0) }
            let isUniform = items.allSatisfy { $0 == items.first }
            return .object(["type": "array", "items": isUniform ? items.first : nil])
        case .object(let members):
            var properties: [OrderedJSON.Member] = []
            var required: [OrderedJSON] = []
            for member in members {
                let value = member.value.openValue
                if value.map(isRequired) ?? true { required.append(.string(member.name)) }
                var schema = described(schema(of: member.value), value)
                if isBody, value == nil, case .object(let parts) = schema {
                    schema = .object(parts + sample(of: member.value))
                }
                properties.append(.init(member.name, schema))
            }
            return .object([
                "type": "object", "properties": .object(properties),
                "required": required.isEmpty ? nil : .array(required),
            ])
        }
    }
}

extension OrderedJSON {
    /// The open value, if the JSON consists only of this value.
    fileprivate var openValue: OpenValue? {
        switch self {
        case .string(let text): StandIn.onlyValue(of: text)
        case .array(let elements) where elements.count == 1: elements[0].openValue
        default: nil
        }
    }

    /// The value without the members and elements that contain an open value; nil if the value itself is open.
    var withoutOpenValues: OrderedJSON? {
        switch self {
        case .string(let text), .number(let text): StandIn.pieces(of: text).contains { $0.value != nil } ? nil : self
        // A list with one stand-in is a list param, so the whole list is open.
        case .array(let elements):
            openValue == nil ? .array(elements.compactMap(\.withoutOpenValues)) : nil
        case .object(let members):
            .object(members.compactMap { member in member.value.withoutOpenValues.map { Member(member.name, $0) } })
        case .null, .bool: self
        }
    }
}
