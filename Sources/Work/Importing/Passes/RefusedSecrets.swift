/// Names that the source must not use for its own secrets, since they stand for secrets of the workspace.
struct RefusedSecrets {
    /// The names of secrets of other environments. An endpoint can be sent in any environment.
    var names: Set<String> = []
    /// The process variables that secrets are read from.
    var processVariables: Set<String> = []
}

extension ImportTarget {
    /// The secrets that a source must not use, because they would be sent to another server. A source may use the secrets of its
    /// environment if all its requests go to the server of this environment. It may also use the secrets that an earlier import
    /// of the source has made.
    ///
    /// - Parameter existing: The environment of the import, with the values that the source changes.
    func refusedSecrets(for api: ImportedAPI, _ existing: ExistingEnvironment?) -> RefusedSecrets {
        let isOwn = existing?.isServer(ofAll: api) ?? false
        var refused = RefusedSecrets()
        for (name, environment) in others.map({ ($0.key, $0.value) }) + [(self.environment, existing)] {
            for (secret, variable) in environment?.secrets ?? [:] {
                let member = ImportedSecret(name: secret, variable: variable).member
                if wasWritten(member, name) { continue }
                refused.processVariables.insert(variable)
                if name != self.environment, !isOwn { refused.names.insert(secret) }
            }
        }
        if let existing, isOwn { refused.processVariables.subtract(existing.secrets.values) }
        return refused
    }
}
