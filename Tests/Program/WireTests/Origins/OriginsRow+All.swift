extension OriginsRow {
    private static let plain = #"{ "baseURL": "SERVER" }"#
    private static let development = #"""
        { "baseURL": "SERVER/api",
          "headers": { "Accept": "application/json", "X-Environment": "development", "X-Old": "1" },
          "query": { "locale": "en" } }
        """#

    private static func files(_ endpoint: String, environment: String = plain) -> [String: String] {
        ["endpoints/it.json": endpoint, "environments/development.json": environment]
    }

    /// Environment baseline, endpoint overrides.
    static let baseline = [
        OriginsRow(
            "with no changes the environment's values are used as they are", ["ping"], sends: "GET /ping"),
        OriginsRow(
            "a path starting with / replaces the environment's path; scheme and host stay",
            files(#"{ "path": "/users" }"#, environment: #"{ "baseURL": "SERVER/api/v2" }"#), sends: "GET /users"),
        OriginsRow(
            "any other path goes below the environment's",
            files(#"{ "path": "users" }"#, environment: #"{ "baseURL": "SERVER/api/v2" }"#),
            sends: "GET /api/v2/users"),
        OriginsRow(
            "a new header is added, the environment's stay",
            files(#"{ "headers": { "X-New": "2" } }"#, environment: development), sends: "GET /api?locale=en",
            ["Accept: application/json", "X-Environment: development", "X-Old: 1", "X-New: 2"]),
        OriginsRow(
            "of one name the later header wins",
            files(#"{ "headers": { "x-old": "2", "accept": "text/csv" } }"#, environment: development),
            sends: "GET /api?locale=en", ["accept: text/csv", "X-Environment: development", "x-old: 2"]),
        OriginsRow(
            "several headers at once likewise, also from the command line",
            files(#"{ "headers": { "X-Old": null, "X-New": "2" } }"#, environment: development),
            ["it", "-H", "X-New: 3", "-H", "X-More: 4"], sends: "GET /api?locale=en",
            ["Accept: application/json", "X-Environment: development", "X-New: 3", "X-More: 4"]),
        OriginsRow(
            "query items are joined and encoded",
            files(#"{ "query": { "q": "a b&c=d", "tag": ["x", "y+z"] } }"#, environment: development),
            sends: "GET /api?locale=en&q=a%20b%26c%3Dd&tag=x&tag=y%2Bz",
            ["Accept: application/json", "X-Environment: development", "X-Old: 1"]),
        OriginsRow(
            "an empty list of query items leaves no ?",
            files(#"{ "query": { "tag": [], "locale": null } }"#, environment: development), sends: "GET /api",
            ["Accept: application/json", "X-Environment: development", "X-Old: 1"]),
        OriginsRow(
            "the body's bytes are used as given",
            files(#"{ "method": "POST", "body": { "base64": "eyBub3QgSlNPTiA=" } }"#), sends: "POST /",
            ["Accept: */*", "Content-Type: application/octet-stream", "Content-Length: 11"], body: "{ not JSON "),
        OriginsRow(
            "cachePolicy overrides the environment's",
            files(
                #"{ "cachePolicy": "reloadIgnoringLocalAndRemoteCacheData" }"#,
                environment: #"{ "baseURL": "SERVER", "cachePolicy": "useProtocolCachePolicy" }"#),
            sends: "GET /", ["Accept: */*", "Cache-Control: no-cache"]),
        OriginsRow("the person who is logged in", ["user.get"], sends: "GET /v3/user"),
        OriginsRow(
            "a new person, encoded", ["user.create", "name=Ada \"A\" Lovelace", "age=36"], sends: "POST /v3/user",
            body: #"{"name":"Ada \"A\" Lovelace","age":36}"#),
        OriginsRow(
            "a feed, oldest first", ["user.feed", "userID=123", "ascending=true"],
            sends: "GET /v3/user/123/feed?order=ascending"),
        OriginsRow(
            "a feed, newest first", ["user.feed", "userID=123", "ascending=false"],
            sends: "GET /v3/user/123/feed?order=descending"),
    ]

    /// The immutable builder.
    static let builder = [
        OriginsRow(
            "path and base join right when only the base has a slash",
            files(#"{ "path": "users" }"#, environment: #"{ "baseURL": "SERVER/api/" }"#), sends: "GET /api/users"),
        OriginsRow(
            "path and base join right when only the path has one at its end",
            files(#"{ "path": "users/" }"#, environment: #"{ "baseURL": "SERVER/api" }"#), sends: "GET /api/users/"),
        OriginsRow(
            "path and base join right when neither has a path", files("{}"), sends: "GET /"),
        OriginsRow(
            "query items append, a space is %20", ["users.search", "city=San Francisco", "maxResults=100"],
            sends: "GET /users/search?city=San%20Francisco&maxResults=100"),
        OriginsRow(
            "a header that is added repeats", files(#"{ "headers": { "X-Tag": ["a", "b"] } }"#), sends: "GET /",
            ["Accept: */*", "X-Tag: a", "X-Tag: b"]),
        OriginsRow(
            "a header that is set replaces",
            files(
                #"{ "headers": { "X-Tag": "c" } }"#,
                environment: #"{ "baseURL": "SERVER", "headers": { "X-Tag": ["a", "b"] } }"#),
            sends: "GET /", ["Accept: */*", "X-Tag: c"]),
        OriginsRow(
            "a body from data",
            files(#"{ "method": "PUT", "body": { "text": "a\nb" } }"#), sends: "PUT /",
            ["Accept: */*", "Content-Type: text/plain; charset=utf-8", "Content-Length: 3"], body: "a\nb"),
        OriginsRow(
            "a body from an object",
            files(#"{ "method": "POST", "body": { "json": { "b": 1.50, "a": null } } }"#), sends: "POST /",
            ["Accept: */*", "Content-Type: application/json", "Content-Length: 19"], body: #"{"b":1.50,"a":null}"#),
    ]

    /// Every method but CONNECT, which a client like this can't mean.
    static let methods = ["GET", "POST", "PUT", "HEAD", "DELETE", "PATCH", "OPTIONS", "TRACE"].map { method in
        OriginsRow("any method", files(#"{ "method": "\#(method)" }"#), sends: "\(method) /")
    }

    /// A family of requests.
    static let family = [
        OriginsRow(
            "absent parts of a path leave no trace",
            files(
                #"""
                { "path": ["api", "{{version}}", "{{endpoint}}", "{{id}}"],
                  "params": { "version": { "type": "string", "required": false },
                              "endpoint": { "type": "string" }, "id": { "type": "integer", "required": false } } }
                """#),
            ["it", "endpoint=employees"], sends: "GET /api/employees"),
        OriginsRow("everybody", ["employee.list"], sends: "GET /api/v1/employees"),
        OriginsRow("one of them", ["employee.get", "id=1"], sends: "GET /api/v1/employee/1"),
        OriginsRow(
            "a new one", ["employee.create", "name=test", "salary=1000", "age=23"], sends: "POST /api/v1/create",
            body: #"{"name":"test","salary":1000,"age":23}"#),
        OriginsRow(
            "changes", ["employee.update", "id=1", "name=test", "salary=1100.50", "age=23"],
            sends: "PUT /api/v1/update/1", body: #"{"name":"test","salary":1100.50,"age":23}"#),
        OriginsRow("one less", ["employee.delete", "id=1"], sends: "DELETE /api/v1/delete/1"),
        OriginsRow(
            "a search", ["employee.search", "name=test", "salary=1000", "age=23"],
            sends: "GET /api/v1/search?name=test&salary=1000&age=23"),
        OriginsRow(
            "optional search criteria that aren't given are not sent", ["employee.search", "name=test", "salary=1000"],
            sends: "GET /api/v1/search?name=test&salary=1000"),
        OriginsRow("no criteria, no ?", ["employee.search"], sends: "GET /api/v1/search"),
        OriginsRow(
            "Content-Type only where there is a body: here is one",
            files(#"{ "method": "POST", "body": { "form": { "a": "1 2" } } }"#), sends: "POST /",
            ["Accept: */*", "Content-Type: application/x-www-form-urlencoded", "Content-Length: 7"], body: "a=1%202"),
        OriginsRow(
            "Content-Type only where there is a body: here is none",
            files(#"{ "method": "POST", "body": null }"#), sends: "POST /"),
        OriginsRow("every field is optional but the base URL", files("{}"), sends: "GET /"),
        OriginsRow(
            "a default base URL given once, which a module's own replaces",
            files("{}", environment: #"{ "extends": "base", "basePath": "/module" }"#)
                .merging(["environments/base.json": #"{ "baseURL": "SERVER/api" }"#]) { $1 },
            sends: "GET /module"),
        OriginsRow(
            "an object that isn't there makes no body, not the text null",
            files(
                #"""
                { "method": "POST", "body": { "json": "{{note}}" },
                  "params": { "note": { "type": "string", "required": false } } }
                """#),
            sends: "POST /"),
    ]
}
