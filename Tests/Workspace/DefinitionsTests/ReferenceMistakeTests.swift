import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

/// References to things that don't exist, and circles.
@Suite struct ReferenceMistakeTests {
    @Test("each reference that leads nowhere is told where it stands, with near names", arguments: mistakes)
    func isTold(_ mistake: Mistake) {
        #expect(lines(mistake.workspace.validate().diagnostics) == mistake.expectedLines)
    }

    static let mistakes: [Mistake] = names + endpoints + environments + stubs + circles + clashes + files

    private static let names: [Mistake] = [
        .endpoint(
            "a misspelt param",
            #"{"path": "/⟦{{usrID}}⟧", "query": {"a": "{{userID}}"}, "params": {"userID": {"type": "string"}}}"#,
            .error(
                .valueUnresolved, #""{{usrID}}" is neither a param nor a variable of any environment"#,
                hint: #"did you mean "userID"?"#)),
        Mistake(
            "a misspelt variable",
            [
                "endpoints/a.json": #"{"path": "/⟦{{tenat}}⟧"}"#,
                "environments/e.json": #"{"variables": {"tenant": "acme"}}"#,
            ],
            .error(
                .valueUnresolved, #""{{tenat}}" is neither a param nor a variable of any environment"#,
                hint: #"did you mean "tenant"?"#)),
        .endpoint(
            "a name that is nowhere, behind escapes", #"{"path": "\t\u00e9⟦{{zzz}}⟧"}"#,
            .error(
                .valueUnresolved, #""{{zzz}}" is neither a param nor a variable of any environment"#,
                hint: #"declare it in "params", or in an environment's "variables""#)),
        .environment(
            "a param in an environment", #"{"headers": {"A": "⟦{{userID}}⟧"}}"#,
            .error(
                .valueUnresolved, #""{{userID}}" is not a variable of any environment"#,
                hint: #"declare it in "variables"; params exist only in their endpoint"#)),
        .environment(
            "a misspelt secret",
            #"{"secrets": {"apiToken": {"env": "T"}}, "auth": {"bearer": "⟦{{secret.apitoken}}⟧"}}"#,
            .error(
                .secretUnknown, #"no environment has a secret "apitoken""#, hint: #"did you mean "apiToken"?"#)),
        Mistake(
            "what an environment needs",
            [
                "endpoints/a.json": "{}",
                "environments/e.json": #"{"needs": {"login": ⟦"b"⟧}, "expect": {"status": 200}}"#,
            ],
            .error(.endpointUnknown, #"there is no endpoint "b""#)),
        .environment(
            "a snapshot for all endpoints of an environment", #"{"expect": ⟦{"snapshot": true}⟧}"#,
            .error(
                .valueInvalid, #""expect" of an environment can't have a "snapshot""#,
                hint: #"write the snapshot to the endpoints or to the "defaults" of a group"#)),
        Mistake(
            "credentials of an environment that its login has, too",
            [
                "endpoints/a.json": #"{"capture": {"token": {"json": "$.token"}}}"#,
                "environments/e.json": #"{"needs": {"login": ⟦"a"⟧}, "auth": {"bearer": "⟦{{login.token}}⟧"}}"#,
            ],
            .error(
                .captureTooLate, #"a has no value for "{{login.token}}", because it is called first"#,
                hint: #"write "auth": null in a, or the credentials of the login"#),
            .note("the capture is used here", marker: 1)),
        .endpoint(
            "a secret that is nowhere", #"{"headers": {"A": "⟦{{secret.pin}}⟧"}}"#,
            .error(
                .secretUnknown, #"no environment has a secret "pin""#,
                hint: #"add it to "secrets""#)),
        .endpoint(
            "an alias that isn't one", #"{"headers": {"A": "⟦{{login.token}}⟧"}}"#,
            .error(
                .captureUnknown, #""login" is not an alias in "needs""#,
                hint: #"add "needs": {"login": "the.endpoint"}"#)),
        .endpoint(
            "secrets in the plural", #"{"headers": {"A": "⟦{{secrets.token}}⟧"}}"#,
            .error(
                .captureUnknown, #""secrets" is not an alias in "needs""#, hint: #"did you mean "secret"?"#)),
        .environment(
            "an answer in an environment", #"{"auth": {"bearer": "⟦{{login.token}}⟧"}}"#,
            .error(
                .captureUnknown,
                #""{{login.token}}" is a capture, but no environment has the alias "login" in "needs""#,
                hint: #"add "needs": {"login": "the.endpoint"}"#)),
        .endpoint(
            "a capture that isn't one",
            """
            {"endpoints": {
              "login": {"capture": {"token": {"json": "$.token"}}},
              "get": {"needs": {"login": "a.login"}, "auth": {"bearer": "⟦{{login.tokn}}⟧"}}}}
            """,
            .error(
                .captureUnknown, #"the endpoint of "login" has no capture "tokn""#, hint: #"did you mean "token"?"#)),
        .endpoint(
            "a placeholder in every corner of an endpoint",
            """
            {"path": ["⟦{{p1}}⟧"], "method": "POST",
             "headers": {"A": ["⟦{{p2}}⟧", {"$switch": "⟦{{p3}}⟧", "a": "⟦{{p4}}⟧", "$default": "⟦{{p5}}⟧"}]},
             "query": {"q": "⟦{{p6}}⟧"}, "auth": {"apiKey": {"header": "K", "value": "⟦{{p7}}⟧"}},
             "tls": {"ca": "⟦{{p8}}⟧"}, "baseURL": "http://⟦{{p9}}⟧",
             "body": {"multipart": {"a": "⟦{{p10}}⟧",
               "b": {"file": "⟦{{p11}}⟧", "filename": "⟦{{p12}}⟧", "contentType": "⟦{{p13}}⟧"}}},
             "expect": {"headers": {"A": "⟦{{p14}}⟧"}, "body": {"contains": "⟦{{p15}}⟧"},
               "json": {"$.a": {"not": {"equals": ["⟦{{p16}}⟧"]}, "<": "⟦{{p17}}⟧"}}},
             "checks": [{"name": "c", "with": {}, "expect": {"json": {"$.a": "⟦{{p18}}⟧"}}}],
             "environments": {"development": {"body": {"graphql": {"query": "⟦{{p19}}⟧", "variables": "⟦{{p20}}⟧"}}}}}
            """,
            nowhere(1), nowhere(2), nowhere(3), nowhere(4), nowhere(5), nowhere(6), nowhere(7), nowhere(8), nowhere(9),
            nowhere(10), nowhere(11), nowhere(12), nowhere(13), nowhere(14), nowhere(15), nowhere(16), nowhere(17),
            nowhere(18), nowhere(19), nowhere(20)),
    ]

    private static func nowhere(_ number: Int) -> Told {
        .error(
            .valueUnresolved, "\"{{p\(number)}}\" is neither a param nor a variable of any environment",
            hint: #"declare it in "params", or in an environment's "variables""#)
    }

    private static let endpoints: [Mistake] = [
        .endpoint(
            "a need for an endpoint that isn't there",
            #"{"endpoints": {"get": {"needs": {"me": ⟦"a.logn"⟧}}, "login": {}}}"#,
            .error(.endpointUnknown, #"there is no endpoint "a.logn""#, hint: #"did you mean "a.login"?"#)),
        .endpoint(
            "params that a need doesn't take, doesn't get, or gets wrong",
            """
            {"endpoints": {
              "login": {"path": "{{user}}/{{age}}", "params": {"user": {"type": "string"}, "age": {"type": "integer"}}},
              "a": {"needs": {"me": {"endpoint": ⟦"a.login"⟧, "with": {⟦"usr"⟧: "ada", "age": ⟦"12"⟧}}}}}}
            """,
            .error(.parameterMissing, #"a.login needs the param "user""#, hint: #"give the param in "with""#),
            .error(.parameterUnknown, #"a.login has no param "usr""#, hint: #"did you mean "user"?"#),
            .error(.typeMismatch, #"the param "age" takes a whole number; found "12""#)),
        .endpoint(
            "a capture that a check hands on to another need",
            """
            {"endpoints": {
              "login": {"capture": {"token": {"json": "$.token"}}},
              "dep": {"path": "{{t}}", "params": {"t": {"type": "string", "default": "x"}}},
              "u": {"path": "{{t}}", "params": {"t": {"type": "string"}},
                "needs": {"l": "a.login", "d": {"endpoint": "a.dep", "with": {"t": "⟦{{t}}⟧"}}},
                "checks": [{"name": "c", "with": {"t": "⟦{{l.token}}⟧"}, "expect": {"status": 200}}]}}}
            """,
            .error(
                .captureTooLate,
                #"the "with" of a need can't use "t", which the check "c" sets to a capture: needs are called in no fixed order"#,
                hint: "add the need to the needed endpoint instead"),
            .note("the capture is used here", marker: 1)),
        .endpoint(
            "a capture that a need hands on to another need",
            """
            {"endpoints": {
              "login": {"capture": {"token": {"json": "$.token"}}},
              "dep": {"path": "{{t}}", "params": {"t": {"type": "string", "default": "x"}}},
              "u": {"needs": {"l": "a.login", "d": {"endpoint": "a.dep", "with": {"t": "⟦{{l.token}}⟧"}}}}}}
            """,
            .error(
                .captureTooLate,
                #"the "with" of a need can't use the capture "l.token": needs are called in no fixed order"#,
                hint: "add the need to the needed endpoint instead")),
        .endpoint(
            "params that a check gives wrong",
            """
            {"path": "{{a}}", "params": {"a": {"type": "integer", "maximum": 3}}, "checks": [
              {"name": "one", "with": {"a": ⟦4⟧}, "expect": {"status": 200}},
              {"name": ⟦"two"⟧, "with": {⟦"b"⟧: 4}, "expect": {"status": 200}},
              {"name": ⟦"two"⟧, "with": {"a": "{{$randomInt}}"}, "expect": {"status": 200}}]}
            """,
            .error(.typeMismatch, #"the param "a" must be at most 3; found 4"#, marker: 0),
            .error(.parameterUnknown, #"a has no param "b""#, hint: "params of the endpoint: a", marker: 2),
            .error(
                .keyDuplicate, #"two checks have the name "two""#,
                hint: "give each check its own name: reports identify checks by name", marker: 3),
            .note("the other check is here", marker: 1)),
        .endpoint(
            "a param that nothing uses", #"{"params": {⟦"a"⟧: {"type": "string"}}}"#,
            .warning(.parameterUnused, #"nothing uses the param "a""#, hint: "use it as {{a}}, or remove it")),
    ]

    private static let environments: [Mistake] = [
        Mistake(
            "a base that isn't there",
            [
                "endpoints/a.json": "{}", "environments/base.json": "{}",
                "environments/staging.json": #"{"extends": ["base", ⟦"bse"⟧]}"#,
            ],
            .error(
                .environmentUnknown, #"there is no environment "bse""#,
                hint: #"did you mean "base"? available: base, staging"#)),
        Mistake(
            "an endpoint that speaks of an environment that isn't there",
            ["endpoints/a.json": #"{"environments": {⟦"prod"⟧: {}}}"#, "environments/production.json": "{}"],
            .error(
                .environmentUnknown, #"there is no environment "prod""#,
                hint: #"did you mean "production"? available: production"#)),
        Mistake(
            "an environment in reqcli.json, in a workspace without any",
            ["reqcli.json": #"{"environment": ⟦"production"⟧}"#, "endpoints/a.json": "{}"],
            .error(
                .environmentUnknown, #"there is no environment "production""#, hint: "the workspace has no environments"
            )),
        .environment(
            "a cache policy that needs a cache", #"{"cachePolicy": ⟦"returnCacheDataElseLoad"⟧}"#,
            .warning(
                .cachePolicyUnsupported,
                #"reqcli has no cache yet, so "returnCacheDataElseLoad" has nothing to return"#,
                hint: "requests with this policy are always sent")),
        .endpoint(
            "cache policies that need a cache, in every layer",
            """
            {"defaults": {"cachePolicy": ⟦"returnCacheDataDontLoad"⟧}, "endpoints": {"a": {
              "cachePolicy": ⟦"returnCacheDataDontLoad"⟧,
              "environments": {"development": {"cachePolicy": ⟦"returnCacheDataDontLoad"⟧}}}}}
            """, noCache, noCache, noCache),
        .endpoint(
            "credentials for any host, in every layer",
            """
            {"defaults": {"redirects": {"credentials": ⟦"anyHost"⟧}}, "endpoints": {"a": {
              "redirects": {"credentials": ⟦"anyHost"⟧, "follow": true},
              "environments": {"development": {"redirects": {"credentials": ⟦"anyHost"⟧}}}}}}
            """, anyHost, anyHost, anyHost),
        .environment(
            "credentials for any host, in an environment", #"{"redirects": {"credentials": ⟦"anyHost"⟧}}"#, anyHost),
    ]

    private static let anyHost = Told.warning(
        .credentialsToAnyHost, "redirects may send credentials and secrets to any host",
        hint: #"remove "credentials", unless you trust each of these hosts"#)

    private static let noCache = Told.warning(
        .cachePolicyUnsupported, #"reqcli has no cache yet, so "returnCacheDataDontLoad" has nothing to return"#,
        hint: "requests with this policy fail")

    private static let stubs: [Mistake] = [
        .endpoint(
            "variants that aren't there",
            """
            {"stubs": {"default": ⟦"standart"⟧, "variants": {
              "standard": {}, "a": {"like": ⟦"zzz"⟧}, "b": {"sequence": ["a", ⟦"c"⟧, {"like": ⟦"stand"⟧}]}}}}
            """,
            .error(
                .variantUnknown, #"a has no stub variant "standart""#,
                hint: #"did you mean "standard"? available: standard, a, b"#),
            .error(.variantUnknown, #"a has no stub variant "zzz""#, hint: "available: standard, a, b"),
            .error(.variantUnknown, #"a has no stub variant "c""#, hint: "available: standard, a, b"),
            .error(
                .variantUnknown, #"a has no stub variant "stand""#,
                hint: #"did you mean "standard"? available: standard, a, b"#)),
        .endpoint(
            "lengths that are none",
            #"{"stubs": {"variants": {"a": {"headers": {"content-length": ⟦"-3"⟧}}, "b": {"headers": {"Content-Length": ⟦-3⟧}}, "c": {"headers": {"Content-Length": "30"}}, "d": {"fill": true, "headers": {"Content-Length": "{{n}}"}}}}}"#,
            .error(
                .valueInvalid, #""Content-Length" takes the number of bytes of the body; found "-3""#,
                hint: "remove it: the right Content-Length is added"),
            .error(
                .valueInvalid, "\"Content-Length\" takes the number of bytes of the body; found -3",
                hint: "remove it: the right Content-Length is added")),
        .endpoint(
            "variants like a sequence",
            #"{"stubs": {"variants": {"s": {"sequence": ["a"]}, "a": {}, "b": {"like": ⟦"s"⟧}, "c": {"sequence": [{"like": ⟦"s"⟧}]}}}}"#,
            .error(
                .valueInvalid, #""like" can't name "s", which is a sequence"#, hint: "name one of its variants"),
            .error(
                .valueInvalid, #""like" can't name "s", which is a sequence"#, hint: "name one of its variants")),
        Mistake(
            "an environment's stubs that aren't there",
            [
                "endpoints/user.json": #"{"endpoints": {"get": {}, "feed": {"stubs": {"variants": {"empty": {}}}}}}"#,
                "environments/offline.json":
                    #"{"stubs": {"*": ⟦"emtpy"⟧, ⟦"user.fed"⟧: "a", "user.feed": ⟦"emty"⟧, "user.get": ⟦"a"⟧}}"#,
            ],
            .error(.variantUnknown, #"no endpoint has a stub variant "emtpy""#, hint: #"did you mean "empty"?"#),
            .error(.endpointUnknown, #"there is no endpoint "user.fed""#, hint: #"did you mean "user.feed"?"#),
            .error(
                .variantUnknown, #"user.feed has no stub variant "emty""#,
                hint: #"did you mean "empty"? available: empty"#),
            .error(.variantUnknown, #"user.get has no stub variant "a""#, hint: "the endpoint has no stub variants")),
    ]

    private static let circles: [Mistake] = [
        Mistake(
            "environments that extend each other",
            [
                "endpoints/a.json": "{}", "environments/a.json": #"{"extends": ["c", ⟦"b"⟧]}"#,
                "environments/b.json": #"{"extends": "a"}"#, "environments/c.json": "{}",
            ],
            .error(
                .extendsCycle, "environments extend each other in a cycle: a → b → a",
                hint: #"remove one of these environments from "extends""#)),
        .environment(
            "an environment that extends itself", #"{"extends": ⟦"development"⟧}"#,
            .error(
                .extendsCycle, "environments extend each other in a cycle: development → development",
                hint: #"remove one of these environments from "extends""#)),
        .endpoint(
            "endpoints that need each other, the way shown being the shortest",
            """
            {"endpoints": {"a": {"needs": {"x": "a.d", "y": ⟦"a.b"⟧}}, "b": {"needs": {"x": "a.c", "y": "a.a"}},
             "c": {"needs": {"x": "a.a"}}, "d": {}}}
            """,
            .error(.needsCycle, "endpoints need each other in a cycle: a.a → a.b → a.a")),
        .endpoint(
            "two circles, each told",
            #"{"endpoints": {"a": {"needs": {"x": ⟦"a.a"⟧, "y": "a.b"}}, "b": {"needs": {"x": ⟦"a.b"⟧}}}}"#,
            .error(
                .needsCycle, "endpoints need each other in a cycle: a.a → a.a",
                hint: "an endpoint can't need itself; write null to remove a need of the group"),
            .error(
                .needsCycle, "endpoints need each other in a cycle: a.b → a.b",
                hint: "an endpoint can't need itself; write null to remove a need of the group")),
        .endpoint(
            "a group's need that one of its endpoints is",
            #"{"defaults": {"needs": {"me": ⟦"a.login"⟧}}, "endpoints": {"login": {}, "get": {}}}"#,
            .error(
                .needsCycle, "endpoints need each other in a cycle: a.login → a.login",
                hint: "an endpoint can't need itself; write null to remove a need of the group")),
        Mistake(
            "what an environment needs, which needs something itself",
            [
                "endpoints/a.json": #"{"endpoints": {"csrf": {}, "login": {"needs": {"csrf": "a.csrf"}}}}"#,
                "environments/e.json": #"{"needs": {"login": ⟦"a.login"⟧}}"#,
            ],
            .error(
                .needsCycle, "endpoints need each other in a cycle: a.csrf → a.login → a.csrf",
                hint: #"write null for the environment's alias in "needs" of one of them"#)),
        .endpoint(
            "variants like each other",
            #"{"stubs": {"variants": {"a": {"like": ⟦"b"⟧}, "b": {"sequence": ["c", {"like": "a"}]}, "c": {}}}}"#,
            .error(.likeCycle, "stub variants refer to each other in a cycle: a → b → a", marker: 0),
            .error(
                .valueInvalid, #""like" can't name "b", which is a sequence"#, hint: "name one of its variants",
                marker: 0)),
        .endpoint(
            "a variant like itself", #"{"stubs": {"variants": {"a": {"like": ⟦"a"⟧}}}}"#,
            .error(.likeCycle, "stub variants refer to each other in a cycle: a → a")),
        .environment(
            "variables that stand for each other",
            #"{"variables": {⟦"a"⟧: ["{{b}}"], "b": "x{{c}}", "c": "{{a}}", "d": "{{a}}"}}"#,
            .error(
                .variableCycle, "variables refer to each other in a cycle: a → b → c → a",
                hint: "give one of these variables a value that uses no other variable")),
        Mistake(
            "variables that stand for each other across environments",
            [
                "endpoints/a.json": "{}",
                "environments/base.json": #"{"variables": {⟦"a"⟧: "{{b}}", "b": "x"}}"#,
                "environments/child.json": #"{"extends": "base", "variables": {"b": "{{a}}"}}"#,
            ],
            .error(
                .variableCycle, "variables refer to each other in a cycle: a → b → a",
                hint: "give one of these variables a value that uses no other variable")),
    ]

    private static let clashes: [Mistake] = [
        Mistake(
            "an id in a group and in a file of its own",
            ["endpoints/user.json": #"{"endpoints": {"get": ⟦{⟧}}}"#, "endpoints/user/get.json": "⟦{⟧}"],
            .error(
                .idClash, #"the endpoint "user.get" is defined twice"#, hint: "rename one of the two", marker: 0),
            .note("also defined here", marker: 1)),
        Mistake(
            "an id in .json and in .jsonc", ["endpoints/a.json": "⟦{⟧}", "endpoints/a.jsonc": "⟦{⟧} // with comments"],
            .error(.idClash, #"the endpoint "a" is defined twice"#, hint: "rename one of the two", marker: 1),
            .note("also defined here", marker: 0)),
        Mistake(
            "an environment in .json and in .jsonc",
            ["endpoints/a.json": "{}", "environments/e.json": "{}", "environments/e.jsonc": "{}"],
            .error(
                .idClash,
                #"the environment "e" is defined twice: in environments/e.json and in environments/e.jsonc"#,
                hint: "keep one of the two files", file: "environments/e.jsonc")),
        Mistake(
            "files whose names can't be ids",
            [
                "endpoints/my user.json": "{}", "endpoints/v1.2/get.json": "{}", "endpoints/ok.json": "{}",
                "environments/dev.local.json": "{}", "endpoints/.hidden.json": "not looked at",
                "endpoints/README.md": "nor this",
            ],
            .error(
                .nameInvalid, #""my user" can't be a part of an id"#,
                hint: "rename it: use letters, digits, _ and -", file: "endpoints/my user.json"),
            .error(
                .nameInvalid, #""v1.2" can't be a part of an id"#, hint: "rename it: use letters, digits, _ and -",
                file: "endpoints/v1.2/get.json"),
            .error(
                .nameInvalid, #""dev.local" can't be a part of an id"#,
                hint: "rename it: use letters, digits, _ and -", file: "environments/dev.local.json")),
    ]

    private static let files: [Mistake] = [
        Mistake(
            "files that aren't there",
            [
                "endpoints/a.json": """
                {"endpoints": {
                  "a": {"body": {"file": ⟦"none.bin"⟧}, "tls": {"ca": ⟦"certs"⟧, "cert": "certs/ca.pem"}},
                  "b": {"body": {"multipart": {"x": {"file": ⟦""⟧}, "y": {"file": "~/mine"}, "z": {"file": "{{$uuid}}"}}}},
                  "c": {"stubs": {"variants": {
                    "x": {"file": ⟦"none.json"⟧}, "y": {"sequence": [{"file": ⟦"folder"⟧}, {"file": "folder/there.json"}]}}}}}}
                """,
                "certs/ca.pem": "", "stubs/folder/there.json": "",
                "environments/e.json": #"{"tls": {"key": ⟦"none.pem"⟧}}"#,
            ],
            .error(
                .fileMissing, #"there is no file "none.bin""#, hint: "paths are relative to the workspace's root"),
            .error(.fileMissing, #""certs" is not a regular file"#),
            .error(.valueInvalid, #""file" takes the path of a file; found """#),
            .error(.fileMissing, #"there is no file "stubs/none.json""#),
            .error(.fileMissing, #""stubs/folder" is not a regular file"#),
            .error(.fileMissing, #"there is no file "none.pem""#, hint: "paths are relative to the workspace's root")),
        Mistake(
            "a file that a group names",
            ["endpoints/a.json": #"{"defaults": {"tls": {"ca": ⟦"none.pem"⟧}}, "endpoints": {"a": {}, "b": {}}}"#],
            .error(.fileMissing, #"there is no file "none.pem""#, hint: "paths are relative to the workspace's root")),
        Mistake(
            "the default of a param that is a file, and of none that isn't",
            [
                "endpoints/a.json": """
                {"defaults": {"params": {"d": {"type": "file", "default": ⟦"none.d"⟧}}},
                 "endpoints": {"a": {
                   "params": {"f": {"type": "file", "default": ⟦"none.f"⟧}, "s": {"type": "string", "default": "none.s"},
                              "h": {"type": "file", "default": "~/mine"}, "t": {"type": "file", "default": "there"}},
                   "body": {"multipart": {"d": {"file": "{{d}}"}, "f": {"file": "{{f}}"}, "s": {"text": "{{s}}"},
                                          "h": {"file": "{{h}}"}, "t": {"file": "{{t}}"}}}}}}
                """,
                "there": "",
            ],
            .error(.fileMissing, #"there is no file "none.d""#, hint: "paths are relative to the workspace's root"),
            .error(.fileMissing, #"there is no file "none.f""#, hint: "paths are relative to the workspace's root")),
    ]
}
