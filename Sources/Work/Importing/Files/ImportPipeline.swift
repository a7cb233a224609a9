package import ReqcliDefinitions
package import ReqcliRedaction
package import ReqcliText

/// The place in a workspace for the result of an import.
package struct ImportTarget: Sendable {
    /// The id of a single request.
    package var id: String?
    /// The outermost group. Nil if the source names this group; empty if there is no such group.
    package var group: String?
    /// The environment that server, credentials and variables belong to.
    package var environment = "development"
    /// Whether the user named the environment.
    package var namesEnvironment = false
    /// Information about the environment of the import; nil if this environment has no file.
    package var existing: ExistingEnvironment?
    /// Information about the other environments, whose credentials must not be sent to servers of the source.
    package var others: [String: ExistingEnvironment] = [:]
    /// All environments that have a file.
    package var environments: Set<String> = []
    /// The ids of all endpoints that the workspace has.
    package var endpoints: Set<String> = []
    /// Whether an earlier import of this source has written the member, with the same value, to the environment of this name. For
    /// a member with several secrets or headers, all of them must have been written.
    package var wasWritten: @Sendable (_ member: OrderedJSON.Member, _ environment: String) -> Bool = { _, _ in false }
    package var isExact = false
    package var folders = SourceFolders()
    /// The ids of the endpoints from an earlier import, by the key of the request in the source. Nil for a first import.
    package var earlierIDs: [String: String]?

    package init() {}

    /// All environments of the workspace, in a fixed order.
    package var allExisting: [ExistingEnvironment] {
        [existing].compactMap(\.self) + others.sorted { $0.key < $1.key }.map(\.value)
    }
}

/// Information about an environment that already has a file.
package struct ExistingEnvironment: Sendable {
    package var baseURL: String?
    package var hasAuth = false
    /// The kind of the environment's `auth`, such as `bearer`.
    package var authKind: String?
    /// Headers that carry credentials.
    package var credentialHeaders: [String] = []
    /// The names of query items that contain secrets.
    package var secretQueryItems: [String] = []
    /// Whether the query is one string that contains a secret. A later layer can't remove the secret from such a query and still
    /// add items.
    package var hasSecretQueryText = false
    /// Whether the environment has credentials but no server. If so, the environment must not get a server that a source names.
    package var refusesServer = false
    /// Whether the environment's setting for redirects differs from the setting of an earlier import.
    package var keepsRedirects = true
    package var followsRedirects = false
    package var variables: Set<String> = []
    /// Variables with a server that the secrets of the environment are for.
    package var chosenVariables: Set<String> = []
    /// The values of variables whose values are text. Placeholders in these values are kept.
    package var variableTexts: [String: String] = [:]
    /// Variables for which the source has other values.
    var redefinedVariables: Set<String> = []
    /// Variables whose values contain secrets, directly or through other variables.
    package var secretVariables: Set<String> = []
    /// Secrets that the import must not use. The source uses the names of these secrets for values that it sends to another
    /// server.
    var refusedSecrets: Set<String> = []
    /// The names of the secrets, each with the name of the process variable that the secret is read from. If a secret isn't read
    /// from a process variable, the second name is empty.
    package var secrets: [String: String] = [:]

    package init() {}
}

/// The content of an import for the workspace's files, before this content is merged with existing files.
package struct ImportedWorkspace: Sendable {
    package var groups: [ImportedGroup] = []
    /// The endpoints with a separate file.
    package var singles: [(id: String, definition: OrderedJSON)] = []
    package var environments: [WrittenEnvironment] = []
    package var files: [ImportedFile] = []
    package var secrets: [ImportedSecret] = []
    /// The ids of the requests, in the order of the source.
    package var ids: [String] = []
    package var requests: [ImportedRequest] = []
    /// The key that identifies each request in another version of the source.
    package var keys: [String] = []
    package var notes: [ConversionNote] = []
    /// Masks the values of secrets in everything that is shown.
    package var redactor = Redactor([])
    /// The name of the environment that the first environment of the source is written to.
    package var firstEnvironment = ""
    /// The base URLs of the environments. A request without a separate base URL is sent there.
    package var servers: Set<String> = []
    /// Variables of the workspace with secrets in their values.
    package var secretVariables: Set<String> = []

    package struct WrittenEnvironment: Sendable {
        package let name: String
        package var members: [OrderedJSON.Member]
    }
}

