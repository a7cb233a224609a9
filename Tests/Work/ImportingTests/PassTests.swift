import Importing
import ReqcliText
import Testing

@Suite("The passes of an import")
struct PassTests {
    struct NameCase: CustomTestStringConvertible {
        let testDescription: String
        let requests: [(String, String, String?)]
        let ids: [String]

        init(_ description: String, _ requests: [(String, String, String?)], _ ids: [String]) {
            testDescription = description
            self.requests = requests
            self.ids = ids
        }
    }

    static let names = [
        NameCase(
            "the verb of the method, in the group of the first segment that says something",
            [
                ("GET", "http://h/v1/users", nil), ("POST", "http://h/v1/users", nil),
                ("GET", "http://h/v1/users/7", nil), ("PUT", "http://h/v1/users/7", nil),
                ("PATCH", "http://h/v1/users/7", nil), ("DELETE", "http://h/v1/users/7", nil),
            ],
            ["users.list", "users.create", "users.get", "users.replace", "users.update", "users.delete"]),
        NameCase(
            "segments behind the group's", [("GET", "http://h/users/7/orders", nil), ("GET", "http://h/users", nil)],
            ["users.list-orders", "users.list"]),
        NameCase(
            "a name without the words of its group",
            [("GET", "http://h/pets", "findPetsByStatus"), ("GET", "http://h/repos/a", "repos/list-for-org")],
            ["pets.find-by-status", "repos.list-for-org"]),
        NameCase(
            "names in other letters, without accents",
            [
                ("GET", "http://h/x/a", "Größe ändern"), ("GET", "http://h/x/b", "Получить список"),
                ("GET", "http://h/x/c", "Λίστα Œuvres"), ("GET", "http://h/x/d", "日本語"),
            ], ["a.grosse-andern", "b.poluchit-spisok", "c.lista-oeuvres", "d.list"]),
        NameCase(
            "names with capitals inside that are one word",
            [
                ("GET", "http://h/x/a", "Log in with GitHub OAuth2"), ("GET", "http://h/x/b", "GitHubToken"),
                ("GET", "http://h/x/c", "my iOS app"), ("GET", "http://h/x/d", "listIoTThings"),
            ], ["a.log-in-with-github-oauth2", "b.github-token", "c.my-ios-app", "d.list-iot-things"]),
        NameCase(
            "at most 60 characters, in whole words",
            [
                (
                    "GET", "http://h/x/a",
                    "A very long name of a request that somebody wrote as a whole sentence with words"
                )
            ],
            ["x.very-long-name-of-request-that-somebody-wrote-as-whole-with"]),
        NameCase(
            "names that clash take the full name, all of them",
            [("GET", "http://h/pets", "getPet"), ("GET", "http://h/pets/all", "get")],
            ["pets.get-pet", "pets.get"]),
        NameCase(
            "what still clashes is numbered by method and path, in any order",
            [("GET", "http://h/a", "same"), ("GET", "http://h/a", "same")], ["a.list", "a.list-2"]),
        NameCase("a name without a Latin letter is none", [("GET", "http://h/users", "用户")], ["users.list"]),
        NameCase(
            "a path without a word has the group of the host", [("GET", "https://api.shop.com/", nil)], ["shop.list"]),
        NameCase(
            "long names are cut between words", [("GET", "http://h/a", String(repeating: "word ", count: 30))],
            ["a.word-word-word-word-word-word-word-word-word-word-word-word"]),
    ]

    @Test("Requests get ids", arguments: names)
    func ids(_ example: NameCase) {
        let result = Passes.run(example.requests.map { Passes.request($0, $1, name: $2) })
        #expect(result.ids == example.ids)
        let reversed = Passes.run(example.requests.reversed().map { Passes.request($0, $1, name: $2) })
        #expect(Set(reversed.ids) == Set(example.ids))
    }

