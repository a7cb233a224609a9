package import ReqcliDefinitions

/// Decides which values of the user an import may send to a server that didn't get them before: none, unless the user agrees.
package struct FlowCheck {
    private let before: ValueFlows
    /// The record of the import that is updated.
    private let record: ImportRecord?
    private let takesNewServers: Bool
    private let replaced: Set<String>
    /// The endpoints of the record.
    private let entries: [String: ImportRecord.Entry]

    /// - Parameters:
    ///   - before: The flows of the workspace without the changes of the import.
    ///   - record: The record of an earlier import, which is updated.
    ///   - replaced: The endpoints that the import writes for the first time, or in place of endpoints of these names.
    ///   - takesNewServers: Whether the user agrees that values of the import go to other servers.
    package init(
        _ before: ValueFlows, updating record: ImportRecord?, replacing replaced: [String], takesNewServers: Bool
    ) {
        self.before = before
        self.record = record
        self.replaced = record == nil ? Set(replaced) : []
        self.takesNewServers = takesNewServers
        entries = Dictionary(record?.entries.map { ($0.id, $0) } ?? [], uniquingKeysWith: { first, _ in first })
    }

    /// The problem that a value of the user would be sent to another server; nil if no value would be.
    ///
    /// - Parameter draft: The workspace with the changes of the import.
    package func problem(in draft: Workspace) -> ImportProblem? {
        if before.values.isEmpty { return nil }
        let new = ValueFlows(draft).uses.filter { !before.flows.contains($0.flow) && isRefused($0.flow, at: $0.place) }
        guard let flow = new.map(\.flow).min(by: { ($0.value.wording, $0.server) < ($1.value.wording, $1.server) })
        else { return nil }
        let isOwn = !isImported(flow.value)
        return ImportProblem(
            "the source would send \(flow.value.wording) to \(flow.server), which doesn't get it now", at: nil,
            hint: !isOwn
                ? "check it; --new-servers agrees"
                : record == nil
                    ? "choose another environment with --env, or give the server of your endpoint a value of your own"
                    : "if that is right, change your files so that they send it there, and update again")
    }

    private func isRefused(_ flow: ValueFlows.Flow, at place: ValueFlows.Place) -> Bool {
        guard before.values.contains(flow.value), !(flow.value.endpoint.map(replaced.contains) ?? false) else {
            return false
        }
        // An endpoint without a server, and every endpoint in a new environment, may get its first server.
        if case .parameter = flow.value, !before.served.contains(place) { return false }
        return !takesNewServers || !isImported(flow.value)
    }

    /// Whether a value exists only because the import that is updated has asked for it.
    private func isImported(_ value: FlowingValue) -> Bool {
        guard let record else { return false }
        func wrote(_ key: String, _ name: String, _ id: String) -> Bool {
            guard let entry = entries[id] else { return false }
            let group = id.split(separator: ".").dropLast().joined(separator: ".")
            return entry.units[[key, name]] != nil || record.groups[group]?[[key, name]] != nil
        }
        switch value {
        case .parameter(let name, let id): return wrote("params", name, id)
        case .capture(let name, let id): return wrote("capture", name, id)
        case .processVariable, .stored:
            return (before.secrets[value] ?? []).allSatisfy { secret in
                record.groups[ImportedWorkspace.environmentKey(secret.environment)]?[["secrets", secret.name]] != nil
            } && before.users[value, default: []].allSatisfy { entries[$0] != nil }
        case .literal: return false
        }
    }
}
