import ReqcliDefinitions
import ReqcliText

/// A source as its reader has made it, with its credentials in it.
///
/// The steps of an import are types, each of which is made by the step before it. So credentials can't be written before they are
/// replaced, and no name can be given before the servers are known.
struct ReadSource {
    let target: ImportTarget
    fileprivate var api: ImportedAPI
    fileprivate var notes: [ConversionNote]

    init(_ api: ImportedAPI, _ notes: [ConversionNote], for target: ImportTarget) {
        (self.target, self.api, self.notes) = (target, api, notes)
        self.api.maskNames()
    }

    /// Replaces the credentials by secrets, and forgets what the source must not use.
    func hidingCredentials() -> HiddenSource {
        var (api, notes) = (api, notes)
        // The keys are made before the steps change the paths.
        let keys = api.requests.map { SourceKey($0) }
        HeaderNamePass().apply(to: &api, &notes)
        FilePass(folders: target.folders).apply(to: &api.requests, &notes)
        let plan = CredentialPlan(target, for: api)
        let prefix = target.variablePrefix(for: api)
        if !target.isExact { CredentialPass(plan: plan, prefix: prefix).apply(to: &api.requests, &notes) }
        var secrets = SecretPass(prefix: prefix, namesEnvironment: target.prefixName(for: api) == nil, plan: plan)
        secrets.apply(to: &api, isExact: target.isExact)
        RefusedVariablePass(refused: plan.refusedVariables).apply(to: &api)
        return HiddenSource(target: target, plan: plan, api: api, notes: notes, secrets: secrets, keys: keys)
    }
}

/// A source whose credentials are secrets. Its servers and variables are still those of the source.
struct HiddenSource {
    fileprivate let target: ImportTarget
    fileprivate let plan: CredentialPlan
    fileprivate var api: ImportedAPI
    fileprivate var notes: [ConversionNote]
    fileprivate var secrets: SecretPass
    fileprivate let keys: [SourceKey]

    /// Completes the servers, and moves what the requests share to the environment. Then gives each request its id.
    func naming() -> NamedSource {
        var source = self
        ServerPass(variables: plan.variables, refused: plan.refusedVariables).apply(to: &source.api, &source.notes)
        UndefinedVariablePass(variables: plan.variables, refused: plan.refusedVariables)
            .apply(to: &source.api, &source.notes)
        // A secret of an environment needs a name even if it has no value, or if no string contains its value.
        var secretNames: [String: String] = [:]
        for secret in source.api.environments.flatMap(\.secrets) {
            secretNames[secret.name] = source.secrets.name(of: secret)
        }
        let known = source.secrets.known
        let keys = SourceKey.texts(keys) { known.masking($0) }
        let fallback = Words.kebab(source.api.hostLabel ?? "")
        let base = BasePass(
            environmentBase: plan.environment?.baseURL, hasAuth: plan.environment?.hasAuth ?? false,
            takesServer: !(plan.environment?.refusesServer ?? false), variables: plan.variables
        ).apply(to: &source.api)
        let placed = target.placed(source.api, keys, fallback: fallback.isEmpty ? "imported" : fallback)
        return NamedSource(
            source: source, placed: placed, keys: keys, secretNames: secretNames, base: base.newEnvironmentBase)
    }
}

/// A source whose requests have ids and complete servers.
struct NamedSource {
    fileprivate var source: HiddenSource
    fileprivate let placed: [NamePass.Placed]
    fileprivate let keys: [String]
    /// The names of the secrets, by their names in the source.
    fileprivate let secretNames: [String: String]
    /// The server that the environment of the import gets; nil if it has one.
    fileprivate let base: String?

