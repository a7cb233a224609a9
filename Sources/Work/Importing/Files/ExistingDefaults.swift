import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText

/// The defaults of an existing group. Endpoints that are imported into the group also get these defaults.
struct ExistingDefaults {
    private let path: String
    private let defaults: JSONValue
    private let imported: ImportedWorkspace
    private let search: CredentialSearch

    init?(_ group: GroupFile?, _ imported: ImportedWorkspace) {
        guard let group, let defaults = group.root["defaults"] else { return nil }
        (path, self.defaults, self.imported) = (group.path, defaults, imported)
        search = CredentialSearch(secretVariables: imported.secretVariables)
    }

    /// The imported group, adapted to the existing group. Imported endpoints and defaults with another server don't get the
    /// credentials of the existing group.
    ///
    /// - Throws: If the existing group would send the endpoints to another server than the source does.
    func covering(_ group: ImportedGroup) throws(EditProblem) -> ImportedGroup {
        var covered = group
        let shared = try covering(.object(group.defaults), isWhole: false)
        covered.defaults = shared.objectMembers ?? []
        let sharesBase = group.defaults.contains { $0.name == "baseURL" }
        covered.endpoints = try group.endpoints.map { endpoint throws(EditProblem) in
            OrderedJSON.Member(endpoint.name, try covering(endpoint.value, isWhole: !sharesBase))
        }
        return covered
    }

    /// The endpoint, without the credentials of the group if the endpoint is sent to another server.
    func covering(_ endpoint: OrderedJSON) throws(EditProblem) -> OrderedJSON { try covering(endpoint, isWhole: true) }

    /// The endpoint, without the credentials of the group if the endpoint names another server. An endpoint without a server is
    /// returned unchanged.
    func coveringOwnServer(of endpoint: OrderedJSON) throws(EditProblem) -> OrderedJSON {
        try covering(endpoint, isWhole: false)
    }

    /// The definition, without the credentials of the group if it names another server.
    ///
    /// - Parameter isWhole: Whether a definition without a server uses the server of the environment.
    private func covering(_ definition: OrderedJSON, isWhole: Bool) throws(EditProblem) -> OrderedJSON {
        guard let base = definition.objectMembers?.first(where: { $0.name == "baseURL" }) else {
            if isWhole || choosesServer(definition) { try refuseServer() }
            return definition
        }
        if base.value == defaults["baseURL"].map({ OrderedJSON($0) }), !choosesServer(definition) { return definition }
        if let query = defaults["query"], let text = query.string,
            search.isSecret(.string(text)) || LikelySecret.isIn(query: text)
        {
            throw EditProblem(
                "\"query\" in \(path) is text with a secret, which would also be sent to another server: \(base.value.compact)",
                at: defaults.placeOfKey("query"),
                hint: "write this query as an object, or choose another group with --into")
        }
        return shield.covering(definition)
    }

    /// Whether the server in the group's defaults contains a param of the definition.
    private func choosesServer(_ definition: OrderedJSON) -> Bool {
        guard case .string(let server)? = defaults["baseURL"].map({ OrderedJSON($0) }),
            let params = definition.objectMembers?.first(where: { $0.name == "params" })?.value.objectMembers
        else { return false }
        return TemplateText(server).placeholders.contains { name in params.contains { $0.name == name } }
    }

    private func refuseServer() throws(EditProblem) {
        let keys = ["baseURL", "scheme", "host", "port", "basePath"]
        guard let key = keys.first(where: { defaults[$0].map { $0.kind != .null } ?? false }) else { return }
        if case .string(let text)? = defaults["baseURL"].map({ OrderedJSON($0) }),
            imported.servers == [text.hasSuffix("/") ? String(text.dropLast()) : text]
        {
            return
        }
        throw EditProblem(
            "\"\(key)\" in the defaults of \(path) would send the imported endpoints to another server than the source",
            at: defaults.placeOfKey(key), hint: "choose another group with --into, or another id with --as")
    }

    // MARK: Credentials

    private var shield: CredentialShield {
        func names(_ key: String, _ isName: (String) -> Bool) -> [String] {
            (defaults[key].map { Array($0.members) } ?? []).filter { member in
                member.value.kind != .null && (isName(member.name) || search.isSecret(OrderedJSON(member.value)))
            }.map(\.name)
        }
        return CredentialShield(
            hasAuth: defaults["auth"].map { $0.kind != .null } ?? false,
            headers: names("headers", LikelySecret.isHeader), queryItems: names("query", LikelySecret.isName))
    }
}
