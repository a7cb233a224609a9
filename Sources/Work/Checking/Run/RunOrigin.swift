/// The server and the commit that a run checked, and its CI job, for reports that are read later.
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

    /// The values that all parts of a run have in common. The job usually differs.
    static func shared(by parts: [RunOrigin]) -> RunOrigin {
        func shared(_ value: (RunOrigin) -> String?) -> String? {
            let values = Set(parts.map(value))
            return values.count == 1 ? values.first ?? nil : nil
        }
        return RunOrigin(server: shared(\.server), commit: shared(\.commit), job: shared(\.job))
    }
}
