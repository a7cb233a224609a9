import ReqcliText

extension ExistingEnvironment {
    /// Whether a request goes to the server of the environment.
    func isServer(of request: ImportedRequest) -> Bool {
        guard let server = baseURL, let base = request.base, keepsMeaning(of: base, in: request) else { return false }
        let url = base + request.path
        return url.hasPrefix(server) && (url.count == server.count || url.dropFirst(server.count).hasPrefix("/"))
    }

    /// Whether the variables in a string have the values of the environment, not values of the source.
    private func keepsMeaning(of text: String, in request: ImportedRequest? = nil) -> Bool {
        TemplateText(text).placeholders.allSatisfy { name in
            !redefinedVariables.contains(name) && request?.params.contains { $0.name == name } != true
        }
    }

    /// The variables for which the source has other values, and variables whose values contain such a variable.
    private func redefinedVariables(in api: ImportedAPI) -> Set<String> {
        var redefined: Set<String> = []
        for variable in api.environments.flatMap(\.variables) where variables.contains(variable.name) {
            if variable.value != variableTexts[variable.name].map(OrderedJSON.string) {
                redefined.insert(variable.name)
            }
        }
        var rest = variableTexts.mapValues { TemplateText($0).placeholders }
        while case let new = rest.filter({ $0.value.contains(where: redefined.contains) }), !new.isEmpty {
            redefined.formUnion(new.keys)
            for name in new.keys { rest[name] = nil }
        }
        return redefined
    }

    /// The environment without the secrets that the source must not use. A name in a request to another server must not refer to
    /// a secret of the environment.
    func withoutSecrets(for api: ImportedAPI) -> ExistingEnvironment {
        var rest = self
        rest.redefinedVariables = redefinedVariables(in: api)
        let names = rest.foreignNames(in: api)
        rest.variables.subtract(secretVariables.intersection(names))
        rest.refusedSecrets = Set(secrets.keys).intersection(names)
        return rest
    }

    /// Whether a request goes to the server of the environment, or to a server that a variable of the environment chooses.
    ///
    /// - Parameter isOwnServer: Whether a request without its own base goes to the server of the environment.
    private func isOwn(_ request: ImportedRequest, _ isOwnServer: Bool) -> Bool {
        guard let base = request.base else { return baseURL != nil && isOwnServer }
        // If the base is a variable of the environment with a server that gets the secrets of the environment, the user has chosen
        // the server, unless the source gives the variable another value.
        let template = TemplateText(base)
        return isServer(of: request)
            || template.isOnePlaceholder && template.placeholders.allSatisfy(chosenVariables.contains)
                && keepsMeaning(of: base, in: request)
    }

    /// Whether all requests of a source go to the server of the environment, whichever environment of the source is used.
    func isServer(ofAll api: ImportedAPI) -> Bool {
        let isOwnServer = api.environments.allSatisfy { environment in
            environment.baseURL.map { $0 == baseURL && keepsMeaning(of: $0) } ?? true
        }
        return isOwnServer && api.requests.allSatisfy { isOwn($0, isOwnServer) }
    }

    /// The names of variables that are sent to servers which the source names.
    private func foreignNames(in api: ImportedAPI) -> Set<String> {
        let isOwnServer = api.environments.allSatisfy { environment in
            guard environment.name == nil, let stated = environment.baseURL else { return true }
            return stated == baseURL && keepsMeaning(of: stated)
        }
        var names: Set<String> = []
        for request in api.requests where !isOwn(request, isOwnServer) {
            names.formUnion(request.placeholders)
        }
        if names.isEmpty { return names }
        // The value of a source variable may contain other variables.
        for variable in api.environments.flatMap(\.variables) {
            names.formUnion(variable.value.placeholders)
        }
        return names
    }
}

extension OrderedJSON {
    /// All strings in the value.
    var texts: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(\.texts)
        case .object(let members): members.flatMap(\.value.texts)
        case .null, .bool, .number: []
        }
    }
}

extension ImportTarget {
    /// The environment of the import. Its variables count as secret if they are secret in any environment.
    var existingForEveryEnvironment: ExistingEnvironment? {
        existing.map { existing in
            var result = existing
            for other in others.values { result.secretVariables.formUnion(other.secretVariables) }
            return result
        }
    }
}