    @Test("The shared part of the URLs becomes the base of a new environment")
    func base() {
        let result = Passes.run([
            Passes.request("GET", "https://api.shop.com/v1/shop/users"),
            Passes.request("GET", "https://api.shop.com/v1/shop/orders/7"),
        ])
        #expect(
            result.text == [
                "env:development": #"{"baseURL":"https://api.shop.com/v1/shop"}"#,
                "users": #"{"endpoints":{"list":{"path":"users"}}}"#,
                "orders": #"{"endpoints":{"get":{"path":"orders/7"}}}"#,
            ])
    }

    @Test("An environment without a token never reads the token of another one")
    func ownSecrets() {
        var one = ImportedEnvironment(name: "one")
        one.secrets = [OrderedJSON.Member("token", "one-token-7Qx")]
        var two = ImportedEnvironment(name: "two")
        two.secrets = [OrderedJSON.Member("token", "two-token-8Qx")]
        var three = ImportedEnvironment(name: "three")
        three.variables = [OrderedJSON.Member("x", "1")]
        let result = Passes.run(
            [Passes.request("GET", "https://api.shop.com/a")], environments: [one, two, three], title: "Shop")
        func variable(_ name: String) -> String { result.text["env:\(name)"] ?? "" }
        #expect(variable("one").contains(#""env":"SHOP_TOKEN""#), "\(result.text)")
        #expect(variable("two").contains(#""env":"SHOP_TWO_TOKEN""#), "\(result.text)")
        #expect(variable("three").contains(#""env":"SHOP_THREE_TOKEN""#), "\(result.text)")
    }

    @Test(
        "A value that is one environment's secret gets a secret of its own where every environment sends it",
        arguments: ["two-token-8Qx", ""])
    func literalSecret(_ other: String) {
        let environments = [("one", "one-token-7Qx"), ("two", other)].map { name, value in
            var environment = ImportedEnvironment(name: name)
            if !value.isEmpty { environment.secrets = [OrderedJSON.Member("token", .string(value))] }
            return environment
        }
        var request = Passes.request("GET", "https://api.shop.com/a")
        request.auth = .bearer("one-token-7Qx")
        let result = Passes.run([request], environments: environments, title: "Shop")
        #expect(result.text["shop.a"]?.contains("{{secret.token}}") == false, "\(result.text)")
        #expect(!result.text.values.joined().contains("7Qx"), "\(result.text)")
    }

    @Test("A header is left out whose name would contain a secret")
    func secretNames() {
        var environment = ImportedEnvironment()
        environment.variables = ["token": "s3cretvalueA1", "sfx": "ghp_abcdefghijklmnop0123456789", "plain": "X-Plain"]
            .map {
                OrderedJSON.Member($0.key, .string($0.value))
            }
        var request = Passes.request("GET", "https://api.shop.com/a")
        request.headers = ["X-{{token}}", "{{sfx}}", "{{plain}}"].map { OrderedJSON.Member($0, "v") }
        let result = Passes.run([request], environments: [environment])
        #expect(result.text["a"]?.contains(#""headers":{"X-Plain":"v"}"#) == true, "\(result.text)")
        #expect(result.notes.count == 2)
    }

    @Test("Values of servers that double again and again are left alone")
    func growth() {
        var environment = ImportedEnvironment()
        environment.variables =
            [OrderedJSON.Member("host", "http://h.example/{{a1}}")]
            + (1..<40).map { OrderedJSON.Member("a\($0)", .string("/{{a\($0 + 1)}}{{a\($0 + 1)}}")) }
            + [OrderedJSON.Member("a40", "/x")]
        let result = Passes.run([Passes.request("GET", "{{host}}/users")], environments: [environment])
        #expect(result.ids == ["users.list"])
    }

    @Test("A slash behind the base stays", arguments: ["https://api.shop.com/v1/", "https://api.shop.com/api/"])
    func slash(url: String) {
        let path = url.dropFirst("https://api.shop.com".count)
        let alone = Passes.run([Passes.request("GET", url)])
        #expect(alone.text.values.contains { $0.contains(#""path":"\#(path)""#) }, "\(alone.text)")
        let both = Passes.run([Passes.request("GET", url), Passes.request("GET", url + "users")])
        #expect(both.text.values.contains { $0.contains(#""path":"\#(path)""#) }, "\(both.text)")
    }

    @Test("An environment with the same server stays, and one with another server sends no credentials to this one")
    func existingBase() {
        var target = ImportTarget()
        var existing = ExistingEnvironment()
        existing.baseURL = "https://api.shop.com/v1"
        existing.hasAuth = true
        existing.credentialHeaders = ["X-Api-Key"]
        target.existing = existing
        let same = Passes.run([Passes.request("GET", "https://api.shop.com/v1/users")], target: target)
        #expect(same.text == ["users": #"{"endpoints":{"list":{"path":"users"}}}"#])
        let other = Passes.run([Passes.request("GET", "https://other.com/users")], target: target)
        #expect(
            other.text == [
                "users":
                    #"{"defaults":{"baseURL":"https://other.com","auth":null,"headers":{"X-Api-Key":null}},"endpoints":{"list":{"path":"/users"}}}"#
            ])
    }

    @Test("What all endpoints of a group have moves to its defaults, and what all groups have to the environment")
    func defaults() {
        func request(_ url: String) -> ImportedRequest {
            var request = Passes.request("GET", url)
            request.headers = [OrderedJSON.Member("Accept", "text/plain"), OrderedJSON.Member("X-Path", .string(url))]
            request.expect = .object(["status": 200])
            return request
        }
        let one = ["http://h/a/7/x", "http://h/a/7/y"].map(request)
        #expect(
            Passes.run(one).text["a"]
                == #"{"defaults":{"headers":{"Accept":"text/plain"},"expect":{"status":200}},"endpoints":{"list-x":{"path":"/a/7/x","headers":{"X-Path":"http://h/a/7/x"}},"list-y":{"path":"/a/7/y","headers":{"X-Path":"http://h/a/7/y"}}}}"#
        )
        let two = Passes.run(one + ["http://h/b/7/x", "http://h/b/7/y"].map(request))
        #expect(two.text["env:development"] == #"{"baseURL":"http://h","headers":{"Accept":"text/plain"}}"#)
    }

    @Test("A value that one request captures is a need of those that use it")
    func chain() {
        var login = Passes.request("POST", "http://h/login")
        login.captures = [ImportedCapture("token", .json("$.token"))]
        var user = Passes.request("GET", "http://h/users/{{id}}")
        user.headers = [OrderedJSON.Member("X-Session", "{{token}}")]
        let result = Passes.run([login, user])
        #expect(
            result.text["users"]
                == #"{"endpoints":{"get":{"path":"/users/{{id}}","params":{"id":{"type":"string"}},"headers":{"X-Session":"{{login.token}}"},"needs":{"login":"login.create"}}}}"#
        )
    }
}