/// Turns the result of a reader into files. The passes of the pipeline find the base URL, the secrets, the names, the chains of
/// requests, and the defaults.
package struct ImportPipeline: Sendable {
    let target: ImportTarget

    package init(_ target: ImportTarget) { self.target = target }

    package func run(_ source: ImportedAPI, _ notes: [ConversionNote]) -> ImportedWorkspace {
        var api = source
        api.maskNames()
        var result = ImportedWorkspace()
        result.notes = notes
        // The keys are made before the passes change the paths.
        let keys = api.requests.map { SourceKey($0) }
        HeaderNamePass().apply(to: &api, &result.notes)
        FilePass(folders: target.folders).apply(to: &api.requests, &result.notes)
        let existing = target.existingForEveryEnvironment?.withoutSecrets(for: api)
        if let existing, !target.isExact {
            CredentialPass(existing: existing, prefix: prefix(for: api)).apply(to: &api.requests, &result.notes)
        }
        var secretPass = SecretPass(
            prefix: prefix(for: api), existing: existing,
            refused: target.refusedSecrets(for: api, existing))
        secretPass.apply(to: &api, isExact: target.isExact)
        let usable = existing?.variables ?? []
        var refused = (target.existing?.variables ?? []).subtracting(usable)
        if existing?.isServer(ofAll: api) != true {
            for other in target.others.values { refused.formUnion(other.secretVariables) }
        }
        RefusedVariablePass(refused: refused).apply(to: &api)
        ServerPass(variables: usable, refused: refused).apply(to: &api, &result.notes)
        UndefinedVariablePass(variables: usable, refused: refused).apply(to: &api, &result.notes)
        // A secret of an environment needs a name even if it has no value, or if no string contains its value.
        var secretNames: [String: String] = [:]
        for secret in api.environments.flatMap(\.secrets) {
            secretNames[secret.name] = secretPass.name(of: secret)
        }
        let known = secretPass.known
        result.redactor = known.redactor
        result.keys = SourceKey.texts(keys) { known.masking($0) }
        let fallback = Words.kebab(hostLabel(api) ?? "")
        let base = BasePass(
            environmentBase: existing?.baseURL, hasAuth: existing?.hasAuth ?? false,
            takesServer: !(existing?.refusesServer ?? false), variables: existing?.variables ?? []
        ).apply(to: &api)
        let placed = placed(api, result.keys, fallback: fallback.isEmpty ? "imported" : fallback)
        result.ids = Array(repeating: "", count: api.requests.count)
        for item in placed { result.ids[item.index] = item.id }
        let variables = (existing?.variables ?? []).union(api.environments.flatMap { $0.variables.map(\.name) })
        // Leaves out secrets that the source names in the notation of files, because they already have their names.
        let secretVariables = secretNames.filter { !$0.key.hasPrefix(SecretPass.statedMark) }
        VariablePass(variables: variables, secrets: secretVariables).apply(
            to: &api.requests, ids: result.ids, &result.notes)
        ExposurePass().apply(to: api.requests, &result.notes)
        result.secrets = secretPass.secrets
        result.secretVariables = target.allExisting.reduce(into: []) {
            $0.formUnion($1.secretVariables)
        }
        let shield = CredentialShield(target)
        let sharing = EnvironmentSharing(target, api.environments, ids: result.ids)
        sharing.leaveAuth(of: &api)
        result.requests = api.requests
        layOut(placed, api, shield, &result)
        writeEnvironments(
            api, newBase: base.newEnvironmentBase, secretNames, own: secretPass.ownSecrets, sharing, &result)
        for (_, own) in secretPass.ownSecrets.sorted(by: { $0.key < $1.key }) {
            result.secrets += own.values.sorted { $0.name < $1.name }
        }
        result.notes = result.notes.map { $0.masked(by: result.redactor) }
        for schema in api.schemas {
            let text = schema.value.pretty + "\n"
            result.files.append(ImportedFile(path: "schemas/\(schema.name).json", bytes: Array(text.utf8)))
        }
        return result
    }

    // MARK: Names

    private func placed(_ api: ImportedAPI, _ keys: [String], fallback: String) -> [NamePass.Placed] {
        if let id = target.id, api.requests.count == 1 {
            let parts = id.split(separator: ".").map(String.init)
            return [
                NamePass.Placed(index: 0, group: parts.dropLast().joined(separator: "."), name: parts.last ?? id)
            ]
        }
        // Ids that the source states are ids of a workspace, which already contain the groups.
        let hasIDs = api.requests.allSatisfy { $0.id != nil }
        let root = target.group ?? (hasIDs ? "" : String(Words.kebab(api.title ?? "").prefix(NamePass.longest)))
        let placed = NamePass(root: root, fallback: fallback).placed(api.requests)
        guard let earlier = target.earlierIDs else { return placed }
        var taken = Set(earlier.values)
        return placed.map { item in
            if let id = earlier[keys[item.index]] {
                let parts = id.split(separator: ".").map(String.init)
                return NamePass.Placed(
                    index: item.index, group: parts.dropLast().joined(separator: "."), name: parts.last ?? id)
            }
            let name = (1...).lazy.map { $0 == 1 ? item.name : "\(item.name)-\($0)" }.first { name in
                taken.insert("\(item.group).\(name)").inserted
            }
            return NamePass.Placed(index: item.index, group: item.group, name: name ?? item.name)
        }
    }

    /// The beginning of the names of process variables that hold secrets.
    private func prefix(for api: ImportedAPI) -> String {
        if let group = target.group ?? api.title, !Words.upper(group).isEmpty { return Words.variablePrefix(group) }
        if let id = target.id { return Words.variablePrefix(id.split(separator: ".").first ?? "") }
        return Words.variablePrefix(hostLabel(api) ?? target.environment)
    }

    /// The label that names the host of the API: `example` for `https://api.example.com`.
    private func hostLabel(_ api: ImportedAPI) -> String? {
        let variables = api.environments.lazy.flatMap(\.variables).compactMap { $0.value.urlText }
        let bases = api.requests.lazy.compactMap(\.base) + api.environments.lazy.compactMap(\.baseURL) + variables
        guard let base = bases.first(where: { $0.contains("://") }), let scheme = base.firstRange(of: "://") else {
            return nil
        }
        let host = base[scheme.upperBound...].prefix { $0 != "/" && $0 != ":" }
        let labels = host.split(separator: ".").filter { !$0.contains("{") }
        // An IP address has no label that is a name.
        if labels.last?.allSatisfy(\.isNumber) == true { return nil }
        return labels.count > 1 ? labels.dropLast().last.map(String.init) : labels.first.map(String.init)
    }

    // MARK: Files

    private func layOut(
        _ placed: [NamePass.Placed], _ api: ImportedAPI, _ shield: CredentialShield, _ result: inout ImportedWorkspace
    ) {
        var order: [String] = []
        var groups: [String: ImportedGroup] = [:]
        for item in placed {
            let request = api.requests[item.index]
            let written = request.definition(id: item.id, isExported: api.isExported)
            result.files += written.stubFiles
            if item.group.isEmpty {
                result.singles.append((item.id, shield.covering(written.json)))
                continue
            }
            if groups[item.group] == nil {
                order.append(item.group)
                groups[item.group] = ImportedGroup(
                    id: item.group, description: api.groupDescriptions[request.folders], endpoints: [], places: [])
            }
            groups[item.group]?.endpoints.append(OrderedJSON.Member(item.name, written.json))
            groups[item.group]?.places.append(request.place)
        }
        result.groups = order.compactMap { groups[$0] }
        for index in result.groups.indices {
            result.groups[index].hoistBase(shield, keepsOrder: api.isExported)
        }
    }

    // MARK: Environments

    private func writeEnvironments(
        _ api: ImportedAPI, newBase: String?, _ secretNames: [String: String],
        own ownSecrets: [String: [String: ImportedSecret]], _ sharing: EnvironmentSharing,
        _ result: inout ImportedWorkspace
    ) {
        var environments = api.environments
        if environments.isEmpty { environments = [ImportedEnvironment()] }
        let shared = api.statesEnvironments ? [] : result.hoistToEnvironment(where: sharing.allows)
        let declared = Set(api.environments.flatMap(\.secrets).map(\.name).compactMap { secretNames[$0] })
        if let base = target.existing?.baseURL { result.servers.insert(base) }
        var written = Dictionary(
            result.environments.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        for (index, environment) in environments.enumerated() {
            let name = target.environmentName(of: environment, isFirst: index == 0)
            if index == 0 { result.firstEnvironment = name }
            var members: [OrderedJSON.Member] = []
            if let text = environment.description { members.append(OrderedJSON.Member("description", .string(text))) }
            if let text = environment.baseURL ?? newBase {
                result.servers.insert(text)
                let base = OrderedJSON.Member("baseURL", .string(text))
                if !keepsServer(name, base, &result.notes) { members.append(base) }
            }
            let keepsOwn = target.existing?.keepsRedirects ?? false
            let settings = environment.settings.filter { !keepsOwn || !$0.name.hasPrefix("redirects.") }
            let isKnown = target.existing?.followsRedirects ?? false
            if settings.count < environment.settings.count, target.earlierIDs == nil, !isKnown {
                result.notes.append(
                    ConversionNote(
                        .approximated,
                        "the source follows redirects: \"redirects\": {\"follow\": true} is set in the environment",
                        name, at: nil))
            }
            members += [environment.auth.member].compactMap(\.self)
            members += shared.filter { member in !members.contains { $0.name == member.name } } + settings.nested
            if !environment.variables.isEmpty {
                members.append(OrderedJSON.Member("variables", .object(environment.variables)))
            }
            let own = Set(environment.secrets.compactMap { secretNames[$0.name] })
            let all = result.secrets.map { secret in
                environment.name.flatMap { ownSecrets[$0]?[secret.name] } ?? secret
            }
            let secrets = all.filter { secret in
                !api.isExported || own.contains(secret.name) || !declared.contains(secret.name)
            }.filter { secret in
                // Leaves out a secret that the environment had before: it isn't the source's own, and a later version of the
                // source must not send it to another server.
                name != target.environment || target.existing?.secrets[secret.name] != secret.variable
                    || target.wasWritten(secret.member, name)
            }.map(\.definition)
            if !secrets.isEmpty { members.append(OrderedJSON.Member("secrets", .object(secrets))) }
            if let known = written[name] {
                result.environments[known].members += members.filter { member in
                    !result.environments[known].members.contains { $0.name == member.name }
                }
            } else if !members.isEmpty {
                written[name] = result.environments.count
                result.environments.append(ImportedWorkspace.WrittenEnvironment(name: name, members: members))
            }
        }
    }
}

extension ImportPipeline {
    /// Whether an existing environment that isn't the target of the import keeps its server. The environment may have
    /// credentials, and they must only be sent to this server.
    fileprivate func keepsServer(_ name: String, _ base: OrderedJSON.Member, _ notes: inout [ConversionNote]) -> Bool {
        guard name != target.environment, target.environments.contains(name), !target.wasWritten(base, name) else {
            return false
        }
        let own = target.others[name]?.baseURL
        if target.earlierIDs == nil, own.map({ .string($0) }) != base.value {
            notes.append(
                ConversionNote(
                    .toDo,
                    own == nil
                        ? "an existing environment gets no server from a source, because it may have credentials; add the server yourself"
                        : "an environment already has a server, which gets the requests of the imported endpoints; choose another environment with --env",
                    "\(name): \(base.value.compact)", at: nil))
        }
        return true
    }
}

extension ImportedWorkspace {
    /// Finds the members that all groups and endpoints share and that an environment may have. Removes these members from the
    /// groups and endpoints, and returns them.
    fileprivate mutating func hoistToEnvironment(
        where isAllowed: (OrderedJSON.Member) -> Bool
    ) -> [OrderedJSON.Member] {
        // An endpoint with a separate file is treated like the defaults of a group.
        var all =
            groups
            + singles.map {
                ImportedGroup(id: $0.id, defaults: $0.definition.objectMembers ?? [], endpoints: [], places: [])
            }
        let shared = all.hoistToEnvironment(where: isAllowed)
        for index in singles.indices { singles[index].definition = .object(all[groups.count + index].defaults) }
        groups = Array(all.prefix(groups.count))
        return shared
    }
}

extension ImportedGroup {
    /// Moves the members that all endpoints share to the defaults. A definition with a base URL also gets settings that keep the
    /// credentials of earlier layers away from this URL.
    fileprivate mutating func hoistBase(_ shield: CredentialShield, keepsOrder: Bool) {
        let bases = endpoints.map { $0.value.objectMembers?.first { $0.name == "baseURL" } }
        if let base = bases.first ?? nil, bases.allSatisfy({ $0 == base }) {
            endpoints = endpoints.map { endpoint in
                OrderedJSON.Member(
                    endpoint.name, .object((endpoint.value.objectMembers ?? []).filter { $0.name != "baseURL" }))
            }
            hoist(keepsOrder: keepsOrder)
            defaults.insert(base, at: 0)
            defaults = shield.covering(.object(defaults)).objectMembers ?? defaults
        } else {
            endpoints = endpoints.map { OrderedJSON.Member($0.name, shield.covering($0.value)) }
            hoist(keepsOrder: keepsOrder)
        }
    }
}

extension OrderedJSON {
    fileprivate var urlText: String? { if case .string(let text) = self, text.contains("://") { text } else { nil } }
}
