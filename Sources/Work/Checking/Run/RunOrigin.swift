/// The server and the commit that a run checked, its CI job and its seed, for reports that are read later.
package struct RunOrigin: Sendable, Equatable {
    /// The server of the environment, without secrets; nil if it is not known before a request, or if only stubs respond.
    package var server: String?
    /// The commit of the workspace's files, in full.
    package var commit: String?
    /// The page of the CI job.
    package var job: String?
    /// The seed of the random values that were made; nil if there were none.
    package var seed: String?

    package init(server: String? = nil, commit: String? = nil, job: String? = nil) {
        (self.server, self.commit, self.job) = (server, commit, job)
    }

    /// The origin as reports name its parts.
    var named: [(name: String, value: String)] {
        [("server", server), ("commit", commit), ("job", job), ("seed", seed)].compactMap { name, value in
            value.map { (name, $0) }
        }
    }

    /// The values that all parts of a run have in common. The job usually differs.
    static func shared(by parts: [RunOrigin]) -> RunOrigin {
        func shared(_ value: (RunOrigin) -> String?) -> String? {
            let values = Set(parts.map(value))
            return values.count == 1 ? values.first ?? nil : nil
        }
        var origin = RunOrigin(server: shared(\.server), commit: shared(\.commit), job: shared(\.job))
        origin.seed = shared(\.seed)
        return origin
    }
}