    /// Connects requests with the values that they use, and writes all files.
    func written() -> ImportedWorkspace {
        var (api, secrets, target) = (source.api, source.secrets, source.target)
        var result = ImportedWorkspace()
        (result.notes, result.keys) = (source.notes, keys)
        result.redactor = secrets.known.redactor
        result.ids = Array(repeating: "", count: api.requests.count)
        for item in placed { result.ids[item.index] = item.id }
        let variables = source.plan.variables.union(api.environments.flatMap { $0.variables.map(\.name) })
        // Leaves out secrets that the source names in the notation of files, because they already have their names.
        let secretVariables = secretNames.filter { !$0.key.hasPrefix(SecretPass.statedMark) }
        VariablePass(variables: variables, secrets: secretVariables).apply(
            to: &api.requests, ids: result.ids, &result.notes)
        ExposurePass().apply(to: api.requests, &result.notes)
        result.secrets = secrets.secrets
        result.secretVariables = target.allExisting.reduce(into: []) { $0.formUnion($1.secretVariables) }
        let sharing = EnvironmentSharing(target, api.environments, ids: result.ids)
        sharing.leaveAuth(of: &api)
        result.requests = api.requests
        let layout = ImportLayout(target: target, shield: source.plan.shield, sharing: sharing)
        layout.writeEndpoints(placed, api, &result)
        layout.writeEnvironments(api, newBase: base, secretNames, own: secrets.ownSecrets, &result)
        result.notes = result.notes.map { $0.masked(by: result.redactor) }
        for schema in api.schemas {
            let text = schema.value.pretty + "\n"
            result.files.append(ImportedFile(path: "schemas/\(schema.name).json", bytes: Array(text.utf8)))
        }
        return result
    }
}

// MARK: Names

extension ImportTarget {
    /// The ids of the requests. In an update, a request keeps its id.
    fileprivate func placed(_ api: ImportedAPI, _ keys: [String], fallback: String) -> [NamePass.Placed] {
        if let id, api.requests.count == 1 { return [NamePass.Placed(index: 0, id: id)] }
        // Ids that the source states are ids of a workspace, which already contain the groups.
        let hasIDs = api.requests.allSatisfy { $0.id != nil }
        let root = group ?? (hasIDs ? "" : String(Words.kebab(api.title ?? "").prefix(NamePass.longest)))
        let placed = NamePass(root: root, fallback: fallback).placed(api.requests)
        guard let earlierIDs else { return placed }
        var taken = Set(earlierIDs.values)
        return placed.map { item in
            if let id = earlierIDs[keys[item.index]] { return NamePass.Placed(index: item.index, id: id) }
            let name = (1...).lazy.map { $0 == 1 ? item.name : "\(item.name)-\($0)" }.first { name in
                taken.insert("\(item.group).\(name)").inserted
            }
            return NamePass.Placed(index: item.index, group: item.group, name: name ?? item.name)
        }
    }

    /// The beginning of the names of process variables that hold secrets.
    fileprivate func variablePrefix(for api: ImportedAPI) -> String {
        let environments = api.environments
        let first = environments.first.map { environmentName(of: $0, isFirst: true, among: environments) }
        return Words.variablePrefix(prefixName(for: api) ?? first ?? environment)
    }

    /// The name of the API for the names of process variables; nil if these names begin with the name of their environment.
    fileprivate func prefixName(for api: ImportedAPI) -> String? {
        if let group = group ?? api.title, !Words.upper(group).isEmpty { return group }
        return id.map { String($0.prefix { $0 != "." }) } ?? api.hostLabel
    }
}

extension ImportedAPI {
    /// The label that names the host of the API: `example` for `https://api.example.com`.
    fileprivate var hostLabel: String? {
        let variables = environments.lazy.flatMap(\.variables).compactMap { $0.value.urlText }
        let bases = requests.lazy.compactMap(\.base) + environments.lazy.compactMap(\.baseURL) + variables
        guard let base = bases.first(where: { $0.contains("://") }), let scheme = base.firstRange(of: "://") else {
            return nil
        }
        let host = base[scheme.upperBound...].prefix { $0 != "/" && $0 != ":" }
        let labels = host.split(separator: ".").filter { !$0.contains("{") }
        // An IP address has no label that is a name.
        if labels.last?.allSatisfy(\.isNumber) == true { return nil }
        return labels.count > 1 ? labels.dropLast().last.map(String.init) : labels.first.map(String.init)
    }
}

extension OrderedJSON {
    fileprivate var urlText: String? { if case .string(let text) = self, text.contains("://") { text } else { nil } }
}
