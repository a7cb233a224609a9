import ReqcliText

/// What an import may do with the credentials of the workspace: no credential may be sent to a server that it wasn't meant for.
///
/// The plan is made once, from the source as its reader has made it, before a step changes the servers and variables of the source.
/// All steps that name secrets, variables or servers follow it.
struct CredentialPlan {
    /// The environment of the import; nil if it has no file. Its variables count as secret if they are secret in any environment.
    let environment: ExistingEnvironment?
    /// Whether all requests of the source go to the server of the environment.
    let isOwnServer: Bool
    /// Variables of the environment that the source may refer to.
    let variables: Set<String>
    /// Variables of environments that the source must not refer to.
    let refusedVariables: Set<String>
    /// Secrets of the environment that no name in the source may refer to.
    let hiddenSecrets: Set<String>
    /// Names that the source must not use for its own secrets, since other environments have secrets of these names.
    private(set) var refusedNames: Set<String> = []
    /// Process variables with secrets of the workspace, which the source must not use for its own secrets.
    private(set) var refusedProcessVariables: Set<String> = []
    /// Keeps the credentials of all environments away from servers that the source names.
    let shield: CredentialShield
    /// Variables for which the source has other values, and variables whose values contain such a variable.
    private let redefined: Set<String>

    /// A plan for a workspace without credentials.
    init() { self.init(ImportTarget(), for: ImportedAPI()) }

    init(_ target: ImportTarget, for api: ImportedAPI) {
        var environment = target.existing
        for other in target.others.values { environment?.secretVariables.formUnion(other.secretVariables) }
        self.environment = environment
        redefined = environment?.variables(redefinedIn: api) ?? []
        let servers = ExistingServer(environment, redefined)
        isOwnServer = servers.isServer(ofAll: api)
        let foreign = servers.foreignNames(in: api)
        let known = environment?.variables ?? []
        variables = known.subtracting((environment?.secretVariables ?? []).intersection(foreign))
        hiddenSecrets = foreign.filter { environment?.ownSecret($0) != nil }
        var refused = known.subtracting(variables)
        if !isOwnServer { for other in target.others.values { refused.formUnion(other.secretVariables) } }
        refusedVariables = refused
        shield = CredentialShield(target)
        refuseSecrets(of: target)
    }

    /// Whether a request goes to the server of the environment.
    func isServer(of request: ImportedRequest) -> Bool { ExistingServer(environment, redefined).isServer(of: request) }

    /// Refuses the secrets that would be sent to another server. A source may use the secrets of its environment if all its
    /// requests go to the server of this environment. It may also use the secrets that an earlier import of the source has made:
    /// their names, wherever the user has moved them, and their process variables.
    private mutating func refuseSecrets(of target: ImportTarget) {
        var written: Set<String> = []
        for (name, environment) in target.others.map({ ($0.key, $0.value) }) + [(target.environment, environment)] {
            let imported = environment?.importedSecrets ?? []
            for (secret, variable) in environment?.secrets ?? [:] {
                func wrote(_ secret: String) -> Bool {
                    target.wasWritten(ImportedSecret(name: secret, variable: variable).member, name)
                }
                // The user may have given the variable to another secret of the import.
                if wrote(secret) || imported.contains(where: wrote) {
                    written.insert(variable)
                } else {
                    refusedProcessVariables.insert(variable)
                }
                if name != target.environment, !isOwnServer, !imported.contains(secret) { refusedNames.insert(secret) }
            }
        }
        refusedProcessVariables.subtract(written)
        if let environment, isOwnServer { refusedProcessVariables.subtract(environment.secrets.values) }
    }
}

extension ExistingEnvironment {
    fileprivate func variables(redefinedIn api: ImportedAPI) -> Set<String> {
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
}

/// The server of the environment of an import, and the requests of the source that go there.
private struct ExistingServer {
    private let environment: ExistingEnvironment
    private let redefined: Set<String>

    init(_ environment: ExistingEnvironment?, _ redefined: Set<String>) {
        self.environment = environment ?? ExistingEnvironment()
        self.redefined = redefined
    }

    /// Whether a request names the server of the environment.
    func isServer(of request: ImportedRequest) -> Bool {
        guard let server = environment.baseURL, let base = request.base, keepsMeaning(of: base, in: request) else {
            return false
        }
        let url = base + request.path
        return url.hasPrefix(server) && (url.count == server.count || url.dropFirst(server.count).hasPrefix("/"))
    }

    /// Whether the variables in a string have the values of the environment, not values of the source.
    private func keepsMeaning(of text: String, in request: ImportedRequest? = nil) -> Bool {
        TemplateText(text).placeholders.allSatisfy { name in
            !redefined.contains(name) && request?.params.contains { $0.name == name } != true
        }
    }

    /// Whether a request goes to the server of the environment, or to a server that a variable of the environment chooses.
    ///
    /// - Parameter isOwnServer: Whether a request without its own base goes to the server of the environment.
    private func isOwn(_ request: ImportedRequest, _ isOwnServer: Bool) -> Bool {
        guard let base = request.base else { return environment.baseURL != nil && isOwnServer }
        // If the base is a variable of the environment with a server that gets the secrets of the environment, the user has chosen
        // the server, unless the source gives the variable another value.
        let template = TemplateText(base)
        return isServer(of: request)
            || template.isOnePlaceholder && template.placeholders.allSatisfy(environment.chosenVariables.contains)
                && keepsMeaning(of: base, in: request)
    }

    private func isOwn(_ server: String) -> Bool { server == environment.baseURL && keepsMeaning(of: server) }

    /// Whether all requests of a source go to the server of the environment, whichever environment of the source is used.
    func isServer(ofAll api: ImportedAPI) -> Bool {
        let isOwnServer = api.environments.allSatisfy { $0.baseURL.map(isOwn) ?? true }
        let clients = (api.requests.map(\.auth) + api.environments.map(\.auth)).compactMap(\.tokenTexts)
        return isOwnServer && clients.isEmpty && api.requests.allSatisfy { isOwn($0, isOwnServer) }
    }

    /// The names of variables that are sent to servers which the source names.
    func foreignNames(in api: ImportedAPI) -> Set<String> {
        let isOwnServer = api.environments.allSatisfy { $0.name != nil || ($0.baseURL.map(isOwn) ?? true) }
        var names: Set<String> = []
        for request in api.requests where !isOwn(request, isOwnServer) { names.formUnion(request.placeholders) }
        // The server that gives tokens gets the secret of the client.
        for auth in api.requests.map(\.auth) + api.environments.map(\.auth) {
            names.formUnion((auth.tokenTexts ?? []).flatMap(\.placeholders))
        }
        if names.isEmpty { return names }
        // The value of a source variable may contain other variables.
        for variable in api.environments.flatMap(\.variables) { names.formUnion(variable.value.placeholders) }
        return names
    }
}
