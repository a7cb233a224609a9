import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

/// Keys that don't exist, are there twice, are missing or exclude each other.
@Suite struct KeyMistakeTests {
    @Test("each mistake with a key is told at the key, with the likely fix", arguments: mistakes)
    func isTold(_ mistake: Mistake) {
        #expect(lines(mistake.workspace.validate().diagnostics) == mistake.expectedLines)
    }

    static let mistakes: [Mistake] = unknown + duplicate + conflicting + missing

    private static let unknown: [Mistake] = [
        .endpoint(
            "a typo in an endpoint", #"{"path": "/a", ⟦"metod"⟧: "GET"}"#,
            .error(.keyUnknown, #"unknown key "metod" in an endpoint"#, hint: #"did you mean "method"?"#)),
        .endpoint(
            "a key of another letter case", #"{⟦"Path"⟧: "/a"}"#,
            .error(.keyUnknown, #"unknown key "Path" in an endpoint"#, hint: #"did you mean "path"?"#)),
        .endpoint(
            "a key written with escapes", #"{⟦"m\u0065tod"⟧: "GET"}"#,
            .error(.keyUnknown, #"unknown key "metod" in an endpoint"#, hint: #"did you mean "method"?"#)),
        .endpoint(
            "a key like no other", #"{"stubs": {"variants": {}, ⟦"zzzzzzz"⟧: 1}}"#,
            .error(.keyUnknown, #"unknown key "zzzzzzz" in "stubs""#, hint: "allowed keys: default, variants")),
        .endpoint(
            "an empty key", #"{"stubs": {"variants": {}, ⟦""⟧: 1}}"#,
            .error(.keyUnknown, #"unknown key "" in "stubs""#, hint: "allowed keys: default, variants")),
        .endpoint(
            "a misspelt $default", #"{"query": {"a": {"$switch": "{{$uuid}}", "x": 1, ⟦"$defualt"⟧: 2}}}"#,
            .error(.keyUnknown, #"unknown key "$defualt" in a $switch"#, hint: #"did you mean "$default"?"#)),
        .endpoint(
            "a group whose endpoints are misspelt", #"⟦{⟧⟦"endpoint"⟧: {"get": {"path": "/a"}}}"#,
            .error(
                .keyMissing, #"a group needs "endpoints": an object of endpoints by name"#),
            .error(.keyUnknown, #"unknown key "endpoint" in a group"#, hint: #"did you mean "endpoints"?"#)),
        .environment(
            "a typo in an environment", #"{⟦"varables"⟧: {}}"#,
            .error(.keyUnknown, #"unknown key "varables" in an environment"#, hint: #"did you mean "variables"?"#)),
        .environment(
            "a key of an endpoint in an environment", #"{⟦"params"⟧: {}}"#,
            .error(
                .keyUnknown, #"unknown key "params" in an environment"#,
                hint:
                    "allowed keys: description, extends, baseURL, scheme, host, port, basePath, headers, query, timeout, "
                    + "cachePolicy, auth, retry, redirects, tls, httpVersion, proxy, noProxy, needs, expect, variables, secrets, "
                    + "policy, stubs"
            )),
        Mistake(
            "a typo in reqcli.json",
            ["reqcli.json": #"{⟦"enviroment"⟧: "a"}"#, "endpoints/a.json": "{}"],
            .error(.keyUnknown, #"unknown key "enviroment" in reqcli.json"#, hint: #"did you mean "environment"?"#)),
    ]

    private static let duplicate: [Mistake] = [
        .endpoint(
            "a key that is there twice", #"{⟦"path"⟧: "/a", ⟦"path"⟧: "/b"}"#,
            .error(.keyDuplicate, #""path" is given twice"#, hint: "keep one of the two", marker: 1),
            .note("first given here", marker: 0)),
        .endpoint(
            "a key that is there twice, once with escapes", #"{⟦"path"⟧: "/a", ⟦"p\u0061th"⟧: "/b"}"#,
            .error(.keyDuplicate, #""path" is given twice"#, hint: "keep one of the two", marker: 1),
            .note("first given here", marker: 0)),
        .endpoint(
            "two spellings of one header", #"{"headers": {⟦"Content-Type"⟧: "a", ⟦"content-type"⟧: "b"}}"#,
            .error(
                .keyDuplicate, #""content-type" is the same name as "Content-Type""#, hint: "keep one of the two",
                marker: 1),
            .note("first given here", marker: 0)),
        .endpoint(
            "a key that is there three times", #"{⟦"path"⟧: "/a", ⟦"path"⟧: "/b", ⟦"path"⟧: "/c"}"#,
            .error(.keyDuplicate, #""path" is given twice"#, hint: "keep one of the two", marker: 1),
            .note("first given here", marker: 0),
            .error(.keyDuplicate, #""path" is given twice"#, hint: "keep one of the two", marker: 2),
            .note("first given here", marker: 0)),
        .endpoint(
            "two endpoints of one name", #"{"endpoints": {⟦"get"⟧: {}, ⟦"get"⟧: {}}}"#,
            .error(.keyDuplicate, #""get" is given twice"#, hint: "keep one of the two", marker: 1),
            .note("first given here", marker: 0)),
        .endpoint(
            "a key twice inside a JSON body", #"{"body": {"json": {"a": [{⟦"b"⟧: 1, ⟦"b"⟧: 2}]}}}"#,
            .error(.keyDuplicate, #""b" is given twice"#, hint: "keep one of the two", marker: 1),
            .note("first given here", marker: 0)),
        .endpoint(
            "two cases for one value", #"{"query": {"a": {"$switch": "{{$uuid}}", ⟦"x"⟧: 1, ⟦"x"⟧: 2}}}"#,
            .error(.keyDuplicate, #""x" is given twice"#, hint: "keep one of the two", marker: 1),
            .note("first given here", marker: 0)),
    ]

    private static let conflicting: [Mistake] = [
        .endpoint(
            "two kinds of body", #"{"body": {⟦"json"⟧: 1, ⟦"text"⟧: "a"}}"#,
            .error(
                .keyConflict,
                #""body" takes only one of "json", "text", "form", "multipart", "file", "base64", "graphql"; "#
                    + #"found both "json" and "text""#, hint: "keep one of the two", marker: 1),
            .note("the other key is here", marker: 0)),
        .environment(
            "a base URL beside a host", #"{⟦"host"⟧: "a.example", ⟦"baseURL"⟧: "http://b.example"}"#,
            .error(
                .keyConflict, #""baseURL" can't be combined with "host" in an environment"#,
                hint: "keep one of the two", marker: 1),
            .note("the other key is here", marker: 0)),
        .environment(
            "two ways of authorizing", #"{"auth": {⟦"bearer"⟧: "a", ⟦"basic"⟧: {"user": "a", "password": "b"}}}"#,
            .error(
                .keyConflict,
                #""auth" takes only one of "bearer", "basic", "apiKey", "digest", "any", "hmac", "aws", "jwt", "oauth2"; found both "bearer" and "basic""#,
                hint: "keep one of the two", marker: 1),
            .note("the other key is here", marker: 0)),
        .endpoint(
            "a stub with two bodies", #"{"stubs": {"variants": {"a": {⟦"json"⟧: 1, ⟦"text"⟧: ""}}}}"#,
            .error(
                .keyConflict,
                #"a stub variant takes only one of "json", "text", "base64", "file", "error", "sequence"; "#
                    + #"found both "json" and "text""#, hint: "keep one of the two", marker: 1),
            .note("the other key is here", marker: 0)),
        .endpoint(
            "a fault with a status", #"{"stubs": {"variants": {"a": {⟦"error"⟧: "dns", ⟦"status"⟧: 500}}}}"#,
            .error(
                .keyConflict, #""error" can't be combined with "status" in a stub variant"#, hint: "keep one of the two"
            ),
            .note("the other key is here", marker: 1)),
        .endpoint(
            "a verdict beside a sequence",
            #"{"stubs": {"variants": {"b": {}, "a": {⟦"sequence"⟧: ["b"], ⟦"expect"⟧: "fail"}}}}"#,
            .error(
                .keyConflict, #""sequence" can't be combined with "expect" in a stub variant"#,
                hint: "keep one of the two"),
            .note("the other key is here", marker: 1)),
        .endpoint(
            "a delay beside a sequence",
            #"{"stubs": {"variants": {"b": {}, "a": {⟦"delay"⟧: "1s", ⟦"sequence"⟧: ["b"]}}}}"#,
            .error(
                .keyConflict, #""sequence" can't be combined with "delay" in a stub variant"#,
                hint: "keep one of the two", marker: 1),
            .note("the other key is here", marker: 0)),
        .endpoint(
            "an operator beside one that says that there is nothing",
            #"{"expect": {"json": {"$.a": {"exists": ⟦false⟧, "equals": ⟦5⟧}}}}"#,
            .error(
                .keyConflict, #"a value that must not exist can't meet "equals""#,
                hint: "keep one of the two conditions", marker: 1),
            .note("this condition says that the value must not exist", marker: 0)),
        .endpoint(
            "an operator under not beside one that says that there is nothing",
            #"{"expect": {"headers": {"A": {"not": {"exists": ⟦true⟧, "equals": ⟦"b"⟧}}}}}"#,
            .error(
                .keyConflict, #"a value that must not exist can't meet "equals""#,
                hint: "keep one of the two conditions", marker: 1),
            .note("this condition says that the value must not exist", marker: 0)),
        .endpoint(
            "something that is to be there and not to be there",
            #"{"expect": {"json": {"$.a": {"exists": ⟦false⟧, "not": {"exists": ⟦false⟧}}}}}"#,
            .error(
                .keyConflict, #"a value that must not exist can't also exist"#,
                hint: "keep one of the two conditions", marker: 1),
            .note("this condition says that the value must not exist", marker: 0)),
        .endpoint(
            "the same the other way round",
            #"{"expect": {"json": {"$.a": {"not": {"exists": ⟦true⟧}, "exists": ⟦true⟧}}}}"#,
            .error(
                .keyConflict, #"a value that must not exist can't also exist"#,
                hint: "keep one of the two conditions", marker: 1),
            .note("this condition says that the value must not exist", marker: 0)),
        .endpoint(
            "what follows a sequence, without one", #"{"stubs": {"variants": {"a": {⟦"then"⟧: "loop"}}}}"#,
            .error(.keyConflict, #""then" can only be used together with "sequence""#)),
        .environment(
            "a time limit for a file", #"{"secrets": {"a": {⟦"file"⟧: "x", ⟦"timeout"⟧: 3}}}"#,
            .error(
                .keyConflict, #""timeout" can't be combined with "file" in a secret"#, hint: "keep one of the two",
                marker: 1),
            .note("the other key is here", marker: 0)),
        .endpoint(
            "bounds for a text",
            #"{"path": "{{a}}", "params": {"a": {"type": "string", ⟦"minimum"⟧: 1}}}"#,
            .error(.keyConflict, #""minimum" can only be used for integers and numbers; this param takes text"#)),
        .endpoint(
            "a pattern for a number",
            #"{"path": "{{a}}", "params": {"a": {"type": "integer", ⟦"pattern"⟧: "1+"}}}"#,
            .error(.keyConflict, #""pattern" can only be used for strings; this param takes a whole number"#)),
    ]

    private static let missing: [Mistake] = [
        .endpoint(
            "a param without a type", #"{"path": "{{a}}", "params": {"a": ⟦{⟧"example": 5}}}"#,
            .error(
                .keyMissing,
                #"a param needs "type": one of "string", "integer", "number", "boolean", "json", "file", "list""#)),
        .endpoint(
            "a body of no kind", #"{"body": ⟦{⟧}}"#,
            .error(
                .keyMissing,
                #""body" needs one of "json", "text", "form", "multipart", "file", "base64", "graphql""#)),
        .endpoint(
            "a need without its endpoint", #"{"needs": {"login": ⟦{⟧"with": {}}}}"#,
            .error(.keyMissing, #"a need needs "endpoint": the id of an endpoint, such as "user.get""#)),
        .endpoint(
            "an expectation that expects nothing", #"{"expect": ⟦{⟧"$comment": "later"}}"#,
            .error(
                .keyMissing,
                #""expect" needs one of "status", "headers", "maxTime", "body", "json", "schema", "openapi", "events", "snapshot""#
            )),
        .endpoint(
            "an expectation that holds comments alone",
            #"{"expect": ⟦{⟧"json": {"$comment": "later"}, "headers": {"$schema": "x"}}}"#,
            .error(
                .valueInvalid, #""expect" has no conditions"#,
                hint: #"add one, such as {"status": 200}"#)),
        .endpoint(
            "conditions that are none", #"{"expect": {"json": {"$.id": ⟦{⟧}}}}"#,
            .error(
                .keyMissing,
                #"a condition on a value needs one of "equals", "includes", "type", "schema", "matches", "contains", "startsWith", "#
                    + #""endsWith", "length", "exists", "in", "<", "<=", ">", ">=", "not""#)),
        .endpoint(
            "a $switch without cases", #"{"query": {"a": ⟦{⟧"$switch": "{{$uuid}}", "$comment": "x"}}}"#,
            .error(
                .keyMissing, "this $switch has no cases", hint: #"add a key for each value, or "$default""#)),
        .environment(
            "a secret from nowhere", #"{"secrets": {"a": ⟦{⟧}}}"#,
            .error(.keyMissing, #"a secret needs one of "env", "command", "file""#)),
        .environment(
            "an account without a password", #"{"auth": {"basic": ⟦{⟧"user": "a"}}}"#,
            .error(
                .keyMissing,
                #"the account needs "password": text, a number, true or false, or a $switch"#)),
        .environment(
            "a signature for AWS without a key",
            #"{"auth": {"aws": ⟦{⟧"service": "s3", "region": "r", "accessKeyID": "a"}}}"#,
            .error(
                .keyMissing,
                #""aws" needs "secretAccessKey": text, a number, true or false, or a $switch"#)),
        .environment(
            "a signature in a header that expires",
            #"{"auth": {"aws": {"service": "s3", "region": "r", "accessKeyID": "a", "secretAccessKey": "s", ⟦"expires"⟧: 60}}}"#,
            .error(.keyConflict, #""expires" can only be used together with "in": "query""#)),
        .environment(
            "a token with a life in parts of seconds",
            #"{"auth": {"jwt": {"algorithm": "ES256", "key": "k", "expires": ⟦"1500ms"⟧}}}"#,
            .error(.valueInvalid, "expected whole seconds, at least 1s; found 1.5s")),
        .environment(
            "a token with a shared key that is encrypted",
            #"{"auth": {"jwt": {"algorithm": "HS256", "key": "k", ⟦"passphrase"⟧: "p"}}}"#,
            .error(.keyConflict, #""passphrase" can't be used with HS256, which has no private key"#)),
        .environment(
            "a token of an unencrypted server",
            #"{"auth": {"oauth2": {"flow": "clientCredentials", "issuer": ⟦"http://h"⟧, "clientID": "a", "clientSecret": "s"}}}"#,
            .error(.valueInvalid, #"the issuer "http://h" is not https"#)),
        .environment(
            "a token of an issuer and of a URL",
            #"{"auth": {"oauth2": {"flow": "clientCredentials", ⟦"issuer"⟧: "https://h", ⟦"tokenURL"⟧: "https://h/t", "clientID": "a", "clientSecret": "s"}}}"#,
            .error(
                .keyConflict, #""oauth2" takes only one of "issuer", "tokenURL"; found both "issuer" and "tokenURL""#,
                hint: "keep one of the two", marker: 1),
            .note("the other key is here", marker: 0)),
        .environment(
            "a client without its secret",
            #"{"auth": {"oauth2": ⟦{⟧"flow": "clientCredentials", "issuer": "https://h", "clientID": "a"}}}"#,
            .error(.keyMissing, #""oauth2" needs "clientSecret" for the flow clientCredentials"#)),
        .environment(
            "a secret that isn't sent",
            #"{"auth": {"oauth2": {"flow": "clientCredentials", "issuer": "https://h", "clientID": "a", ⟦"clientSecret"⟧: "s", "clientAuth": "none"}}}"#,
            .error(
                .keyConflict, #""clientSecret" is not sent with "clientAuth": "none""#, hint: "remove one of the two")),
        .environment(
            "a flow that isn't built",
            #"{"auth": {"oauth2": {"flow": ⟦"jwtBearer"⟧, "issuer": "https://h", "clientID": "a", "clientSecret": "s"}}}"#,
            .error(
                .valueUnknown,
                #""flow" takes one of "clientCredentials", "authorizationCode", "deviceCode"; found "jwtBearer""#)),
        .environment(
            "an address that another flow has",
            #"{"auth": {"oauth2": {"flow": "deviceCode", "issuer": "https://h", "clientID": "a", ⟦"redirect"⟧: "http://localhost"}}}"#,
            .error(.keyConflict, #""redirect" can only be used with the flow authorizationCode"#)),
        .environment(
            "a redirect to another machine",
            #"{"auth": {"oauth2": {"flow": "authorizationCode", "issuer": "https://h", "clientID": "a", "redirect": ⟦"https://h/back"⟧}}}"#,
            .error(
                .valueInvalid,
                #"the redirect "https://h/back" is not an address on this machine, such as http://127.0.0.1/callback"#)),
        .environment(
            "a redirect to a port that doesn't exist",
            #"{"auth": {"oauth2": {"flow": "authorizationCode", "issuer": "https://h", "clientID": "a", "redirect": ⟦"http://localhost:99999/"⟧}}}"#,
            .error(.valueInvalid, #"the redirect "http://localhost:99999/" has no port between 1 and 65535"#)),
        .environment(
            "a parameter that the flow sets",
            #"{"auth": {"oauth2": {"flow": "authorizationCode", "issuer": "https://h", "clientID": "a", "parameters": {"audience": "b", ⟦"code_challenge_method"⟧: "plain"}}}}"#,
            .error(.valueInvalid, #""parameters" can't contain "code_challenge_method", which reqcli sets"#)),
        .environment(
            "a device without its URL",
            #"{"auth": {"oauth2": ⟦{⟧"flow": "deviceCode", "tokenURL": "https://h/t", "clientID": "a"}}}"#,
            .error(.keyMissing, #""oauth2" needs "deviceURL" for the flow deviceCode"#)),
        .environment(
            "a signature that isn't sent", #"{"auth": {"hmac": ⟦{⟧"key": "k", "sign": "a"}}}"#,
            .error(.keyMissing, #""hmac" needs one of "headers", "query""#)),
        .environment(
            "a signature that no header has",
            #"{"auth": {"hmac": ⟦{⟧"key": "k", "sign": "a", "headers": {"X": "{{$now | unix}}"}}}}"#,
            .error(
                .valueInvalid, #""hmac" sends no signature: no header and no query item has {{$signature}}"#,
                hint: #"write "headers": {"X-Signature": "{{$signature}}"}"#)),
    ]

    @Test("$schema, $comment and x- keys are allowed in every object and mean nothing")
    func keysAside() {
        let aside = #""$schema": "s", "$comment": ["any", {"JSON": 1}], "x-note": {"a": 1},"#
        let workspace = Workspace.inMemory([
            (
                "endpoints/a.json",
                """
                {\(aside) "defaults": {\(aside) "headers": {"$comment": "c", "$schema": 1, "x-real": "a header"}},
                 "endpoints": {"$comment": "c", "get": {\(aside)
                   "path": "/{{a}}", "params": {"$schema": "s", "a": {\(aside) "type": "string"}},
                   "query": {"q": {"$comment": "c", "$schema": "s", "$switch": "{{a}}", "x": 1}},
                   "expect": {\(aside) "status": 200, "json": {"$comment": "c", "$.a": {\(aside) "exists": true}}},
                   "stubs": {\(aside) "variants": {"a": {\(aside) "status": 204}}}}}}
                """
            ),
            ("environments/development.json", "{\(aside) \"retry\": {\(aside) \"times\": 1}}"),
            ("reqcli.json", "{\(aside) \"environment\": \"development\"}"),
        ])
        #expect(lines(workspace.validate().diagnostics) == [])
        guard case .found(let endpoint) = workspace.endpoint("a.get").value else {
            Issue.record("a.get is not there")
            return
        }
        #expect(endpoint.defaults?.layer.headers.map(\.name) == ["x-real"])
        #expect(endpoint.parameters.map(\.name) == ["a"])
    }
}
