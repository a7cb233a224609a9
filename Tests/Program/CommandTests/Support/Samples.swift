import TestSupport

/// The workspace that most tests work on: small, with one of everything that a test looks at.
enum Samples {
    static let user = """
        {
          "description": "People",
          "defaults": { "headers": { "X-Tenant": "acme" }, "tags": ["people"] },
          "endpoints": {
            "get": { "description": "Who is logged in", "path": "/user", "tags": ["smoke"] },
            "feed": {
              "description": "A person's feed",
              "path": "/user/{{userID}}/feed",
              "params": {
                "userID": { "type": "integer", "minimum": 1, "example": 42, "description": "Whose feed" },
                "ascending": { "type": "boolean", "default": false },
                "city": { "type": "string", "required": false, "enum": ["Berlin", "San Francisco"] }
              },
              "query": { "order": { "$switch": "{{ascending}}", "true": "up", "false": "down" }, "city": "{{city}}" },
              "stubs": {
                "variants": {
                  "standard": { "description": "One item", "json": { "items": [1] } },
                  "empty": { "json": { "items": [] } }
                }
              }
            }
          }
        }
        """

    static let workspace = [
        "/work/endpoints/user.json": user,
        "/work/endpoints/billing/invoice.json":
            #"{ "endpoints": { "create": { "method": "POST", "path": "/invoices" } } }"#,
        "/work/endpoints/ping.json": #"{ "description": "Is it there?", "path": "/ping", "tags": ["smoke"] }"#,
        "/work/environments/development.json":
            #"{ "description": "This machine", "baseURL": "http://localhost:8080" }"#,
        "/work/environments/staging.json": #"{ "extends": "development", "host": "staging.example.com" }"#,
    ]

    static func files(adding others: [String: String] = [:]) -> MemoryFiles {
        MemoryFiles(workspace.merging(others) { $1 })
    }
}
