import Foundation
import ReqcliAssembly
import ReqcliText
import RequestBuilding
import TestSupport
import Testing

@Suite("Auth")
struct AuthTests {
    private static let bearer = #""auth": {"bearer": "t"}"#
    private static let basic = #""auth": {"basic": {"user": "Aladdin", "password": "open sesame"}}"#
    private static let digest = #""auth": {"digest": {"user": "a:b", "password": "c d"}}"#
    private static let any = #""auth": {"any": {"user": "a:b", "password": "c d"}}"#
    private static let headerKey = #""auth": {"apiKey": {"header": "X-Key", "value": "k"}}"#
    private static let hmac =
        #""auth": {"hmac": {"key": "k", "sign": "a", "headers": {"X-Signature": "{{$signature}}"}}}"#
    private static let aws =
        #""auth": {"aws": {"service": "s3", "region": "r", "accessKeyID": "a", "secretAccessKey": "k"}}"#
    private static let jwt = #""auth": {"jwt": {"algorithm": "HS256", "key": "k"}}"#
    private static let oauth =
        #""auth": {"oauth2": {"flow": "clientCredentials", "issuer": "https://i", "clientID": "c", "clientSecret": "s"}}"#
    private static let queryKey = #""auth": {"apiKey": {"query": "key", "value": "k&v"}}"#

    struct Kind: Sendable, CustomTestStringConvertible {
        let member: String
        var headers: [String] = []
        var query = ""
        var account: Account?
        var answersBasic = false
        var isSigned = false
        var testDescription: String { member }
    }

