import ReqcliBasics
import ReqcliDefinitions
import ReqcliOpenAPI
import ReqcliText
import RequestBuilding

extension OpenAPIReader {
    /// Adds the expectations of the responses, and stub variants for their examples.
    mutating func addResponses(of operation: OpenAPIOperation, at index: Int, to request: inout ImportedRequest) {
        for response in operation.responses {
            guard let links = response.links else { continue }
            note(
                .lost, "links are not converted", "\(operation.pointer)/responses/\(response.status)/links",
                at: links.place)
        }
        let good = Self.good(operation.responses)
        let schema = options.hasSchemas && operation.method != "HEAD" ? schema(of: good, operation) : nil
        if schema != nil {
            if good.contains(where: { $0.contents.contains { !$0.isJSON } }), !request.headers.contains("Accept"),
                let type = good.lazy.flatMap(\.contents).first(where: { $0.isJSON })?.plainType
            {
                request.headers.append(OrderedJSON.Member("Accept", .literal(type)))
            }
        }
        let headers = requiredHeaders(of: good)
        if HTTPMethod.isSafe(operation.method) {
            request.expect = .object(["status": Self.status(good), "schema": schema, "headers": headers])
        } else if let schema {
            // An expectation would make a request that may change something on the server a case of `check`.
            let status = good.first?.code.flatMap { $0 == 200 ? nil : OrderedJSON.int($0) }
            request.response = .object(["status": status, "schema": schema])
        }
        if options.stubs != .none { addVariants(of: operation, at: index, good.first, schema, to: &request) }
    }

    /// The responses of successful requests: the responses with 2xx, else the default response, else the redirects.
    private static func good(_ responses: [OpenAPIResponse]) -> [OpenAPIResponse] {
        let good = responses.filter { $0.isGood }
        if !good.isEmpty { return good }
        let standard = responses.filter { $0.status == "default" }
        return standard.isEmpty ? responses.filter { (300..<400).contains($0.code ?? 0) } : standard
    }

    private static func status(_ good: [OpenAPIResponse]) -> OrderedJSON {
        var statuses: [OrderedJSON] = []
        for response in good {
            let word = response.status == "default" ? "2xx" : response.status.lowercased()
            let status: OrderedJSON = response.code.map { .int($0) } ?? .string(word)
            if !statuses.contains(status) { statuses.append(status) }
        }
        return statuses.isEmpty ? "2xx" : .oneOrMore(statuses)
    }

    /// The headers that every good response has.
    private mutating func requiredHeaders(of good: [OpenAPIResponse]) -> OrderedJSON? {
        var required: [JSONValue.Member] = []
        var counts: [String: Int] = [:]
        for response in good {
            var own: Set<String> = ["content-type"]
            for header in response.headers.map({ Array($0.members) }) ?? [] {
                guard document.resolve(header.value)?["required"]?.bool == true,
                    own.insert(header.name.lowercased()).inserted
                else { continue }
                required.append(header)
                counts[header.name.lowercased(), default: 0] += 1
            }
        }
        var members: [OrderedJSON.Member] = []
        var seen: Set<String> = []
        for header in required where seen.insert(header.name.lowercased()).inserted {
            if counts[header.name.lowercased()] == good.count, header.name.isToken {
                members.append(OrderedJSON.Member(header.name, .object(["exists": true])))
            } else {
                note(
                    .lost, "a header is not expected, because not every successful response requires it", header.name,
                    at: header.key.place)
            }
        }
        return members.nonEmpty
    }

    // MARK: Schemas

    private mutating func schema(of good: [OpenAPIResponse], _ operation: OpenAPIOperation) -> OrderedJSON? {
        var schemas: [OrderedJSON] = []
        let stem = Words.kebab(operation.id ?? "\(operation.method) \(operation.path)")
        var hasOther = false
        for response in good {
            guard
                let content = response.contents.first(where: \.isJSON) ?? response.contents.first(where: \.isAnything),
                let schema = content.schema, !document.shape(of: schema).isBinary,
                let converted = catalog.schema(schema, .response, title: "\(stem)-\(response.status)", in: &document)
            else {
                hasOther = true
                continue
            }
            if !schemas.contains(converted) { schemas.append(converted) }
        }
        if schemas.isEmpty { return nil }
        if hasOther {
            note(
                .approximated, "a response has no schema, because a successful response may have no JSON",
                operation.pointer,
                at: operation.place)
            return nil
        }
        if schemas.count == 1 { return schemas[0] }
        return .object([
            "anyOf": .array(
                schemas.map { schema in
                    if case .string(let text) = schema { .object(["$ref": .string(text)]) } else { schema }
                })
        ])
    }

    // MARK: Variants

