import Importing
import ReqcliText
import Testing

/// Tokens and passwords in each place of Hurl, .http and .bru files.
@Suite("Secrets in text formats")
struct TextFormatSecretTests {
    /// A token of a known kind for each place, which no name betrays.
    static func token(_ number: Int) -> String {
        "ghp_" + String(repeating: "\(number % 10)aB", count: 11) + "xyz" + String(100 + number)
    }

    static let planted: [(format: any ImportFormat.Type, files: [(String, String)])] = [
        (
            HurlImport.self,
            [
                (
                    "a.hurl",
                    """
                    # T
                    POST http://h/T/a?q=T
                    X-A: T
                    Authorization: Bearer secret-value-1
                    Cookie: a=secret-value-2
                    [Query]
                    b: T
                    api_key: secret-value-3
                    [Cookies]
                    c: secret-value-4
                    [Options]
                    variable: v=T
                    variable: T=1
                    user: ann:secret-value-5
                    proxy: http://T@x
                    header: X-B: T
                    { "a": "T", "password": "secret-value-6", "b": {{v}} }
                    HTTP 200
                    X-C: T
                    [Captures]
                    d: jsonpath "$.T"
                    e: regex "T"
                    [Asserts]
                    header "X" == "T"
                    body contains "T"
                    jsonpath "$.a" == "T"
                    jsonpath "$.T" matches /T/
                    xpath "T" == "T"
                    cookie "T" == "T"
                    [T]
                    x: T
                    """
                ), ("b.hurl", "PUT http://ann:secret-value-7@h/b\n[Form]\na: T\ntoken: secret-value-8\n"),
                ("c.hurl", "PUT http://h/c\n[BasicAuth]\nann: secret-value-9\n[Multipart]\na: T\nb: file,T;T\n"),
                ("d.hurl", "PUT http://h/d\n```\nT\n```\nHTTP 200\n`T`\n"),
                ("staging.env", "a=T\nkey=T\nmy_password=secret-value-10\n"), ("secrets.env", "x=secret-value-11\n"),
            ]
        ),
        (
            HTTPFileImport.self,
            [
                (
                    "a.http",
                    """
                    @v = T
                    @apiKey = secret-value-1
                    ### T
                    # T
                    # @prompt x T
                    # @custom T
                    POST http://h/T?q=T&api_key=secret-value-2
                    X-A: T
                    Authorization: Basic ann secret-value-3
                    T

                    {"a": "T", "password": "secret-value-4", "v": "{{v}}{{apiKey}}"}

                    > {% client.test("T", function() { client.assert(response.body.a === "T"); }); %}
                    ###
                    PUT http://h/b

                    T
                    > {% client.test("T", function() { if (T) {} }); %}
                    ### c
                    PUT http://h/c
                    Content-Type: multipart/form-data; boundary=B

                    --B
                    Content-Disposition: form-data; name="a"; filename="T"
                    Content-Type: T

                    T
                    --B--
                    ### d
                    GRAPHQL http://h/d

                    query { a(b: "T") }

                    {"c": "T"}
                    """
                ), ("http-client.env.json", #"{"dev": {"a": "T", "token": "secret-value-5", "l": ["T"]}}"#),
                ("http-client.private.env.json", #"{"dev": {"b": "secret-value-6"}, "prod": {"c": "secret-value-7"}}"#),
            ]
        ),
        (
            BrunoImport.self,
            [
                (
                    "c/collection.bru",
                    "headers {\n  X-A: T\n}\nauth {\n  mode: basic\n}\nauth:basic {\n  username: ann\n  password: secret-value-1\n}\nvars:pre-request {\n  t: T\n}\n"
                ),
                ("c/environments/dev.bru", "vars {\n  a: T\n  password: secret-value-2\n}\nvars:secret [\n  b\n]\n"),
                (
                    "c/a.bru",
                    """
                    meta {
                      name: T
                    }
                    post {
                      url: http://h/T?q=T
                      body: json
                      auth: inherit
                    }
                    params:query {
                      q: T
                      ~r: T
                    }
                    headers {
                      X-B: T
                      ~X-C: T
                      Cookie: secret-value-3
                    }
                    body:json {
                      {"a": "T", "secret": "secret-value-4"}
                    }
                    body:text {
                      T
                    }
                    vars:pre-request {
                      x: T
                    }
                    vars:post-response {
                      y: res.body.T
                      z: T + 1
                    }
                    assert {
                      res.body.a: eq T
                      T: eq T
                    }
                    tests {
                      test("T", function() { expect(res.body.a).to.equal("T"); });
                      test("T", function() { if (T) {} });
                    }
                    script:pre-request {
                      T
                    }
                    docs {
                      T
                    }
                    """
                ),
                (
                    "c/b.bru",
                    "meta {\n  name: b\n}\nget {\n  url: http://h/b\n  auth: apikey\n}\nauth:apikey {\n  key: X-K\n  value: secret-value-5\n}\n"
                ),
                (
                    "c/d.bru",
                    "meta {\n  name: d\n}\nget {\n  url: http://h/d\n  auth: oauth2\n}\nauth:oauth2 {\n  client_secret: secret-value-6\n}\n"
                ),
            ]
        ),
    ]

    @Test("No secret of any place is written or shown", arguments: 0..<3)
    func secrets(_ index: Int) throws {
        let (format, texts) = Self.planted[index]
        var count = 0
        let files = texts.map { name, text in
            // Each T alone is a place.
            let words = text.split(separator: "T", omittingEmptySubsequences: false).map(String.init)
            var filled = words[0]
            for (previous, word) in zip(words, words.dropFirst()) {
                let isPlace = !(previous.last?.isLetter ?? false) && !(word.first?.isLetter ?? false)
                filled += (isPlace ? Self.token(count) : "T") + word
                if isPlace { count += 1 }
            }
            return SourceFile(name: name, text: filled, isSecret: true)
        }
        #expect(count > 20)
        let everything = try ImportedSource(format, files).everything
        #expect(!everything.contains("secret-value"), "\(everything)")
        for line in everything.split(separator: "\n") {
            #expect((0..<count).allSatisfy { !line.lowercased().contains(Self.token($0).lowercased()) }, "\(line)")
        }
    }
}
