import ReqcliBasics
import ReqcliJSONSchema
package import ReqcliOpenAPI
package import ReqcliText

extension OpenAPIExpectation {
    /// The operation that the expectation names. Nil, with a diagnostic, if the description has no operation with this id, or
    /// several such operations. Nil without a diagnostic if the expectation names no operation.
    package func namedOperation(in contract: OpenAPIContract) -> Diagnosed<Int?> {
        guard let operation else { return Diagnosed(nil) }
        let found = contract.operations(named: operation.value)
        if found.count == 1 { return Diagnosed(found[0]) }
        if !found.isEmpty {
            return Diagnosed(
                nil, [several(found, in: contract, "\(JSONStringText.quoted(operation.value))", at: operation.place)])
        }
        let ids = contract.operations.compactMap(\.id)
        return Diagnosed(
            nil,
            [
                Diagnostic(
                    code: .operationUnknown,
                    "\(contract.name) has no operation \(JSONStringText.quoted(operation.value))",
                    at: operation.place,
                    hint: NearNames.question(for: operation.value, among: ids)
                        ?? "leave out \"operation\" to find the operation by method and path")
            ])
    }

    /// The operation of a request, by its method and path.
    ///
    /// - Parameter shown: The path as messages show it.
    package func operation(
        of method: String, _ path: String, shown: String, in contract: OpenAPIContract
    ) -> Diagnosed<Int?> {
        let found = contract.operations(method, path)
        if found.count == 1 { return Diagnosed(found[0]) }
        if found.isEmpty {
            return Diagnosed(nil, [none(for: method, path.segments, shown: shown, in: contract)])
        }
        return Diagnosed(nil, [several(found, in: contract, "\(method) \(shown)", at: place)])
    }

    /// The diagnostic for a request that matches no operation of the description.
    func none(for method: String, _ path: [String?], shown: String, in contract: OpenAPIContract) -> Diagnostic {
        let near = contract.near(method, path).map(\.title)
        return Diagnostic(
            code: .operationUnknown, "\(contract.name) has no operation for \(method) \(shown)", at: place,
            hint: NearNames.question(near)
                ?? (isAdded
                    ? "leave the case out with --exclude, or give it its own \"openapi\"" : naming("…", contract))
        )
    }

    private func naming(_ operation: String, _ contract: OpenAPIContract) -> String {
        let file = JSONStringText.quoted(isAdded ? contract.name : file.value)
        return
            "name the operation: \"openapi\": {\"file\": \(file), \"operation\": \(JSONStringText.quoted(operation))}"
    }

    private func several(
        _ found: [Int], in contract: OpenAPIContract, _ what: String, at place: Place
    ) -> Diagnostic {
        let operations = found.map { contract.operations[$0] }
        let names = operations.prefix(4).map(\.title).joined(separator: ", ")
        return Diagnostic(
            code: .operationUnknown,
            "\(what) matches \(found.count) operations of \(contract.name): \(names)\(found.count > 4 ? ", …" : "")",
            at: place,
            hint: operation == nil
                ? naming(operations[0].id ?? "…", contract)
                : "each operation needs its own \"operationId\"")
    }
}

extension String {
    /// The segments of a path, decoded.
    fileprivate var segments: [String] {
        (hasPrefix("/") ? dropFirst() : self[...]).split(separator: "/", omittingEmptySubsequences: false)
            .map(\.percentDecoded)
    }
}

extension Diagnostic.Code {
    package static let operationUnknown: Self = "openapi.operation"
}
