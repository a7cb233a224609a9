import ReqcliAssembly
@_spi(Generated) import RequestBuilding

extension MergeCell {
    static let all = server + path + fields + body + expectation + auth + timeouts + transfer + environments

    private static let noServer = Outcome.fails("the request has no server")

    private static func flag(_ change: CommandLineOverride.Change, _ text: String) -> [CommandLineOverride] {
        [CommandLineOverride(change, flag: text)]
    }

    private static let server: [MergeCell] = [
        .overlay("method / a value", #""method": "PUT""#, #""method": "POST""#, .gives(.line, "POST http://h/base")),
        .overlay("method / a list", "", #""method": ["POST"]"#, .refused),
        .overlay("method / \"\"", "", #""method": """#, .refused),
        .overlay("method / null", "", #""method": null"#, .refused),

        .request(
            "baseURL / a value", #""baseURL": "https://a:1/x""#, #""baseURL": "http://b""#, .gives(.url, "http://b")),
        .request(
            "baseURL / a value", #""scheme": "https", "host": "a", "port": 1, "basePath": "/x""#,
            #""baseURL": "http://b/y""#, .gives(.url, "http://b/y")),
        .request("baseURL / a list", "", #""baseURL": ["http://b"]"#, .refused),
        .request("baseURL / \"\"", "", #""baseURL": """#, .refused),
        .request("baseURL / null", #""baseURL": "https://a""#, #""baseURL": null"#, noServer),
        .request("baseURL / null", #""scheme": "http", "host": "a""#, #""baseURL": null"#, noServer),
        .request(
            "baseURL / command line", #""baseURL": "https://a:1/x""#, #""path": "p""#,
            flags: flag(.baseURL("http://c:2"), "--base-url http://c:2"), .gives(.url, "http://c:2/p")),

        .request("scheme / a value", #""scheme": "http""#, #""scheme": "https""#, .gives(.url, "https://h")),
        .request(
            "scheme / a value", #""baseURL": "http://a:1/x""#, #""scheme": "https""#, .gives(.url, "https://a:1/x")),
        .request("scheme / a list", "", #""scheme": ["http"]"#, .refused),
        .request("scheme / \"\"", "", #""scheme": """#, .refused),
        .request("scheme / null", "", #""scheme": null"#, noServer),

        .request("host / a value", #""host": "a""#, #""host": "b""#, .gives(.url, "http://b")),
        .request("host / a value", #""baseURL": "https://a:1/x""#, #""host": "b""#, .gives(.url, "https://b:1/x")),
        .request("host / a list", "", #""host": ["b"]"#, .refused),
        .request("host / \"\"", "", #""host": """#, .refused),
        .request("host / null", "", #""host": null"#, noServer),

        .request("port / a value", #""port": 1"#, #""port": 2"#, .gives(.url, "http://h:2")),
        .request("port / a value", #""baseURL": "https://a:1/x""#, #""port": 2"#, .gives(.url, "https://a:2/x")),
        .request("port / a list", "", #""port": [2]"#, .refused),
        .request("port / \"\"", "", #""port": """#, .refused),
        .request("port / null", #""port": 1"#, #""port": null"#, .gives(.url, "http://h")),

        .request("basePath / a value", #""basePath": "/a""#, #""basePath": "/b/""#, .gives(.url, "http://h/b/")),
        .request(
            "basePath / a value", #""baseURL": "https://a:1/x""#, #""basePath": "y""#, .gives(.url, "https://a:1/y")),
        .request("basePath / a list", "", #""basePath": ["a"]"#, .refused),
        .request("basePath / \"\"", #""basePath": "/a""#, #""basePath": """#, .gives(.url, "http://h")),
        .request("basePath / null", #""basePath": "/a""#, #""basePath": null"#, .gives(.url, "http://h")),
    ]

    private static let path: [MergeCell] = [
        .overlay("path / a value", #""path": "a""#, #""path": "b""#, .gives(.url, "http://h/base/b")),
        .overlay("path / a list", #""path": "a""#, #""path": ["b", "c"]"#, .gives(.url, "http://h/base/b/c")),
        .overlay("path / \"\"", #""path": "a""#, #""path": """#, .gives(.url, "http://h/base")),
        .overlay("path / null", #""path": "a""#, #""path": null"#, .gives(.url, "http://h/base")),
    ]

    private static let fields: [MergeCell] = [
        .request(
            "a header / a value", #""headers": {"A": "1", "b": ["2", "3"]}"#, #""headers": {"B": "4", "C": "5"}"#,
            .gives(.headers, "A: 1|B: 4|C: 5")),
        .request(
            "a header / a list", #""headers": {"A": "1"}"#, #""headers": {"a": ["2", "3"]}"#,
            .gives(.headers, "a: 2|a: 3")),
        .request("a header / \"\"", #""headers": {"A": "1"}"#, #""headers": {"A": ""}"#, .gives(.headers, "A: ")),
        .request(
            "a header / null", #""headers": {"A": "1", "B": "2"}"#, #""headers": {"a": null}"#,
            .gives(.headers, "B: 2")),
        .request(
            "a header / command line", #""headers": {"A": ["1", "2"], "B": "3"}"#, "",
            flags: flag(.header("a", values: ["4"]), "-H 'a: 4'"), .gives(.headers, "a: 4|B: 3")),
        .request(
            "a header / command line", #""headers": {"A": "1", "B": "3"}"#, "",
            flags: flag(.removedHeader("a"), "-H a:"), .gives(.headers, "B: 3")),
        .request(
            "a header / command line", #""headers": {"A": "1"}"#, "",
            flags: flag(.header("A", values: [""]), "-H 'A;'"), .gives(.headers, "A: ")),

        .request(
            "a query item / a value", #""query": {"a": "1", "b": ["2", "3"]}"#, #""query": {"b": "4", "B": "5"}"#,
            .gives(.query, "?a=1&b=4&B=5")),
        .request(
            "a query item / a list", #""query": {"a": "1", "b": "2"}"#, #""query": {"a": ["3", "4"]}"#,
            .gives(.query, "?a=3&a=4&b=2")),
        .request("a query item / \"\"", #""query": {"a": "1"}"#, #""query": {"a": ""}"#, .gives(.query, "?a=")),
        .request("a query item / null", #""query": {"a": "1"}"#, #""query": {"a": null}"#, .gives(.url, "http://h")),
        .request(
            "a query item / command line", #""query": {"a": ["1", "2"]}"#, #""query": {"b": "3"}"#,
            flags: flag(.query("a", values: ["4"]), "-q a=4"), .gives(.query, "?a=4&b=3")),

        .request(
            "query / a value", #""query": {"a": "1"}"#, #""query": "a=%e9&&b+c""#, .gives(.query, "?a=%e9&&b+c")),
        .request(
            "query / a value", #""query": "a=1""#, #""query": {"a": "2", "b": null}"#, .gives(.query, "?a=1&a=2")),
        .request("query / a list", "", #""query": ["a"]"#, .refused),
        .request("query / \"\"", #""query": "a=1""#, #""query": """#, .gives(.url, "http://h")),
        .request("query / null", #""query": {"a": "1"}"#, #""query": null"#, .gives(.url, "http://h")),
        .request("query / null", #""query": "a=1""#, #""query": null"#, .gives(.url, "http://h")),
        .request(
            "query / command line", "", #""query": "a=1""#, flags: flag(.query("a", values: ["2"]), "-q a=2"),
            .gives(.query, "?a=1&a=2")),
    ]

    private static let body: [MergeCell] = [
        .overlay(
            "body / a value", #""body": {"json": {"a": 1, "b": 2}}"#, #""body": {"json": {"b": null}}"#,
            .gives(.body, #"{"b":null}"#)),
        .overlay("body / a list", "", #""body": [1]"#, .refused),
        .overlay("body / \"\"", "", #""body": """#, .refused),
        .overlay("body / null", #""body": {"json": {"a": 1}}"#, #""body": null"#, .gives(.body, nil)),
        .overlay("body / null", #""body": {"json": {"a": 1}}"#, #""body": null"#, .gives(.headers, "")),
        .request(
            "body / command line", "", #""body": {"form": {"a": "1"}}"#, flags: flag(.body(text: "b=2"), "--body b=2"),
            .gives(.body, "b=2")),
        .request(
            "body / command line", #""headers": {"Content-Type": "application/json"}"#,
            #""body": {"form": {"a": "1"}}"#,
            flags: flag(.body(text: "b=2"), "--body b=2"),
            .gives(.headers, "Content-Type: application/x-www-form-urlencoded")),
    ]

    private static let expectation: [MergeCell] = [
        .overlay(
            "expect / a value", #""expect": {"status": 200, "json": {"$.a": null}}"#, #""expect": {"status": 204}"#,
            .gives(.expectation, "204, 0 paths")),
        .overlay("expect / a list", "", #""expect": [200]"#, .refused),
        .overlay("expect / \"\"", "", #""expect": """#, .refused),
        .overlay("expect / null", #""expect": {"status": 200}"#, #""expect": null"#, .gives(.expectation, nil)),
    ]

    private static let auth: [MergeCell] = [
        .request(
            "auth / a value", #""auth": {"apiKey": {"header": "X-Key", "value": "k"}}"#, #""auth": {"bearer": "t"}"#,
            .gives(.headers, "Authorization: Bearer t")),
        .request(
            "auth / a value", #""auth": {"bearer": "t"}"#, #""auth": {"apiKey": {"query": "key", "value": "k"}}"#,
            .gives(.url, "http://h?key=k")),
        .request("auth / a list", "", #""auth": ["t"]"#, .refused),
        .request("auth / \"\"", "", #""auth": """#, .refused),
        .request("auth / null", #""auth": {"bearer": "t"}"#, #""auth": null"#, .gives(.headers, "")),
    ]

    private static let timeouts: [MergeCell] = [
        .request(
            "timeout as a number or text / a value", #""timeout": {"connect": "1s", "total": "2s"}"#, #""timeout": 3"#,
            .gives(.timeouts, "connect 1s, idle 60s, total 3s")),
        .request(
            "timeout as a number or text / a value", #""timeout": 60"#, #""timeout": "250ms""#,
            .gives(.timeouts, "connect 10s, idle 60s, total 250ms")),
        .request("timeout as a number or text / a list", "", #""timeout": [1]"#, .refused),
        .request("timeout as a number or text / \"\"", "", #""timeout": """#, .refused),
        .request(
            "timeout as a number or text / null", #""timeout": {"connect": 1, "firstByte": 2, "idle": 3, "total": 4}"#,
            #""timeout": null"#, .gives(.timeouts, "connect 10s, idle 60s")),
        .request(
            "timeout as a number or text / command line", #""timeout": {"connect": 1, "total": 4}"#, "",
            flags: flag(.setting(.totalTimeout, .seconds(5)), "--timeout 5"),
            .gives(.timeouts, "connect 1s, idle 60s, total 5s")),
        .request(
            "a key of timeout / a value", #""timeout": 4"#, #""timeout": {"idle": 9, "firstByte": "1m"}"#,
            .gives(.timeouts, "connect 10s, firstByte 60s, idle 9s, total 4s")),
        .request("a key of timeout / a list", "", #""timeout": {"idle": [1]}"#, .refused),
        .request("a key of timeout / \"\"", "", #""timeout": {"idle": ""}"#, .refused),
        .request(
            "a key of timeout / null", #""timeout": 4"#, #""timeout": {"total": null, "idle": null}"#,
            .gives(.timeouts, "connect 10s")),
    ]

    private static let transfer: [MergeCell] = [
        .request(
            "cachePolicy / a value", #""cachePolicy": "reloadIgnoringLocalCacheData""#,
            #""cachePolicy": "returnCacheDataElseLoad""#, .gives(.cachePolicy, "returnCacheDataElseLoad")),
        .request("cachePolicy / a list", "", #""cachePolicy": ["returnCacheDataElseLoad"]"#, .refused),
        .request("cachePolicy / \"\"", "", #""cachePolicy": """#, .refused),
        .request(
            "cachePolicy / null", #""cachePolicy": "reloadIgnoringLocalCacheData""#, #""cachePolicy": null"#,
            .gives(.cachePolicy, "useProtocolCachePolicy")),

        .request(
            "redirects / a value", #""redirects": {"max": 5}"#, #""redirects": {"follow": true}"#,
            .gives(.redirects, "follow true, max 5")),
        .request("redirects / a list", "", #""redirects": [true]"#, .refused),
        .request("redirects / \"\"", "", #""redirects": """#, .refused),
        .request(
            "redirects / null", #""redirects": {"follow": true, "max": 5}"#, #""redirects": null"#,
            .gives(.redirects, "")),
        .request(
            "a key of redirects / a value", #""redirects": {"follow": true, "max": 5, "credentials": "anyHost"}"#,
            #""redirects": {"follow": false}"#, .gives(.redirects, "follow false, max 5, credentials anyHost")),
        .request("a key of redirects / a list", "", #""redirects": {"max": [1]}"#, .refused),
        .request("a key of redirects / \"\"", "", #""redirects": {"max": ""}"#, .refused),
        .request(
            "a key of redirects / null", #""redirects": {"follow": true, "max": 5, "credentials": "anyHost"}"#,
            #""redirects": {"max": null, "credentials": null}"#, .gives(.redirects, "follow true")),
        .request(
            "a key of redirects / command line", #""redirects": {"follow": true, "max": 5}"#, "",
            flags: flag(.setting(.followsRedirects, false), "--no-follow")
                + flag(.setting(.maximumRedirects, 7), "--max-redirects 7"),
            .gives(.redirects, "follow false, max 7")),

        .request(
            "retry / a value", #""retry": {"times": 2, "delay": "1s"}"#, #""retry": {"on": [500]}"#,
            .gives(.retry, "times 2; on 500; delay 1s")),
        .request("retry / a list", "", #""retry": [2]"#, .refused),
        .request("retry / \"\"", "", #""retry": """#, .refused),
        .request(
            "retry / null", #""retry": {"times": 2, "on": [500], "methods": ["GET"], "delay": 1}"#,
            #""retry": null"#, .gives(.retry, "")),
        .request(
            "a key of retry / a value", #""retry": {"times": 2, "on": [500]}"#, #""retry": {"times": 0}"#,
            .gives(.retry, "times 0; on 500")),
        .request(
            "a key of retry / a value", #""retry": {"times": 100, "on": [500]}"#, #""retry": {"on": "any"}"#,
            .gives(.retry, "times 100; on any")),
        .request(
            "a key of retry / a list", #""retry": {"times": 2, "on": [500, 502]}"#,
            #""retry": {"times": 2, "on": [429], "methods": ["GET", "PUT"]}"#,
            .gives(.retry, "times 2; on 429; methods GET, PUT")),
        .request("a key of retry / \"\"", "", #""retry": {"times": ""}"#, .refused),
        .request(
            "a key of retry / null", #""retry": {"times": 2, "on": [500]}"#, #""retry": {"on": null}"#,
            .gives(.retry, "times 2")),
        .request(
            "a key of retry / command line", #""retry": {"times": 2, "on": [500]}"#, "",
            flags: flag(.setting(.retryTimes, 5), "--retry 5"), .gives(.retry, "times 5; on 500")),

        .request(
            "tls / a value", #""tls": {"ca": "ca.pem"}"#, #""tls": {"minVersion": "1.2"}"#,
            .gives(.tls, "ca ca.pem, minVersion 1.2")),
        .request("tls / a list", "", #""tls": ["ca.pem"]"#, .refused),
        .request("tls / \"\"", "", #""tls": """#, .refused),
        .request(
            "tls / null",
            #""tls": {"ca": "ca.pem", "cert": "ca.pem", "key": "ca.pem", "insecure": true, "minVersion": "1.2", "maxVersion": "1.3"}"#,
            #""tls": null"#, .gives(.tls, "")),
        .request(
            "a key of tls / a value", #""tls": {"ca": "ca.pem", "insecure": true}"#,
            #""tls": {"ca": "other.pem", "insecure": false}"#, .gives(.tls, "ca other.pem, insecure false")),
        .request("a key of tls / a list", "", #""tls": {"ca": ["ca.pem"]}"#, .refused),
        .request("a key of tls / \"\"", "", #""tls": {"ca": ""}"#, .refused),
        .request(
            "a key of tls / null", #""tls": {"ca": "ca.pem", "insecure": true}"#, #""tls": {"ca": null}"#,
            .gives(.tls, "insecure true")),
        .request(
            "a key of tls / command line", #""tls": {"ca": "ca.pem", "minVersion": "1.3"}"#, "",
            flags: flag(.transferFile(.authorities, path: "other.pem"), "--ca")
                + flag(.transferFile(.certificate, path: "ca.pem"), "--cert")
                + flag(.transferFile(.certificateKey, path: "ca.pem"), "--key")
                + flag(.setting(.isInsecure, true), "--insecure"),
            .gives(.tls, "ca other.pem, cert ca.pem, key ca.pem, insecure true, minVersion 1.3")),

        .request(
            "httpVersion / a value", #""httpVersion": "1.1""#, #""httpVersion": "2""#, .gives(.httpVersion, "2")),
        .request("httpVersion / a list", "", #""httpVersion": ["2"]"#, .refused),
        .request("httpVersion / \"\"", "", #""httpVersion": """#, .refused),
        .request(
            "httpVersion / null", #""httpVersion": "1.1""#, #""httpVersion": null"#, .gives(.httpVersion, "")),
        .request(
            "httpVersion / command line", #""httpVersion": "2""#, "",
            flags: flag(.setting(.httpVersion, .http10), "--http1.0"), .gives(.httpVersion, "1.0")),

        .request(
            "proxy / a value", #""proxy": {"url": "http://p", "user": "a", "password": "b", "tunnel": true}"#,
            #""proxy": "https://q:1""#, .gives(.proxy, "https://q:1")),
        .request("proxy / a list", "", #""proxy": ["http://p"]"#, .refused),
        .request("proxy / \"\"", #""proxy": "http://p""#, #""proxy": """#, .gives(.proxy, "no proxy")),
        .request("proxy / null", #""proxy": "http://p""#, #""proxy": null"#, .gives(.proxy, "no proxy")),
        .request(
            "proxy / command line", #""proxy": {"url": "http://p", "user": "a", "password": "b"}"#, "",
            flags: flag(.setting(.proxy, ProxySettings("q")), "--proxy q")
                + flag(.setting(.proxyTunnel, true), "--proxytunnel"), .gives(.proxy, "q, tunnel")),
        .request(
            "noProxy / a value", #""noProxy": ["a", "b"]"#, #""noProxy": ".c""#, .gives(.proxy, "none for .c")),
        .request(
            "noProxy / a list", #""noProxy": "a""#, #""noProxy": [".b", "10.0.0.0/8"]"#,
            .gives(.proxy, "none for .b,10.0.0.0/8")),
        .request("noProxy / \"\"", #""noProxy": "a""#, #""noProxy": """#, .gives(.proxy, "none for ")),
        .request("noProxy / null", #""noProxy": "a""#, #""noProxy": null"#, .gives(.proxy, "none for ")),
        .request(
            "noProxy / command line", #""proxy": "p", "noProxy": "a""#, "",
            flags: flag(.setting(.noProxy, "*"), "--noproxy *"), .gives(.proxy, "p, none for *")),
    ]

    private static let environments: [MergeCell] = [
        .environment(
            "a variable / a value", #""variables": {"v": "1"}"#, #""variables": {"v": "2"}"#,
            .gives(.headers, "X: 2")),
        .environment(
            "a variable / a list", #""variables": {"v": ["1"]}"#, #""variables": {"v": ["2", "3"]}"#,
            .gives(.headers, "X: 2|X: 3")),
        .environment(
            "a variable / \"\"", #""variables": {"v": "1"}"#, #""variables": {"v": ""}"#,
            .gives(.headers, "X: ")),
        .environment(
            "a variable / null", #""variables": {"v": "1"}"#, #""variables": {"v": null}"#,
            .fails("\"{{v}}\" is neither a param of e nor a variable of the environment env")),
        .environment(
            "a secret / a value", #""secrets": {"s": {"env": "ONE"}}"#, #""secrets": {"s": {"env": "TWO"}}"#,
            .gives(.headers, "X: two")),
        .environment("a secret / a list", "", #""secrets": {"s": ["TWO"]}"#, .refused),
        .environment("a secret / \"\"", "", #""secrets": {"s": ""}"#, .refused),
        .environment(
            "a secret / null", #""secrets": {"s": {"env": "ONE"}}"#, #""secrets": {"s": null}"#,
            .fails("the environment env has no secret \"s\"")),

        .environment(
            "policy / a value", #""policy": {"methods": ["POST"]}"#, #""policy": {"confirm": ["GET"]}"#,
            .gives(.policy, "refused(reason: \"its policy allows only POST\")")),
        .environment("policy / a list", "", #""policy": ["GET"]"#, .refused),
        .environment("policy / \"\"", "", #""policy": """#, .refused),
        .environment(
            "policy / null", #""policy": {"methods": ["POST"], "confirm": ["GET"]}"#, #""policy": null"#,
            .gives(.policy, "allowed")),
        .environment(
            "a key of policy / a value", #""policy": {"methods": ["POST"]}"#, #""policy": {"methods": ["GET"]}"#,
            .gives(.policy, "allowed")),
        .environment(
            "a key of policy / a list", #""policy": {"confirm": ["GET", "PUT"]}"#,
            #""policy": {"confirm": ["PUT"]}"#, .gives(.policy, "allowed")),
        .environment("a key of policy / \"\"", "", #""policy": {"methods": ""}"#, .refused),
        .environment(
            "a key of policy / null", #""policy": {"methods": ["POST"], "confirm": ["GET"]}"#,
            #""policy": {"methods": null}"#, .gives(.policy, "needsConfirmation")),

        .environment(
            "stubs of an environment / a value", #""stubs": {"*": "standard"}"#, #""stubs": {"e": "empty"}"#,
            .gives(.stubs, "*=standard e=empty")),
        .environment("stubs of an environment / a list", "", #""stubs": ["standard"]"#, .refused),
        .environment("stubs of an environment / \"\"", "", #""stubs": """#, .refused),
        .environment(
            "stubs of an environment / null", #""stubs": {"*": "standard"}"#, #""stubs": null"#,
            .gives(.stubs, nil)),
        .environment(
            "a stub of an environment / a value", #""stubs": {"*": "a", "e": "b"}"#, #""stubs": {"*": "c"}"#,
            .gives(.stubs, "e=b *=c")),
        .environment("a stub of an environment / a list", "", #""stubs": {"e": ["a"]}"#, .refused),
        .environment("a stub of an environment / \"\"", "", #""stubs": {"e": ""}"#, .refused),
        .environment(
            "a stub of an environment / null", #""stubs": {"*": "a", "e": "b"}"#, #""stubs": {"*": null}"#,
            .gives(.stubs, "e=b")),
    ]
}
