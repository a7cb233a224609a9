import SourceText

extension ExistingEnvironment {
    /// Whether a request goes to the server of the environment.
    func isServer(of request: ImportedRequest) -> Bool {
        guard let server = baseURL, let base = request.base else { return false }
        let url = base + request.path
        return url.hasPrefix(server) && (url.count == server.count || url.dropFirst(server.count).hasPrefix("/"))
    }

    /// The environment as a source may use it: a name that requests to other servers use stands for no secret of the environment.
    func withoutSecrets(for api: ImportedAPI) -> ExistingEnvironment {
        let names = foreignNames(in: api)
        var rest = self
        rest.variables.subtract(secretVariables.intersection(names))
        rest.refusedSecrets = Set(secrets.keys).intersection(names)
        return rest
    }

    /// The names of variables that are sent to servers which the source names.
    private func foreignNames(in api: ImportedAPI) -> Set<String> {
        let isOwnServer = api.environments.allSatisfy { $0.name != nil || $0.baseURL == nil || $0.baseURL == baseURL }
        var names: Set<String> = []
        for request in api.requests {
            let isOwn =
                request.base.map { base in
                    // A variable of the environment is its user's choice of a server.
                    let template = TemplateText(base)
                    return isServer(of: request)
                        || template.isOnePlaceholder && template.placeholders.allSatisfy(variables.contains)
                } ?? (baseURL != nil && isOwnServer)
            if !isOwn { names.formUnion(request.texts.flatMap { TemplateText($0).placeholders }) }
        }
        if names.isEmpty { return names }
        // A variable of the source may have others in its value.
        for variable in api.environments.flatMap(\.variables) {
            names.formUnion(variable.value.texts.flatMap { TemplateText($0).placeholders })
        }
        return names
    }
}

extension OrderedJSON {
    fileprivate var texts: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(\.texts)
        case .object(let members): members.flatMap(\.value.texts)
        case .null, .bool, .number: []
        }
    }
}