    private mutating func addVariants(
        of operation: OpenAPIOperation, at index: Int, _ standard: OpenAPIResponse?, _ schema: OrderedJSON?,
        to request: inout ImportedRequest
    ) {
        var names = UniqueNames()
        var first: [ImportedVariant] = []
        var others: [ImportedVariant] = []
        for response in operation.responses where response.status != standard?.status {
            others += variants(of: response, operation, isStandard: false, isMade: options.stubs == .all, &names)
        }
        // The first variant is the default, which must not be an error.
        let isMade =
            options.stubs == .all || others.first { !(300..<400).contains($0.status) }.map { $0.status >= 400 } ?? false
        for response in operation.responses where response.status == standard?.status {
            first += variants(of: response, operation, isStandard: true, isMade: isMade, &names)
        }
        if isMade, first.isEmpty {
            first = [ImportedVariant("standard", status: standard?.code ?? 200)]
        }
        request.variants = first + others
        if let variant = first.first, case .json = variant.body, let schema {
            samples.append(
                SampleCheck(
                    request: index, kind: .variant(variant.name, isMade: standard?.hasExample == false), schema: schema,
                    source: standard?.contents.first { $0.isJSON }?.schema, place: operation.place))
        }
    }

    /// The variants for the examples of a response. If it has no example, `isMade` tells whether one variant is made from the
    /// schema.
    private mutating func variants(
        of response: OpenAPIResponse, _ operation: OpenAPIOperation, isStandard: Bool, isMade: Bool,
        _ names: inout UniqueNames
    ) -> [ImportedVariant] {
        guard let status = isStandard && response.code == nil ? 200 : response.stubStatus else { return [] }
        for content in response.contents { noteExternal(content.examples) }
        let content =
            response.contents.first { $0.isJSON && $0.hasExample }
            ?? response.contents.first { $0.hasExample } ?? response.contents.first(where: \.isJSON)
            ?? response.contents.first
        var bodies: [(name: String?, summary: String?, body: ImportedVariant.Body?)] = []
        if let content {
            for example in content.examples {
                guard let value = example.value else { continue }
                if let body = body(value, content) {
                    bodies.append((example.name, example.summary, body))
                } else {
                    note(.lost, "an example cannot be written in its media type", content.mediaType, at: example.place)
                }
            }
            if bodies.isEmpty, let value = schemaExample(of: content) { bodies.append((nil, nil, .json(value))) }
        }
        if bodies.isEmpty, isMade {
            guard let content else { return [variant(response, status, nil, nil, nil, isStandard, 0, 1, &names)] }
            var maker = SchemaSample(isForRequests: false)
            let value = content.isJSON ? maker.value(of: content.schema, &document) : nil
            if value == nil, content.isJSON, content.schema != nil {
                note(.lost, "no sample response could be made that matches the schema", at: response.place)
                return []
            }
            bodies.append((nil, nil, value.map { .json($0) }))
        }
        return bodies.enumerated().map { index, item in
            var result = variant(
                response, status, item.name, item.summary, item.body, isStandard, index, bodies.count, &names)
            var isImplied = false
            if case .json? = item.body { isImplied = content?.plainType == "application/json" }
            if let content, item.body != nil, !isImplied, !content.mediaType.contains("*") {
                result.headers = [OrderedJSON.Member("Content-Type", .literal(content.mediaType))]
            }
            return result
        }
    }

    private func variant(
        _ response: OpenAPIResponse, _ status: Int, _ name: String?, _ summary: String?, _ body: ImportedVariant.Body?,
        _ isStandard: Bool, _ index: Int, _ count: Int, _ names: inout UniqueNames
    ) -> ImportedVariant {
        let word = Words.kebab(name ?? "")
        let code = response.status.lowercased()
        let wanted = isStandard && index == 0 ? "standard" : count == 1 || word.isEmpty ? code : "\(code)-\(word)"
        var variant = ImportedVariant(names.take(wanted), status: status, body: body)
        let text = (summary ?? response.description)?.firstParagraph ?? ""
        if !text.isEmpty, !isStandard || index > 0 { variant.description = text }
        return variant
    }

    /// The example in the schema of a response, if the example is for the whole body.
    private mutating func schemaExample(of content: OpenAPIContent) -> OrderedJSON? {
        guard content.isJSON || content.isAnything, let schema = content.schema else { return nil }
        let shape = document.shape(of: schema)
        if let example = shape.example { return OrderedJSON(example.parsedJSON ?? example) }
        guard shape.type == "array", let items = shape["items"],
            let example = document.shape(of: items).example
        else { return nil }
        return .array([OrderedJSON(example)])
    }

    private func body(_ value: JSONValue, _ content: OpenAPIContent) -> ImportedVariant.Body? {
        if content.isJSON || content.isAnything && value.kind != .string {
            return .json(OrderedJSON(value.parsedJSON ?? value))
        }
        return value.string.map { .text($0) }
    }
}

extension OpenAPIResponse {
    fileprivate var isGood: Bool { status.hasPrefix("2") && status.utf8.count == 3 && (code != nil || isRange) }

    private var isRange: Bool { status.dropFirst().lowercased() == "xx" }

    fileprivate var hasExample: Bool { contents.contains { $0.hasExample } }

    /// The status of a stub for the response.
    fileprivate var stubStatus: Int? {
        if let code { return (100...599).contains(code) ? code : nil }
        if status == "default" { return 500 }
        return isRange ? status.first.flatMap { Int(String($0)) }.map { $0 * 100 } : nil
    }
}

extension OpenAPIContent {
    fileprivate var isAnything: Bool { plainType == "*/*" || plainType == "application/*" }
    fileprivate var hasExample: Bool { examples.contains { $0.value != nil } }
}
