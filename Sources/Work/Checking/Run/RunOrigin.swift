/// What a run was about and where it ran, so that a report still says it in a month.
package struct RunOrigin: Sendable, Equatable {
    /// The server of the environment, without secrets; nil if it is not known before a request, or if only stubs respond.
    package var server: String?
    /// The commit of the workspace's files, in full.
    package var commit: String?
    /// The page of the CI job.
    package var job: String?

    package init(server: String? = nil, commit: String? = nil, job: String? = nil) {
        (self.server, self.commit, self.job) = (server, commit, job)
    }

    /// What all parts of a run share. Each part has a job of its own.
    static func shared(by parts: [RunOrigin]) -> RunOrigin {
        func shared(_ value: (RunOrigin) -> String?) -> String? {
            let values = Set(parts.map(value))
            return values.count == 1 ? values.first ?? nil : nil
        }
        return RunOrigin(server: shared(\.server), commit: shared(\.commit), job: shared(\.job))
    }
}