    static let kinds = [
        Kind(member: bearer, headers: ["Authorization: Bearer t"]),
        Kind(member: basic, headers: ["Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="]),
        Kind(member: digest, account: Account(user: "a:b", password: "c d")),
        Kind(member: any, account: Account(user: "a:b", password: "c d"), answersBasic: true),
        Kind(member: headerKey, headers: ["X-Key: k"]),
        Kind(member: queryKey, query: "?key=k%26v"), Kind(member: hmac, isSigned: true),
        Kind(member: aws, isSigned: true), Kind(member: jwt, isSigned: true),
        Kind(member: oauth, headers: ["Authorization: Bearer access.token.5Xq1vZ"]),
        Kind(member: #""auth": null"#),
    ]

    private func check(_ assembled: AssembledRequest, _ kind: Kind, _ comment: Comment? = nil) {
        let wire = Wire(assembled)
        #expect(wire.headers == kind.headers, comment)
        #expect(wire.query == kind.query, comment)
        #expect(assembled.request.transfer.challengeAccount == kind.account, comment)
        #expect(assembled.request.transfer.answersBasic == kind.answersBasic, comment)
        #expect((assembled.request.signer != nil) == kind.isSigned, comment)
    }

    @Test("Each kind puts on the request what it is, and nothing else", arguments: kinds)
    func kind(_ kind: Kind) throws {
        check(try Scenario("{\(kind.member)}").assembled(), kind)
    }

    @Test("A later one replaces it, whatever the two are", arguments: kinds, kinds)
    func replaced(_ earlier: Kind, by later: Kind) throws {
        let environment = #"{"baseURL": "http://h", \#(earlier.member)}"#
        check(try Scenario("{\(later.member)}", environment: environment).assembled(), later, "by the endpoint")
        check(
            try Scenario("{}", environment: environment, defaults: "{\(later.member)}").assembled(), later,
            "by the group")
        check(
            try Scenario("{\(Self.headerKey)}", environment: environment, overlay: "{\(later.member)}").assembled(),
            later, "over another one")
    }

    struct Header: Sendable, CustomTestStringConvertible {
        let name: String
        let environment: String
        let endpoint: String
        let expected: [String]
        var testDescription: String { name }
    }

    @Test(
        "A header that is written out is its author's",
        arguments: [
            Header(
                name: "beside the auth it wins", environment: "",
                endpoint: #"\#(bearer), "headers": {"authorization": "own"}"#, expected: ["authorization: own"]),
            Header(
                name: "in a later layer it wins", environment: bearer,
                endpoint: #""headers": {"Authorization": "own"}"#,
                expected: ["Authorization: own"]),
            Header(
                name: "in an earlier layer it loses", environment: #""headers": {"Authorization": "own"}"#,
                endpoint: bearer,
                expected: ["Authorization: Bearer t"]),
            Header(
                name: "no auth leaves it", environment: #"\#(bearer), "headers": {"Authorization": "own"}"#,
                endpoint: #""auth": null"#, expected: ["Authorization: own"]),
            Header(
                name: "another auth leaves it", environment: #"\#(headerKey), "headers": {"X-Key": "own"}"#,
                endpoint: bearer,
                expected: ["X-Key: own", "Authorization: Bearer t"]),
            Header(
                name: "null removes what the auth has put there", environment: bearer,
                endpoint: #""headers": {"Authorization": null}"#, expected: []),
        ])
    func header(_ row: Header) throws {
        let members = [#""baseURL": "http://h""#, row.environment].filter { !$0.isEmpty }.joined(separator: ", ")
        let scenario = Scenario("{\(row.endpoint)}", environment: "{\(members)}")
        #expect(try scenario.wire().headers == row.expected)
    }

    @Test("A query item that is written out is its author's, too")
    func queryItem() throws {
        let environment = #"{"baseURL": "http://h", \#(Self.queryKey)}"#
        #expect(try Scenario(#"{"query": {"key": "own"}}"#, environment: environment).wire().query == "?key=own")
        #expect(try Scenario(#"{"query": {"key": null}}"#, environment: environment).wire().query == "")
    }

    @Test("A query as text keeps the item of auth, which follows it", arguments: ["", "&a=1"])
    func rawQuery(_ items: String) throws {
        let scenario = Scenario(
            #"{"query": "flag&x=%e9", "environments": {"env": {"query": {"a": "\#(items.isEmpty ? "" : "1")"}}}}"#
                .replacing(#"{"a": ""}"#, with: "{}"),
            environment: #"{"baseURL": "http://h", "query": {"old": "1"}, \#(Self.queryKey)}"#)
        #expect(try scenario.wire().query == "?flag&x=%e9&key=k%26v\(items)")
        let cleared = Scenario(
            #"{"query": null}"#, environment: #"{"baseURL": "http://h", "query": {"old": "1"}, \#(Self.queryKey)}"#)
        #expect(try cleared.wire().query == "?key=k%26v")
        let own = Scenario(
            #"{"query": "b", "auth": null}"#, environment: #"{"baseURL": "http://h", \#(Self.queryKey)}"#)
        #expect(try own.wire().query == "?b")
    }

    @Test("What a later auth replaces is never asked for")
    func notAsked() throws {
        let environment = #"""
            {"baseURL": "http://h", "auth": {"basic": {"user": "{{missing}}", "password": "{{secret.s}}"}},
             "secrets": {"s": {"command": ["must", "not", "run"]}}}
            """#
        for member in [
            Self.bearer, Self.digest, Self.queryKey, Self.hmac, Self.jwt, Self.oauth, #""auth": null"#,
            #""headers": {"Authorization": "x"}"#,
        ] {
            _ = try Scenario("{\(member)}", environment: environment).assembled()
        }
    }

    @Test("A request needs a token only if no other Authorization replaces the stand-in")
    func tokenClient() throws {
        let environment = #"{"baseURL": "http://h", \#(Self.oauth)}"#
        let client = try Scenario("{}", environment: environment).assembled().request.tokenClient
        #expect(client?.id == "c" && client?.authentication == .basic)
        for member in [Self.bearer, Self.hmac, #""auth": null"#, #""headers": {"Authorization": "x"}"#] {
            let request = try Scenario("{\(member)}", environment: environment).assembled().request
            #expect(request.tokenClient == nil, "\(member)")
        }
    }

    @Test("A URL from a placeholder is checked when the request is made")
    func unencryptedServer() throws {
        let member = Self.oauth.replacing(#""https://i""#, with: #"⟦⟧"{{u}}""#)
        let scenario = Scenario(
            "{\(member)}", environment: #"{"baseURL": "http://h", "variables": {"u": "http://i.example"}}"#)
        let failure = try scenario.failure()
        #expect(failure.places == scenario.marks)
        #expect(failure.definitions.map(\.message) == [#"the issuer "http://i.example" is not https"#])
    }

    @Test("A user with a colon can't be sent as basic, and that has a place")
    func colon() throws {
        let scenario = Scenario(#"{"auth": ⟦⟧{"basic": {"user": "a:b", "password": "p"}}}"#)
        let failure = try scenario.failure()
        #expect(failure.places == scenario.marks)
        #expect(failure.definitions.map(\.message) == ["a user name for Basic authorization can't contain \":\""])
    }

    struct Blank: Sendable, CustomTestStringConvertible {
        let name: String
        /// Members of the endpoint; each `⟦⟧` is a place of an error.
        let members: String
        var captured: OrderedJSON?
        let messages: [String]
        var hint = #"give it a value; to send no credentials, write "auth": null"#
        var testDescription: String { name }
    }

    @Test(
        "A blank value proves nothing, so that it is an error with its place",
        arguments: [
            Blank(
                name: "a token that is written", members: #""auth": {"bearer": ⟦⟧""}"#,
                messages: ["the bearer token is empty"]),
            Blank(
                name: "a token of whitespace", members: #""auth": {"bearer": ⟦⟧" \t"}"#,
                messages: ["the bearer token is only whitespace"]),
            Blank(
                name: "a captured token", members: #""auth": {"bearer": ⟦⟧"{{a.token}}"}"#, captured: "",
                messages: [#"the bearer token "{{a.token}}" is empty"#]),
            Blank(
                name: "a captured null", members: #""auth": {"bearer": ⟦⟧"{{a.token}}"}"#, captured: .null,
                messages: [#"the bearer token "{{a.token}}" is null"#]),
            Blank(
                name: "a token of several placeholders", members: #""auth": {"bearer": ⟦⟧"{{a.token}}{{p}}"}"#,
                captured: "\u{2003}", messages: [#"the bearer token "{{a.token}}{{p}}" is only whitespace"#]),
            Blank(
                name: "a param", members: #""auth": {"bearer": ⟦⟧"{{p}}"}"#,
                messages: [#"the bearer token "{{p}}" is empty"#]),
            Blank(
                name: "a variable", members: #""auth": {"bearer": ⟦⟧"{{blank}}"}"#,
                messages: [#"the bearer token "{{blank}}" is only whitespace"#]),
            Blank(
                name: "a password out of a placeholder",
                members: #""auth": {"basic": {"user": "u", "password": ⟦⟧"{{p}}"}}"#,
                messages: [#"the password "{{p}}" is empty"#]),
            Blank(
                name: "a user out of a placeholder",
                members: #""auth": {"basic": {"user": ⟦⟧"{{p}}", "password": "x"}}"#,
                messages: [#"the user "{{p}}" is empty"#]),
            Blank(
                name: "a key as the user", members: #""auth": {"basic": {"user": ⟦⟧"{{p}}", "password": ⟦⟧""}}"#,
                messages: [#"the user "{{p}}" is empty"#, "the password is empty"]),
            Blank(
                name: "user and password", members: #""auth": {"basic": {"user": ⟦⟧"", "password": ⟦⟧""}}"#,
                messages: ["the user is empty", "the password is empty"]),
            Blank(
                name: "a password of whitespace", members: #""auth": {"basic": {"user": "u", "password": ⟦⟧" "}}"#,
                messages: ["the password is only whitespace"]),
            Blank(
                name: "a password for digest", members: #""auth": {"digest": {"user": "u", "password": ⟦⟧"{{p}}"}}"#,
                messages: [#"the password "{{p}}" is empty"#]),
            Blank(
                name: "a key in a header", members: #""auth": {"apiKey": {"header": "K", "value": ⟦⟧"{{p}}"}}"#,
                messages: [#"the API key "{{p}}" is empty"#]),
            Blank(
                name: "a key in the query", members: #""auth": {"apiKey": {"query": "k", "value": ⟦⟧""}}"#,
                messages: ["the API key is empty"]),
            Blank(
                name: "a key that is the whole Authorization",
                members: #""auth": {"apiKey": {"header": "Authorization", "value": ⟦⟧"Token {{p}}"}}"#,
                messages: [#"header Authorization has no credentials: the value of "Token {{p}}" is blank"#],
                hint: "give it a value; to leave the header out, write null"),
            Blank(
                name: "a header that is written out", members: #""headers": {"authorization": ⟦⟧"Bearer {{p}}"}"#,
                messages: [#"header authorization has no credentials: the value of "Bearer {{p}}" is blank"#],
                hint: "give it a value; to leave the header out, write null"),
        ])
    func blank(_ row: Blank) throws {
        let rest =
            #""params": {"p": {"type": "string", "default": ""}}, "needs": {"a": "other"}, "query": {"p": "{{p}}"}"#
        var scenario = Scenario(
            "{\(row.members), \(rest)}",
            environment: #"{"baseURL": "http://h", "variables": {"blank": "  "}}"#)
        if let captured = row.captured { scenario.captures = ["a": ["token": captured]] }
        let failure = try scenario.failure()
        #expect(failure.places == scenario.marks)
        #expect(failure.definitions.map(\.message) == row.messages)
        #expect(failure.definitions.allSatisfy { $0.hint == row.hint })
    }

    @Test("An empty user or password that is written beside the other one is meant")
    func writtenEmpty() throws {
        for (user, password) in [("k", ""), ("", "k")] {
            let members = #""auth": {"basic": {"user": "\#(user)", "password": "\#(password)"}}"#
            let coded = Data("\(user):\(password)".utf8).base64EncodedString()
            #expect(try Scenario("{\(members)}").wire().headers == ["Authorization: Basic \(coded)"])
        }
        let own = #"{"headers": {"Authorization": "Bearer "}}"#
        #expect(try Scenario(own).wire().headers == ["Authorization: Bearer"])
    }

    @Test("Secrets of each kind are masked, also in base64 and percent-encoded")
    func masked() throws {
        let values = ["S": "pass wörd/1", "U": "someone"]
        let members = [
            #""auth": {"bearer": "{{secret.s}}"}"#,
            #""auth": {"basic": {"user": "{{secret.u}}", "password": "{{secret.s}}"}}"#,
            #""auth": {"digest": {"user": "{{secret.s}}", "password": "{{secret.s}}"}}"#,
            #""auth": {"apiKey": {"query": "k", "value": "{{secret.s}}"}}"#,
            #""auth": {"apiKey": {"header": "K", "value": "{{secret.s}}"}}"#,
            #""auth": {"hmac": {"key": "k", "sign": "{{secret.s}}", "headers": {"K": "{{$signature}}"}}}"#,
            #""auth": {"oauth2": {"flow": "clientCredentials", "issuer": "https://i", "clientID": "{{secret.s}}", "clientSecret": "{{secret.s}}"}}, "query": {"q": "{{secret.s}}"}"#,
        ]
        for member in members {
            var scenario = Scenario(
                "{\(member)}",
                environment: #"{"baseURL": "http://h", "secrets": {"s": {"env": "S"}, "u": {"env": "U"}}}"#)
            scenario.stub = { world in
                world.stub(variables: values)
                world.placeholderTime = 0
            }
            let assembled = try scenario.assembled()
            let explanation = Explanation(assembled)
            let shown = explanation.json.compact + explanation.url
            #expect(shown.contains("secret.s"), "\(shown)")
            for form in ["pass", "w%C3%B6rd", Data("someone:pass wörd/1".utf8).base64EncodedString()] {
                #expect(!shown.contains(form), "\(shown)")
            }
        }
    }
}
