import ReqcliDefinitions
import ReqcliText

/// Decides what an import may set for all endpoints of an environment.
///
/// An endpoint outside the import may have its own server, and nothing of the import may be sent to this server. So an
/// environment gets credentials and settings only if it is new and the workspace has no other endpoints. Otherwise the groups get
/// them.
struct EnvironmentSharing {
    private let target: ImportTarget
    /// The environments that the import writes.
    private let environments: [String]
    private let hasOthers: Bool

    init(_ target: ImportTarget, _ environments: [ImportedEnvironment], ids: [String]) {
        self.target = target
        let names = environments.enumerated().map {
            target.environmentName(of: $1, isFirst: $0 == 0, among: environments)
        }
        self.environments = names.isEmpty ? [target.environment] : names
        hasOthers = !target.endpoints.subtracting(ids).isSubset(
            of: Set(target.earlierIDs.map { Array($0.values) } ?? []))
    }

    /// Whether environments may get a member that is in the defaults of all groups.
    func allows(_ member: OrderedJSON.Member) -> Bool {
        environments.allSatisfy { name in
            let isNew = target.existing == nil && !target.environments.contains(name)
            return isNew && !hasOthers || target.wasWritten(member, name)
        }
    }

    /// Moves the `auth` of environments to the requests, unless the environments may keep their `auth`.
    func leaveAuth(of api: inout ImportedAPI) {
        guard let auth = api.environments.lazy.map(\.auth).first(where: { $0 != .inherited }), let member = auth.member,
            !allows(member)
        else { return }
        for index in api.requests.indices where api.requests[index].auth == .inherited {
            api.requests[index].auth = auth
        }
        for index in api.environments.indices { api.environments[index].auth = .inherited }
    }
}

extension ImportTarget {
    /// The name of the file that an environment of the source is written to. The first one is written to the environment that the
    /// user names, unless the source has an environment of this name.
    func environmentName(
        of environment: ImportedEnvironment, isFirst: Bool, among all: [ImportedEnvironment]
    ) -> String {
        let isChosen = isFirst && namesEnvironment && !all.contains { $0.name == self.environment }
        guard let name = environment.name, !isChosen, Name.isValid(name) else { return self.environment }
        return name
    }
}
