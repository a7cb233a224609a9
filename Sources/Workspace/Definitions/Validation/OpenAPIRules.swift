import ReqcliJSONSchema
package import ReqcliOpenAPI
package import ReqcliText

/// Checks the descriptions of APIs that expectations name: their files, their operations, and the schemas of these operations.
enum OpenAPIRules {
    static func rule(_ definitionIndex: DefinitionIndex) -> MentionRule {
        let schemas = definitionIndex.workspace.schemas
        var found: [Diagnostic] = []
        return MentionRule { mention, scope in
            guard case .description(let expectation) = mention else { return }
            var endpoint: LocatedEndpoint?
            if case .endpoint(let located) = scope { endpoint = located }
            found += problems(expectation, of: endpoint, schemas)
        } problems: {
            for endpoint in definitionIndex.endpoints where endpoint.definition.request.expectation == nil {
                guard let shared = endpoint.defaults?.expectation?.set?.openAPI else { continue }
                found += problems(shared, of: endpoint, schemas)
            }
            return found
        }
    }

    /// - Parameter endpoint: The endpoint whose response has to match; nil for the defaults of a group.
    private static func problems(
        _ expectation: OpenAPIExpectation, of endpoint: LocatedEndpoint?, _ schemas: SchemaStore
    ) -> [Diagnostic] {
        let read = schemas.description(at: expectation.file)
        guard let contract = read.value else { return read.diagnostics }
        let named = expectation.namedOperation(in: contract)
        if let operation = named.value { return contract.problems(with: operation) }
        guard named.diagnostics.isEmpty, let endpoint, endpoint.hasOneRequest,
            let path = endpoint.definition.request.path?.set?.knownSegments
        else { return named.diagnostics }
        let method = endpoint.method(in: nil)
        let candidates = contract.candidates(method, path.segments, isWhole: path.isWhole)
        if candidates.isEmpty {
            return [expectation.none(for: method, path.segments, shown: endpoint.path(in: nil), in: contract)]
        }
        return candidates.count == 1 ? contract.problems(with: candidates[0]) : []
    }
}

extension LocatedEndpoint {
    /// Whether method and path are the same in all environments.
    fileprivate var hasOneRequest: Bool {
        !definition.environments.contains { $0.value.method != nil || $0.value.path != nil }
    }
}

extension OpenAPIContract {
    /// The mistakes in the part of the description that defines the responses of an operation.
    package func problems(with operation: Int) -> [Diagnostic] {
        do throws(OpenAPIProblem) {
            _ = try responses(of: operation)
            return warnings(of: operation)
        } catch {
            return error.diagnostics
        }
    }
}

extension PathTemplate {
    /// The segments of the path, with nil for each segment that contains a placeholder. `isWhole` says whether the path is
    /// complete, without a base path before it. The result is nil for a path given as a list of segments, because segments in a
    /// list may be left out.
    fileprivate var knownSegments: (segments: [String?], isWhole: Bool)? {
        guard case .text(let template) = self, !template.source.isEmpty else { return nil }
        var segments: [String?] = [""]
        for piece in template.pieces {
            switch piece {
            case .placeholder: segments[segments.count - 1] = nil
            case .literal(let text):
                let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(\.percentDecoded)
                if let last = segments[segments.count - 1] { segments[segments.count - 1] = last + (parts.first ?? "") }
                segments += parts.dropFirst().map(Optional.some)
            }
        }
        let isWhole = segments.count > 1 && segments[0] == ""
        return (isWhole ? Array(segments.dropFirst()) : segments, isWhole)
    }
}
