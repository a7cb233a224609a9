import Importing
import ReqcliText
import Testing

@Suite("Importing .http files")
struct HTTPFileFormatTests {
    static func one(
        _ name: String, _ text: String, _ definition: String, environment: String = #"{"baseURL":"http://h"}"#,
        notes: [String] = []
    ) -> FormatCase {
        FormatCase(
            name, [("x/a.http", text)], ["a": #"{"endpoints":\#(definition)}"#, "env:development": environment],
            notes: notes)
    }

    static let cases: [FormatCase] = [
        one("a URL alone", "http://h/a\n", #"{"list":{"path":"/a"}}"#),
        one(
            "a version, headers and a body", "GET http://h/a HTTP/1.1\nX-A: 1\n# no header\n\n{\"b\": {{c}}}\n\n",
            #"{"list":{"path":"/a","params":{"c":{"type":"json"}},"headers":{"X-A":"1"},"body":{"json":{"b":"{{c}}"}}}}"#,
            notes: ["1:1: approximated: JSON without a Content-Type is sent as application/json"]),
        one(
            "a query over lines", "GET http://h/a\n  ?x=1\n  &y={{z}}\nX: 1\n",
            #"{"list":{"path":"/a","params":{"z":{"type":"string"}},"query":{"x":"1","y":"{{z}}"},"headers":{"X":"1"}}}"#
        ),
        one(
            "a form over lines", "PUT http://h/a\nContent-Type: application/x-www-form-urlencoded\n\nx=1\n&y=2\n",
            #"{"replace":{"method":"PUT","path":"/a","body":{"form":{"x":"1","y":"2"}}}}"#),
        one(
            "a file", "PUT http://h/a\n\n< ./b/c.json\n",
            #"{"replace":{"method":"PUT","path":"/a","body":{"file":"b/c.json"}}}"#),
        one(
            "a file with placeholders", "PUT http://h/a\n\n<@latin1 c.json\n",
            #"{"replace":{"method":"PUT","path":"/a","body":{"file":"c.json"}}}"#,
            notes: [#"3:1: approximated: placeholders in a file are not filled in"#]),
        one(
            "an account", "GET http://h/a\nAuthorization: Basic ann secret\n",
            #"{"list":{"path":"/a","auth":{"basic":{"user":"{{secret.user}}","password":"{{secret.password}}"}}}}"#,
            environment: #"{"baseURL":"http://h","secrets":{"user":{"env":"H_USER"},"password":{"env":"H_PASSWORD"}}}"#),
        one(
            "an encoded account", "GET http://h/a\nAuthorization: Digest ann {{password}}\n",
            #"{"list":{"path":"/a","auth":{"digest":{"user":"{{secret.user}}","password":"{{secret.password}}"}}}}"#,
            environment: #"{"baseURL":"http://h","secrets":{"password":{"env":"H_PASSWORD"},"user":{"env":"H_USER"}}}"#
        ),
        FormatCase(
            "one program with several actions",
            [
                (
                    "x/a.http",
                    "GET http://h/index.php?route=a\n###\nGET http://h/index.php?route=b\n###\nGET http://h/users.php\n###\nGET http://h/Gr%C3%B6%C3%9Fe\n"
                )
            ],
            [
                "env:development": #"{"baseURL":"http://h"}"#,
                "h":
                    #"{"endpoints":{"list-a":{"path":"/index.php","query":{"route":"a"}},"list-b":{"path":"/index.php","query":{"route":"b"}}}}"#,
                "users": #"{"endpoints":{"list":{"path":"/users.php"}}}"#,
                "grosse": #"{"endpoints":{"list":{"path":"/Gr%C3%B6%C3%9Fe"}}}"#,
            ]),
        one("a host", "GET /a\nHost: h\n", #"{"list":{"path":"/a"}}"#),
        one(
            "generated values",
            "GET http://h/a\nX: {{$guid}} {{$timestamp -1 d}} {{$processEnv HOME}} {{$dotenv KEY}} {{$datetime rfc1123}} {{$random.email}} {{$timestamp -1 y}} {{$datetime \"DD\"}} {{$randomInt 1 7}} {{$random.integer(5, 8)}} {{$random.hexadecimal(4)}} {{$datetime iso8601 2 w}}\n",
            #"{"list":{"path":"/a","params":{"random_email":{"type":"string"}},"headers":{"X":"{{$uuid}} {{$now | minus 1d | unix}} {{$env.HOME}} {{$env.KEY}} {{$now | date 'EEE, dd MMM yyyy HH:mm:ss \\'GMT\\''}} {{random_email}} {{$timestamp}} {{$isoTimestamp}} {{$random.int 1 6}} {{$random.int 5 7}} {{$random.hex 4}} {{$now | plus 14d | iso}}"}}}"#,
            notes: [
                #"2:1: approximated: a generated value becomes a param (random_email)"#,
                #"2:1: approximated: the arguments of a generated value are not converted ($timestamp)"#,
                #"2:1: approximated: the format of a date is not converted ($datetime)"#,
                #"1:1: remark: a request sends the value of an environment variable (HOME)"#,
                #"1:1: remark: a request sends the value of an environment variable (KEY)"#,
            ]),
        one(
            "the least number", "GET http://h/a\nX: {{$timestamp -9223372036854775808 d}}\n",
            #"{"list":{"path":"/a","headers":{"X":"{{$timestamp}}"}}}"#,
            notes: [#"2:1: approximated: the arguments of a generated value are not converted ($timestamp)"#]),
        one(
            "a prompt", "# @prompt who Who it is\nGET http://h/a?x={{who}}\n",
            #"{"list":{"path":"/a","params":{"who":{"type":"string","description":"Who it is"}},"query":{"x":"{{who}}"}}}"#
        ),
        one(
            "two timeouts", "# @timeout 5\n# @connection-timeout 2\nGET http://h/a\n",
            #"{"list":{"path":"/a","timeout":{"total":"5s","connect":"2s"}}}"#),
        one(
            "GraphQL", "POST http://h/a\nX-REQUEST-TYPE: GraphQL\n\nquery { a }\n\n{\"b\": 1}\n",
            #"{"create":{"method":"POST","path":"/a","body":{"graphql":{"query":"query { a }","variables":{"b":1}}}}}"#),
        one(
            "a script that is understood",
            """
            GET http://h/a

            > {%
                client.test("ok", function() {
                    client.assert(response.status === 200, "no");
                    client.assert(response.body.items.length > 0);
                    client.assert(response.headers.valueOf("X-A") === "b");
                });
                client.global.set("id", response.body.items[0].id);
            %}
            """,
            #"{"list":{"path":"/a","capture":{"id":{"json":"$.items[0].id"}},"expect":{"status":200,"headers":{"X-A":"b"},"json":{"$.items":{"length":{">":0}}}}}}"#
        ),
        one(
            "a script that isn't understood as a whole",
            """
            GET http://h/a

            > {%
                client.test("ok", function() {
                    client.assert(response.status === 200, "no");
                    if (x) { client.log("y"); }
                });
                client.global.set("id", response.body.id);
            %}
            """, #"{"list":{"path":"/a"}}"#, notes: [#"3:5: lost: a script is not converted (ok)"#]),
        one(
            "other lines", "run x.http\n# @custom\n< {% request.x %}\nGET http://h/a\nno header\n\n> x.js\n>> y.json\n",
            #"{"list":{"path":"/a"}}"#,
            notes: [
                #"1:1: lost: an unknown line is not converted"#,
                #"2:1: lost: a comment with a setting is not converted (@custom)"#,
                #"3:5: lost: a script is not converted"#, #"5:1: lost: a line is not a header"#,
                #"7:1: lost: a script is not converted"#,
            ]),
        one(
            "protocols", "WEBSOCKET ws://h/x\n###\nGET http://h/a\n###\nGRPC h/x\n", #"{"list":{"path":"/a"}}"#,
            notes: [
                #"1:1: lost: requests of this protocol are not converted (WEBSOCKET)"#,
                #"5:1: lost: requests of this protocol are not converted (GRPC)"#,
            ]),
        one(
            "parts",
            """
            PUT http://h/a
            Content-Type: multipart/form-data; boundary=B

            --B
            Content-Disposition: form-data; name="t"

            x
            y
            --B
            Content-Disposition: form-data; name="f"; filename="z.png"
            Content-Type: image/png

            < ./a.png
            --B--
            """,
            #"{"replace":{"method":"PUT","path":"/a","body":{"multipart":{"t":{"text":"x\ny"},"f":{"file":"a.png","filename":"z.png","contentType":"image/png"}}}}}"#
        ),
    ]

    @Test("Requests become endpoints", arguments: cases)
    func requests(_ example: FormatCase) throws { try example.check(HTTPFileImport.self) }

    @Test("Variables, references and environments become captures, needs and environments")
    func environments() throws {
        try FormatCase(
            "a folder",
            [
                (
                    "x/all.http",
                    """
                    @region = eu
                    @token = {{login.response.body.$.token}}
                    ### Log in
                    # @name login
                    POST {{host}}/api/login

                    ### All orders
                    GET {{host}}/api/orders?region={{region}}
                    Authorization: Bearer {{token}}
                    X-Page: {{login.response.headers.X-Page}}
                    """
                ),
                ("x/other.http", "@region = us\n### One\nGET {{host}}/api/orders/{{id}}?region={{region}}\n"),
                (
                    "x/http-client.env.json",
                    #"{"$shared": {"v": 1}, "dev": {"host": "http://dev"}, "prod": {"host": "http://prod", "a": []}}"#
                ),
                ("x/http-client.private.env.json", #"{"dev": {"pass": "word"}}"#),
            ],
            [
                "env:dev":
                    #"{"baseURL":"http://dev/api","variables":{"v":1},"secrets":{"pass":{"env":"DEV_PASS"}}}"#,
                "env:prod":
                    #"{"baseURL":"http://prod/api","variables":{"v":1},"secrets":{"pass":{"env":"DEV_PROD_PASS"}}}"#,
                "login":
                    #"{"endpoints":{"login":{"description":"Log in","method":"POST","path":"login","capture":{"token":{"json":"$.token","secret":true},"X-Page":{"header":"X-Page"}}}}}"#,
                "orders":
                    #"{"endpoints":{"all":{"path":"orders","params":{"region":{"type":"string","default":"eu"}},"query":{"region":"{{region}}"},"headers":{"X-Page":"{{login.X-Page}}"},"auth":{"bearer":"{{login.token}}"},"needs":{"login":"login.login"}},"one":{"path":"orders/{{id}}","params":{"region":{"type":"string","default":"us"},"id":{"type":"string"}},"query":{"region":"{{region}}"}}}}"#,
            ], notes: [#"1:91: lost: a variable that is an object or a list is not converted (a)"#]
        ).check(HTTPFileImport.self)
    }
}
