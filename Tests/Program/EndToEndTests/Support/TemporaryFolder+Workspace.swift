import TestSupport

extension TemporaryFolder {
    /// A workspace that is in order: two endpoints in a file, an environment.
    static func workspace(adding files: [String: String] = [:]) throws -> TemporaryFolder {
        try TemporaryFolder(
            [
                "endpoints/user.json": #"""
                {
                  "description": "People",
                  "endpoints": {
                    "get": { "description": "Who is logged in", "path": "/user", "tags": ["smoke"] },
                    "create": { "method": "POST", "path": "/user" }
                  }
                }
                """#,
                "environments/development.json": #"{ "baseURL": "http://localhost:8080" }"#,
            ].merging(files) { $1 })
    }
}
