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
    /// Variables whose values contain secrets, directly or through other variables.
    package var secretVariables: Set<String> = []
    /// The names of the secrets, each with the name of the process variable that the secret is read from. If a secret isn't read
    /// from a process variable, the second name is empty.
    package var secrets: [String: String] = [:]
    /// The names of secrets that an earlier import of the source has added. In an update, the source keeps these secrets, even if
    /// the user has changed where they are read from.
    package var importedSecrets: Set<String> = []

    package init() {}

    /// The process variable of a secret; nil if there is no such secret, or if an earlier import of the source has added it.
    func ownSecret(_ name: String) -> String? { importedSecrets.contains(name) ? nil : secrets[name] }
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

    /// An environment that exists with another server than the source has for it, although the source has credentials for it.
    package struct ServerConflict: Sendable {
        package let environment: String
        package let existing: String
        package let imported: String
    }

    package var serverConflict: ServerConflict?

    /// Leaves out the endpoints of some requests.
    package mutating func remove(at indices: Set<Int>) {
        let gone = Set(indices.map { ids[$0] })
        func kept<Element>(_ elements: [Element]) -> [Element] {
            elements.enumerated().filter { !indices.contains($0.offset) }.map(\.element)
        }
        (ids, requests, keys) = (kept(ids), kept(requests), kept(keys))
        singles.removeAll { gone.contains($0.id) }
        files.removeAll { $0.endpoint.map(gone.contains) ?? false }
        for index in groups.indices {
            let group = groups[index]
            let kept = zip(group.endpoints, group.places).filter { !gone.contains("\(group.id).\($0.0.name)") }
            (groups[index].endpoints, groups[index].places) = (kept.map(\.0), kept.map(\.1))
        }
        groups.removeAll(where: \.endpoints.isEmpty)
    }

    package struct WrittenEnvironment: Sendable {
        package let name: String
        package var members: [OrderedJSON.Member]
    }
}

/// Turns the result of a reader into files.
package enum ImportPipeline {
    package static func run(
        _ source: ImportedAPI, _ notes: [ConversionNote], into target: ImportTarget
    ) -> ImportedWorkspace {
        ReadSource(source, notes, for: target).hidingCredentials().naming().written()
    }
}

/// Writes the files of endpoints and environments.
struct ImportLayout {
    let target: ImportTarget
    let shield: CredentialShield
    let sharing: EnvironmentSharing

    func writeEndpoints(_ placed: [NamePass.Placed], _ api: ImportedAPI, _ result: inout ImportedWorkspace) {
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

    func writeEnvironments(
        _ api: ImportedAPI, newBase: String?, _ secretNames: [String: String],
        own ownSecrets: [String: [String: ImportedSecret]], _ result: inout ImportedWorkspace
    ) {
        var environments = api.environments
        if environments.isEmpty { environments = [ImportedEnvironment()] }
        let shared = api.statesEnvironments ? [] : result.hoistToEnvironment(where: sharing.allows)
        let declared = Set(api.environments.flatMap(\.secrets).map(\.name).compactMap { secretNames[$0] })
        if let base = target.existing?.baseURL { result.servers.insert(base) }
        var written = Dictionary(
            result.environments.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        for (index, environment) in environments.enumerated() {
            let name = target.environmentName(of: environment, isFirst: index == 0, among: environments)
            if index == 0 { result.firstEnvironment = name }
            if let conflict = conflict(environment, name, api) { result.serverConflict = conflict }
            var members: [OrderedJSON.Member] = .present(["description": environment.description.map { .string($0) }])
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
            members += .present(["variables": environment.variables.nonEmpty])
            let own = Set(environment.secrets.compactMap { secretNames[$0.name] })
            let all = result.secrets.map { secret in
                environment.name.flatMap { ownSecrets[$0]?[secret.name] } ?? secret
            }
            let secrets = all.filter { secret in
                !api.isExported || own.contains(secret.name) || !declared.contains(secret.name)
            }.filter { secret in
                // Leaves out a secret that the environment had before: it isn't the source's own, and a later version of the
                // source must not send it to another server.
                name != target.environment || target.existing?.ownSecret(secret.name) != secret.variable
            }.map(\.definition)
            members += .present(["secrets": secrets.nonEmpty])
            if let known = written[name] {
                result.environments[known].members += members.filter { member in
                    !result.environments[known].members.contains { $0.name == member.name }
                }
            } else if !members.isEmpty {
                written[name] = result.environments.count
                result.environments.append(ImportedWorkspace.WrittenEnvironment(name: name, members: members))
            }
        }
        for (_, own) in ownSecrets.sorted(by: { $0.key < $1.key }) {
            result.secrets += own.values.sorted { $0.name < $1.name }
        }
    }
}

extension ImportLayout {
    /// The conflict of an environment of the source with an existing one, whose server would get the source's credentials.
    fileprivate func conflict(
        _ environment: ImportedEnvironment, _ name: String, _ api: ImportedAPI
    ) -> ImportedWorkspace.ServerConflict? {
        let known = name == target.environment ? target.existing : target.others[name]
        guard environment.name != nil, target.earlierIDs == nil, let own = known?.baseURL,
            let stated = environment.baseURL, own != stated, api.requests.contains(where: { $0.base == nil }),
            !environment.secrets.isEmpty || environment.auth != .inherited
        else { return nil }
        return ImportedWorkspace.ServerConflict(environment: name, existing: own, imported: stated)
    }

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
