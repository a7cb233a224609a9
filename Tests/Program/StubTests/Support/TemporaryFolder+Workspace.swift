import TestSupport

extension TemporaryFolder {
    /// A workspace with these files, and an environment unless they have one.
    static func workspace(_ files: [String: String]) throws -> TemporaryFolder {
        try TemporaryFolder(["environments/development.json": #"{ "baseURL": "http://a.test" }"#].merging(files) { $1 })
    }

    /// A workspace with one endpoint, `a`.
    static func workspace(endpoint: String) throws -> TemporaryFolder {
        try workspace(["endpoints/a.json": endpoint])
    }
}
