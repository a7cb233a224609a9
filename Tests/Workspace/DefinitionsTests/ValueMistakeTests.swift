import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

/// Values of the wrong type, out of range, or that are none of the words there are.
@Suite struct ValueMistakeTests {
    @Test("each value that doesn't fit is told at the value, with what its key takes", arguments: mistakes)
    func isTold(_ mistake: Mistake) {
        #expect(lines(mistake.workspace.validate().diagnostics) == mistake.expectedLines)
    }

    @Test("a secret that stands in the file itself is shown by no message")
    func secretItself() {
        let workspace = Mistake.environment(
            "a secret itself", #"{"secrets": {"a": "hunter2", "b": 271828, "c": ["hunter2"]}}"#
        ).workspace
        let shown = DiagnosticRenderer().render(workspace.validate().diagnostics).plain
        #expect(shown.contains("environments/development.json:1:19: error: \"a\" takes an object"))
        #expect(!shown.contains("hunter2") && !shown.contains("271828"), "\(shown)")
    }

    static let mistakes: [Mistake] = types + ranges + words + names + addresses + samples

    private static let types: [Mistake] = [
        .endpoint(
            "a list where a file holds an object", #"⟦[⟧]"#,
            .error(.typeMismatch, #""endpoints/a.json" takes an object; found an array"#)),
        .endpoint(
            "a number for a text", #"{"description": ⟦5⟧}"#,
            .error(.typeMismatch, #""description" takes text; found 5"#, hint: "put it in double quotes")),
        .endpoint(
            "null where nothing can be taken back", #"{"description": ⟦null⟧}"#,
            .error(.typeMismatch, #""description" takes text; found null"#)),
        .endpoint(
            "an object for a list", #"{"tags": ⟦{⟧"a": 1}}"#,
            .error(.typeMismatch, #""tags" takes a list of words; found an object"#)),
        .endpoint(
            "a number among words", #"{"tags": ["smoke", ⟦1⟧]}"#,
            .error(.typeMismatch, #""tags" takes text; found 1"#, hint: "put it in double quotes")),
        .endpoint(
            "a list of headers", #"{"headers": ⟦[⟧"A: b"]}"#,
            .error(.typeMismatch, #""headers" takes an object of header names and values; found an array"#)),
        .endpoint(
            "an object for a header", #"{"headers": {"A": ⟦{⟧}}}"#,
            .error(
                .typeMismatch, #""A" takes text, a number, true or false, or a $switch; found an object"#)),
        .endpoint(
            "null in a list of query values", #"{"query": {"tag": ["a", ⟦null⟧]}}"#,
            .error(.typeMismatch, #""tag" takes text, a number, true or false, or a $switch; found null"#)),
        .endpoint(
            "a list for a query", #"{"query": ⟦[⟧"a"]}"#,
            .error(
                .typeMismatch,
                #""query" takes an object of query names and values, or the query as text; found an array"#)),
        .endpoint(
            "a space in a query", #"{"path": "{{a}}", "query": ⟦"a={{a}} b"⟧, "params": {"a": {"type": "string"}}}"#,
            .error(
                .valueInvalid, #""query" has a space, which a URL cannot contain; found "a={{a}} b""#,
                hint: "write %20, or write the query as an object: its values are encoded")),
        .endpoint(
            "a number for a path", #"{"path": ⟦5⟧}"#,
            .error(.typeMismatch, #""path" takes a path, or a list of segments; found 5"#)),
        .endpoint(
            "a quoted truth value", #"{"path": "{{a}}", "params": {"a": {"type": "string", "required": ⟦"no"⟧}}}"#,
            .error(.typeMismatch, #""required" takes true or false; found "no""#, hint: "write it without quotes")),
        .environment(
            "a word for a duration", #"{"timeout": ⟦"soon"⟧}"#,
            .error(.typeMismatch, #""timeout" takes seconds or a duration such as "800ms"; found "soon""#)),
        .environment(
            "a unit that isn't one", #"{"timeout": {"connect": ⟦"5 minutes"⟧}}"#,
            .error(.typeMismatch, #""connect" takes seconds or a duration such as "800ms"; found "5 minutes""#)),
        .environment(
            "a quoted port", #"{"port": ⟦"8080"⟧}"#,
            .error(
                .typeMismatch, #""port" takes a port from 1 to 65535; found "8080""#, hint: "write it without quotes")),
        .environment(
            "a command line for a command", #"{"secrets": {"a": {"command": ⟦"pass show a"⟧}}}"#,
            .error(
                .typeMismatch, #""command" takes a list with a program and its arguments; found "pass show a""#,
                hint: #"the program is run without a shell: write ["pass", "show", "name"]"#)),
        .environment(
            "a secret itself", #"{"secrets": {"a": ⟦"hunter2"⟧}}"#,
            .error(
                .typeMismatch, #""a" takes an object with the source of the secret; found text"#,
                hint: #"write { "env": "NAME" }: secrets don't belong in files"#)),
        .endpoint(
            "a half number", #"{"expect": {"status": ⟦20.5⟧}}"#,
            .error(.typeMismatch, #""status" takes a status such as 200 or "2xx"; found 20.5"#)),
        .endpoint(
            "a quoted status", #"{"expect": {"status": ⟦"200"⟧}}"#,
            .error(
                .typeMismatch, #""status" takes a status such as 200 or "2xx"; found "200""#,
                hint: "write 200 without quotes")),
        .endpoint(
            "a text to compare a number with", #"{"expect": {"json": {"$.a": {"<": ⟦"5"⟧}}}}"#,
            .error(
                .typeMismatch, #""<" takes a number, or a placeholder; found "5""#,
                hint: "write a number without quotes")),
        .endpoint(
            "GraphQL variables that are no object",
            #"{"body": {"graphql": {"query": "{ me }", "variables": ⟦[⟧1]}}}"#,
            .error(.typeMismatch, #""variables" takes an object, or a placeholder for one; found an array"#)),
        .endpoint(
            "a very long text is quoted in part", MarkedText(#"{"tags": ⟦"\#(String(repeating: "x", count: 100))"⟧}"#),
            .error(
                .typeMismatch, #""tags" takes a list of words; found "\#(String(repeating: "x", count: 56))…"#)),
    ]

    private static let ranges: [Mistake] = [
        .environment(
            "a port too large", #"{"port": ⟦70000⟧}"#,
            .error(.valueRange, #""port" takes a whole number from 1 to 65535; found 70000"#)),
        .environment(
            "a port too small", #"{"port": ⟦0⟧}"#,
            .error(.valueRange, #""port" takes a whole number from 1 to 65535; found 0"#)),
        .environment(
            "a time limit of nothing", #"{"timeout": ⟦0⟧}"#,
            .error(.valueRange, #""timeout" takes at least 1ms; found 0"#)),
        .environment(
            "a time limit that no clock of a transport knows", #"{"timeout": ⟦0.0000001⟧}"#,
            .error(.valueRange, #""timeout" takes at least 1ms; found 0.0000001"#)),
        .environment(
            "a time limit below a millisecond", #"{"timeout": {"idle": ⟦"0.9ms"⟧}}"#,
            .error(.valueRange, #""idle" takes at least 1ms; found "0.9ms""#)),
        .environment(
            "a negative time limit", #"{"timeout": ⟦-1⟧}"#,
            .error(.valueRange, #""timeout" takes seconds or a duration such as "800ms"; found -1"#)),
        .environment(
            "a time limit beyond all bounds", #"{"timeout": ⟦1e400⟧}"#,
            .error(.valueRange, #""timeout" takes seconds or a duration such as "800ms"; found 1e400"#)),
        .environment(
            "too many tries", #"{"retry": {"times": ⟦1000000000000000000000000⟧}}"#,
            .error(
                .valueRange, #""times" takes a whole number from 0 to 100; found 1000000000000000000000000"#)),
        .environment(
            "a word in place of statuses", #"{"retry": {"on": ⟦"all"⟧}}"#,
            .error(.typeMismatch, #""on" takes a list of status codes, or "any"; found "all""#)),
        .endpoint(
            "a status that there isn't", #"{"stubs": {"variants": {"a": {"status": ⟦99⟧}}}}"#,
            .error(.valueRange, #""status" takes a whole number from 100 to 599; found 99"#)),
        .endpoint(
            "a delay that ends before it begins", #"{"stubs": {"variants": {"a": {"delay": ⟦"200ms..80ms"⟧}}}}"#,
            .error(
                .valueRange, #"the range "200ms..80ms" ends before it begins"#, hint: "put the shorter time first")),
        .endpoint(
            "a maximum below the minimum",
            #"{"path": "{{a}}", "params": {"a": {"type": "integer", "minimum": 5, ⟦"maximum"⟧: 4.5}}}"#,
            .error(.valueRange, #""maximum" (4.5) is below "minimum" (5)"#)),
        .endpoint(
            "a list of no status", #"{"expect": {"status": ⟦[]⟧}}"#,
            .error(.valueInvalid, #""status" takes at least one element"#)),
        .endpoint(
            "a list of no checks", #"{"checks": ⟦[]⟧}"#,
            .error(.valueInvalid, #""checks" takes at least one element"#)),
        .endpoint(
            "one of no values, for JSON and headers, beside not too",
            #"{"expect": {"json": {"$.a": {"in": ⟦[]⟧, "not": {"in": ⟦[]⟧}}}, "headers": {"A": {"not": {"in": ⟦[]⟧}}}}}"#,
            .error(.valueInvalid, #""in" takes at least one element"#),
            .error(.valueInvalid, #""in" takes at least one element"#),
            .error(.valueInvalid, #""in" takes at least one element"#)),
        .endpoint(
            "a list of no values", #"{"path": "{{a}}", "params": {"a": {"type": "string", "enum": ⟦[]⟧}}}"#,
            .error(.valueInvalid, #""enum" takes at least one element"#)),
    ]

    private static let words: [Mistake] = [
        .environment(
            "a misspelt word", #"{"scheme": ⟦"htps"⟧}"#,
            .error(
                .valueUnknown, #""scheme" takes one of "http", "https"; found "htps""#,
                hint: #"did you mean "https"?"#)),
        .environment(
            "another scheme", #"{"scheme": ⟦"ftp"⟧}"#,
            .error(.valueUnknown, #""scheme" takes one of "http", "https"; found "ftp""#)),
        .environment(
            "a cache policy in other letters", #"{"cachePolicy": ⟦"ReloadIgnoringLocalCacheData"⟧}"#,
            .error(
                .valueUnknown,
                #""cachePolicy" takes one of "useProtocolCachePolicy", "reloadIgnoringLocalCacheData", "#
                    + #""reloadIgnoringLocalAndRemoteCacheData", "returnCacheDataElseLoad", "returnCacheDataDontLoad", "#
                    + #""reloadRevalidatingCacheData"; found "ReloadIgnoringLocalCacheData""#,
                hint: #"did you mean "reloadIgnoringLocalCacheData"?"#)),
        .endpoint(
            "a method in lower case", #"{"method": ⟦"get"⟧}"#,
            .error(
                .valueUnknown, #""method" takes a method in its exact spelling; found "get""#,
                hint: #"did you mean "GET"?"#)),
        .endpoint(
            "CONNECT", #"{"method": ⟦"CONNECT"⟧}"#,
            .error(.valueInvalid, "reqcli can't send CONNECT, which asks a proxy for a tunnel")),
        .endpoint(
            "CONNECT in lower case", #"{"method": ⟦"connect"⟧}"#,
            .error(.valueInvalid, "reqcli can't send CONNECT, which asks a proxy for a tunnel")),
        .endpoint(
            "a method that is no token", #"{"method": ⟦"GET IT"⟧}"#,
            .error(.typeMismatch, #""method" takes a method such as "GET"; found "GET IT""#)),
        .endpoint(
            "a type that isn't one, which nothing else is held against",
            #"{"path": "{{a}}", "params": {"a": {"type": ⟦"int"⟧, "minimum": 1, "default": 2}}}"#,
            .error(
                .valueUnknown,
                #""type" takes one of "string", "integer", "number", "boolean", "json", "file", "list"; found "int""#,
                hint: #"did you mean "integer"?"#)),
        .endpoint(
            "a fault that there isn't", #"{"stubs": {"variants": {"a": {"error": ⟦"timeot"⟧}}}}"#,
            .error(
                .valueUnknown,
                #""error" takes one of "timeout", "refused", "dns", "tls", "reset", "truncated"; found "timeot""#,
                hint: #"did you mean "timeout"?"#)),
        .endpoint(
            "a JSON type that there isn't", #"{"expect": {"json": {"$.a": {"type": ⟦"text"⟧}}}}"#,
            .error(
                .valueUnknown,
                #""type" takes one of "object", "array", "string", "number", "integer", "boolean", "null"; "#
                    + #"found "text""#)),
        .endpoint(
            "a class of statuses that there isn't", #"{"expect": {"status": ["2xx", ⟦"6xx"⟧]}}"#,
            .error(.typeMismatch, #""status" takes a status such as 200 or "2xx"; found "6xx""#)),
        .endpoint(
            "a capture that isn't one", #"{"capture": {"a": {"body": ⟦false⟧}}}"#,
            .error(.valueInvalid, #""body" takes true; found false"#)),
    ]

    private static let names: [Mistake] = [
        .endpoint(
            "a header name with a blank", #"{"headers": {⟦"X Trace"⟧: "a"}}"#,
            .error(
                .nameInvalid, #""X Trace" can't be the name of a header"#,
                hint: "use letters, digits and !#$%&'*+-.^_`|~")),
        .endpoint(
            "an empty query name", #"{"query": {⟦""⟧: "a"}}"#,
            .error(.nameInvalid, "the name of a query item can't be empty")),
        .endpoint(
            "an endpoint name with a dot", #"{"endpoints": {⟦"user.get"⟧: {}}}"#,
            .error(
                .nameInvalid, #""user.get" can't be the name of an endpoint"#, hint: "use letters, digits, _ and -")),
        .endpoint(
            "a param name with an umlaut", #"{"params": {⟦"größe"⟧: {"type": "string"}}}"#,
            .error(.nameInvalid, #""größe" can't be the name of a param"#, hint: "use letters, digits, _ and -")),
        .endpoint(
            "an alias that secrets go by", #"{"needs": {⟦"secret"⟧: "a"}}"#,
            .error(
                .nameInvalid, #""secret" can't be an alias: {{secret.…}} means a secret"#, hint: "choose another name")
        ),
        .endpoint(
            "an id with a slash", #"{"needs": {"a": ⟦"user/get"⟧}}"#,
            .error(.nameInvalid, #""user/get" can't be the id of an endpoint"#, hint: #"write it as "user.get""#)),
        .environment(
            "an environment variable with a dollar", #"{"secrets": {"a": {"env": ⟦"$TOKEN"⟧}}}"#,
            .error(
                .nameInvalid, #""$TOKEN" can't be the name of an environment variable"#,
                hint: #"write its name alone: "STAGING_TOKEN""#)),
        .environment(
            "a stub for something that is no id", #"{"stubs": {⟦"user.*"⟧: "a"}}"#,
            .error(.nameInvalid, #""user.*" is neither the id of an endpoint nor "*""#)),
        .endpoint(
            "a JSONPath without its beginning", #"{"expect": {"json": {⟦"items[0]"⟧: 1}}}"#,
            .error(.nameInvalid, #""items[0]" is not a JSONPath"#, hint: #"a JSONPath begins with "$", such as "$.id""#)
        ),
        .environment(
            "a key in a query item without a name", #"{"auth": {"apiKey": {"query": ⟦""⟧, "value": "a"}}}"#,
            .error(.valueInvalid, #""query" takes the name of a query item; found """#)),
    ]

    private static let addresses: [Mistake] = [
        .environment(
            "a base URL without a scheme", #"{"baseURL": ⟦"api.example.com"⟧}"#,
            .error(
                .valueInvalid,
                #""baseURL" takes a whole URL, beginning with http:// or https://; found "api.example.com""#)),
        .environment(
            "a base URL of another scheme", #"{"baseURL": ⟦"ftp://a"⟧}"#,
            .error(.valueInvalid, #""baseURL" takes http or https; found "ftp://a""#)),
        .environment(
            "a base URL with a query", #"{"baseURL": ⟦"http://a/b?c"⟧}"#,
            .error(.valueInvalid, #""baseURL" can't have a query; found "http://a/b?c""#)),
        .environment(
            "a base URL with a password", #"{"baseURL": ⟦"http://me:pw@a"⟧}"#,
            .error(
                .valueInvalid,
                #""baseURL" can't have a user or password in it; use "auth"; found "http://me:pw@a""#)),
        .environment(
            "a base URL with a port out of range", #"{"baseURL": ⟦"http://a:99999"⟧}"#,
            .error(.valueInvalid, #""baseURL" takes a port from 1 to 65535; found "http://a:99999""#)),
        .environment(
            "a base URL without a host", #"{"baseURL": ⟦"http:///a"⟧}"#,
            .error(.valueInvalid, #""baseURL" needs a host name or address; found "http:///a""#)),
        .environment(
            "a host with a port", #"{"host": ⟦"localhost:8080"⟧}"#,
            .error(
                .valueInvalid, #""host" takes only a host name or address; found "localhost:8080""#,
                hint: #"scheme, port and path have their own keys; or use "baseURL" for all of them"#)),
        .environment(
            "an IPv6 address without brackets", #"{"host": ⟦"::1"⟧}"#,
            .error(
                .valueInvalid, #""host" takes only a host name or address; found "::1""#,
                hint: #"write it in brackets: "[::1]""#)),
        .environment(
            "a base path with a query", #"{"basePath": ⟦"/api?v=1"⟧}"#,
            .error(
                .valueInvalid, ##"a path cannot contain "?" or "#"; found "/api?v=1""##,
                hint: #"put query items into "query"; write %3F or %23 for the characters themselves"#)),
        .endpoint(
            "a whole URL for a path", #"{"path": ⟦"https://a.example/b"⟧}"#,
            .error(
                .valueInvalid, #""path" takes a path, not a whole URL; found "https://a.example/b""#,
                hint: #"put scheme, host and port into "baseURL""#)),
        .endpoint(
            "a fragment in a path", #"{"path": ⟦"/a/{{$uuid}}#b"⟧}"#,
            .error(
                .valueInvalid, ##"a path cannot contain "?" or "#"; found "/a/{{$uuid}}#b""##,
                hint: #"put query items into "query"; write %3F or %23 for the characters themselves"#)),
        .endpoint(
            "a stub's file outside of stubs/", #"{"stubs": {"variants": {"a": {"file": ⟦"a/../../secret"⟧}}}}"#,
            .error(
                .valueInvalid, #"a stub's file must be below stubs/; found "a/../../secret""#,
                hint: "write its path relative to stubs/")),
        .endpoint(
            "bytes that are no base64", #"{"body": {"base64": ⟦"a-b"⟧}}"#,
            .error(.typeMismatch, #""base64" takes bytes as base64; found "a-b""#)),
    ]

    private static let samples: [Mistake] = [
        .endpoint(
            "a default of another type",
            #"{"path": "{{a}}", "params": {"a": {"type": "integer", "default": ⟦"1"⟧}}}"#,
            .error(.typeMismatch, #""default" takes a whole number; found "1""#)),
        .endpoint(
            "an example out of bounds",
            #"{"path": "{{a}}", "params": {"a": {"type": "number", "maximum": 10, "example": ⟦10.5⟧}}}"#,
            .error(.typeMismatch, #""example" must be at most 10; found 10.5"#)),
        .endpoint(
            "a default that is none of the values there are",
            #"{"path": "{{a}}", "params": {"a": {"type": "string", "enum": ["x", "y"], "default": ⟦"z"⟧}}}"#,
            .error(.typeMismatch, #""default" takes one of "x", "y"; found "z""#)),
        .endpoint(
            "a value of another type among those there are",
            #"{"path": "{{a}}", "params": {"a": {"type": "string", "enum": ["x", ⟦1⟧]}}}"#,
            .error(.typeMismatch, #""enum" takes text; found 1"#)),
        .endpoint(
            "a default with a wrong item",
            #"{"path": "{{a}}", "params": {"a": {"type": "list", "items": {"type": "integer"}, "default": ⟦[1, "b"]⟧}}}"#,
            .error(
                .typeMismatch, #""default" is wrong at item 2, which takes a whole number; found [1,"b"]"#)),
        .endpoint(
            "an item that does not match",
            #"{"path": "{{a}}", "params": {"a": {"type": "list", "items": {"type": "string", "pattern": "a"}, "default": ⟦["b"]⟧}}}"#,
            .error(.typeMismatch, #""default" is wrong at item 1, which takes text that matches "a"; found ["b"]"#)),
        .endpoint(
            "a default that is too short",
            #"{"path": "{{a}}", "params": {"a": {"type": "string", "minLength": 2, "default": ⟦"b"⟧}}}"#,
            .error(.typeMismatch, #""default" must have at least 2 characters; found "b""#)),
        .endpoint(
            "too few items",
            #"{"path": "{{a}}", "params": {"a": {"type": "list", "items": {"type": "string"}, "minItems": 1, "default": ⟦[]⟧}}}"#,
            .error(.typeMismatch, #""default" must have at least 1 item; found []"#)),
        .endpoint(
            "a default in another format",
            #"{"path": "{{a}}", "params": {"a": {"type": "string", "format": "date-time", "default": ⟦"2026-03-01"⟧}}}"#,
            .error(
                .typeMismatch, #""default" takes a date-time such as "2026-03-01T12:30:00Z"; found "2026-03-01""#)),
        .endpoint(
            "limits in the wrong order",
            #"{"path": "{{a}}", "params": {"a": {"type": "string", "minLength": 2, ⟦"maxLength"⟧: 1}}}"#,
            .error(.valueRange, #""maxLength" (1) is below "minLength" (2)"#)),
        .endpoint(
            "a limit of another type",
            #"{"path": "{{a}}", "params": {"a": {"type": "string", ⟦"maxItems"⟧: 1}}}"#,
            .error(.keyConflict, #""maxItems" can only be used for lists; this param takes text"#)),
        .endpoint(
            "a limit of the items",
            #"{"path": "{{a}}", "params": {"a": {"type": "list", "items": {"type": "integer"}, ⟦"minimum"⟧: 1}}}"#,
            .error(
                .keyConflict, #""minimum" can only be used for integers and numbers; this param takes a list"#,
                hint: #"put the key into "items""#)),
        .endpoint(
            "a list without a type of its items", #"{"path": "{{a}}", "params": {"a": ⟦{⟧"type": "list"}}}"#,
            .error(
                .keyMissing, #"a list needs "items", the type of its items"#,
                hint: #"add "items": {"type": "string"}"#)),
        .endpoint(
            "a list of lists", #"{"path": "{{a}}", "params": {"a": {"type": "list", "items": {"type": ⟦"list"⟧}}}}"#,
            .error(
                .valueUnknown,
                #""type" takes one of "string", "integer", "number", "boolean", "json"; found "list""#)),
        .endpoint(
            "a placeholder in a default",
            #"{"path": "{{a}}", "params": {"a": {"type": "json", "default": ⟦{"b": ["{{$uuid}}"]}⟧}}}"#,
            .error(
                .placeholderInvalid, #"placeholders are not replaced in "default"; found "{{$uuid}}""#,
                hint: "write the value itself, or use the variable where the param is used")),
    ]

    static let accepted: [(name: String, endpoint: String)] = [
        ("a path with a URL further on", #"{"path": "/proxy/https://a.example/b"}"#),
        ("an empty path", #"{"path": ""}"#),
        ("a whole number in another form", #"{"expect": {"status": 2e2, "maxTime": 1.5e1}}"#),
        ("a method of one's own", #"{"method": "PURGE"}"#),
        ("a method in lower case that is no known one", #"{"method": "purge"}"#),
        ("a status in capitals", #"{"expect": {"status": "2XX"}}"#),
        (
            "a default equal by value",
            #"{"path": "{{a}}", "params": {"a": {"type": "number", "enum": [1], "default": 1.0}}}"#
        ),
        (
            "a stub in a folder, named with two dots",
            #"{"stubs": {"variants": {"a": {"text": "..", "delay": "0.5..1m"}}}}"#
        ),
        ("a $switch with $default alone", #"{"query": {"a": {"$switch": "{{$uuid}}", "$default": 1}}}"#),
        (
            "a $switch where an expectation compares",
            #"{"expect": {"json": {"$.a": {"$switch": "{{$uuid}}", "$default": 1}}}}"#
        ),
        ("base64 in lines", #"{"body": {"base64": "aGVs\nbG8="}}"#),
        ("an IPv6 host", #"{"host": "[::1]", "port": "{{$env.PORT}}"}"#),
        ("a host with an é", #"{"host": "é.example"}"#),
    ]

    @Test("unusual values that mean something are accepted", arguments: accepted)
    func isAccepted(name: String, endpoint: String) {
        let workspace = Workspace.inMemory([("endpoints/a.json", endpoint)])
        #expect(lines(workspace.validate().diagnostics) == [], "\(name)")
    }
}
