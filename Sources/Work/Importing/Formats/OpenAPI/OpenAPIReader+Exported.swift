import ReqcliDefinitions
import ReqcliOpenAPI
import ReqcliText

/// Reads the parts that a description from `export` states more precisely than other descriptions.
extension OpenAPIReader {
    private static let components = "#/components/schemas/"

    /// The files of schemas: one for each component.
    func exportedSchemas() -> [OrderedJSON.Member] {
        guard let all = document.root["components"]?["schemas"]?.members else { return [] }
        return all.compactMap { member in
            // The name becomes the name of a file.
            let isName = member.name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(Name.isValid)
            return isName ? OrderedJSON.Member(member.name, Self.exportedSchema(member.value)) : nil
        }
    }

    /// A schema in which references to files replace references to components.
    static func exportedSchema(_ value: JSONValue) -> OrderedJSON {
        switch value.kind {
        case .object:
            let values = value.members.map { member -> OrderedJSON.Member in
                guard member.name == "$ref", let text = member.value.string, text.hasPrefix(components) else {
                    let isPlain = ["const", "enum", "default", "example", "examples"].contains(member.name)
                    return OrderedJSON.Member(
                        member.name, isPlain ? OrderedJSON(member.value) : exportedSchema(member.value))
                }
                let rest = text.dropFirst(components.count)
                let name = rest.prefix { $0 != "/" }
                let fragment = rest.dropFirst(name.count)
                return OrderedJSON.Member("$ref", .string("\(name).json" + (fragment.isEmpty ? "" : "#\(fragment)")))
            }
            return .object(values)
        case .array: return .array(value.elements.map { exportedSchema($0) })
        default: return OrderedJSON(value)
        }
    }

    /// The schema of a param, without the keys that the param has itself.
    static func exportedParamSchema(_ value: JSONValue) -> OrderedJSON? {
        guard case .object(let members) = exportedSchema(value) else { return nil }
        let kept = members.filter { !["default", "description", "examples"].contains($0.name) }
        return kept.isEmpty ? nil : .object(kept)
    }

    /// The only value that a parameter or a member has, as an endpoint file writes it.
    static func fixedValue(_ schema: JSONValue?) -> OrderedJSON? {
        schema?["const"].map { OrderedJSON($0).escapingBraces }
    }

    // MARK: Responses

    mutating func addExportedResponses(of operation: OpenAPIOperation, to request: inout ImportedRequest) {
        var expected: [OrderedJSON] = []
        var schema: OrderedJSON?
        for response in operation.responses {
            let source = operation.value["responses"]?[response.status]
            if source?["x-expected"]?.bool == true {
                expected.append(response.code.map { .int($0) } ?? .string(response.status.lowercased()))
                schema =
                    schema
                    ?? response.contents.first { $0.isJSON && $0.schema != nil }?.schema.map { Self.exportedSchema($0) }
            }
            let found = exportedVariants(of: response)
            let description = response.description ?? ""
            let isTold = expected.isEmpty || source?["x-expected"]?.bool != true || source?["x-summary"]?.bool == true
            if found.isEmpty, isTold, let status = response.code {
                var variant = ImportedVariant("\(status)", status: status)
                if source?["x-summary"]?.bool == true { variant.description = description }
                request.variants.append(variant)
            }
            request.variants += found
        }
        var members: [OrderedJSON.Member] = []
        if !expected.isEmpty { members.append(OrderedJSON.Member("status", .oneOrMore(expected))) }
        if options.hasSchemas, let schema { members.append(OrderedJSON.Member("schema", schema)) }
        request.expect = members.isEmpty ? nil : .object(members)
        if options.stubs == .none { request.variants = [] }
    }

    private func exportedVariants(of response: OpenAPIResponse) -> [ImportedVariant] {
        guard let status = response.code ?? response.status.first.flatMap({ Int(String($0)) }).map({ $0 * 100 }),
            (100...599).contains(status)
        else { return [] }
        return response.contents.flatMap { content in
            content.examples.compactMap { example -> ImportedVariant? in
                guard let name = example.name, Name.isValid(name), let value = example.value else { return nil }
                let text = content.isJSON ? nil : value.string
                var variant = ImportedVariant(
                    name, status: status, body: text.map { .text($0) } ?? .json(OrderedJSON(value)))
                variant.description = example.summary
                let implied = text == nil ? "application/json" : "text/plain"
                if content.mediaType != implied {
                    variant.headers = [OrderedJSON.Member("Content-Type", .literal(content.mediaType))]
                }
                return variant
            }
        }
    }
}
