import Foundation
import ReqcliAssembly
import ReqcliRedaction
import ReqcliText
import RequestBuilding
import TestSupport
import Testing

/// `auth.hmac` and `auth.aws`, from the file to the signed request.
@Suite struct SignatureTests {
    private func signed(_ scenario: Scenario, at time: Double = 1_767_225_600) throws -> SignedRequest {
        let assembled = try scenario.assembled()
        return try #require(try assembled.signed(assembled.request, at: time))
    }

    private static func hmac(_ members: String, rest: String = "") -> Scenario {
        var scenario = Scenario(
            #"{"auth": {"hmac": {\#(members)}}\#(rest.isEmpty ? "" : ", \(rest)")}"#,
            environment: #"{"baseURL": "http://h:81", "secrets": {"k": {"env": "K"}}, "variables": {"v": "value"}}"#)
        scenario.stub = { $0.stub(variables: ["K": "signing key"]) }
        return scenario
    }

    /// Key, message and codes of RFC 4231.
    static let vectors = [
        (
            "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
            "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"
        ),
        (
            "4a656665", "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
        ),
        (
            String(repeating: "aa", count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
            "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598"
        ),
    ]

    @Test("The codes of RFC 4231", arguments: vectors)
    func rfc4231(_ key: String, _ text: String, _ sha256: String, _ sha512: String) throws {
        for (algorithm, code) in [("sha256", sha256), ("sha512", sha512)] {
            let scenario = Self.hmac(
                #""algorithm": "\#(algorithm)", "key": "\#(key)", "keyEncoding": "hex", "sign": "\#(text)", "headers": {"S": "{{$signature}}"}"#
            )
            #expect(try signed(scenario).request.headers["S"] == code)
        }
    }

    @Test("All parts of the request can be signed")
    func words() throws {
        let scenario = Self.hmac(
            #"""
            "key": "{{secret.k}}", "sign": "{{$method}}|{{$host}}|{{$path}}|{{$query}}|{{$query.sorted}}|{{$target}}|{{$header.x-a}}|{{$header.T}}|{{$body | sha256 | hex | slice 0 4}}|{{$now | iso}}|{{v}}|{{$header.No | default '-'}}",
            "headers": {"S": "{{$signature}}", "T": "{{$now | unix}}"}
            """#,
            rest:
                #""method": "POST", "path": "/p q", "query": "b=2&a=1&a=0", "headers": {"X-A": ["1", "2"]}, "body": {"text": "x"}"#
        )
        let text = String(decoding: try signed(scenario).text, as: UTF8.self)
        #expect(
            text
                == "POST|h:81|/p%20q|b=2&a=1&a=0|a=0&a=1&b=2|/p%20q?b=2&a=1&a=0|1, 2|1767225600|2d71|2026-01-01T00:00:00Z|value|-"
        )
    }

    @Test("A scheme with the time in the same header, and one with the signature in the query")
    func schemes() throws {
        let webhook = Self.hmac(
            #""key": "whsec", "sign": "{{$now | unix}}.{{$body}}", "headers": {"Stripe-Signature": "t={{$now | unix}},v1={{$signature}}"}"#,
            rest: #""method": "POST", "body": {"json": {"id": 1}}"#)
        #expect(
            try signed(webhook).request.headers["Stripe-Signature"]
                == "t=1767225600,v1=9fa2b64bb152dd7a36a743a831dd07fe7a477227cce8abe0378983dfccbd4c0e")
        let exchange = Self.hmac(
            #""key": "c2VjcmV0", "keyEncoding": "base64", "encoding": "base64", "sign": "{{$query}}", "query": {"timestamp": "{{$now | unixMillis}}", "signature": "{{$signature}}"}"#,
            rest: #""query": {"symbol": "A B"}"#)
        let request = try signed(exchange)
        #expect(String(decoding: request.text, as: UTF8.self) == "symbol=A%20B&timestamp=1767225600000")
        let signature = try #require(request.secrets.first?.value)
        #expect(
            request.request.url.absoluteString
                == "http://h:81?symbol=A%20B&timestamp=1767225600000&signature=\(PercentEncoding.queryComponent(signature))"
        )
    }

    @Test("A body that isn't text is signed byte for byte")
    func binary() throws {
        let scenario = Self.hmac(
            #""algorithm": "sha1", "key": "k", "sign": "a{{$body}}b{{$body | hex}}", "headers": {"S": "{{$signature}}"}"#,
            rest: #""method": "POST", "body": {"base64": "/wD+"}"#)
        #expect(try signed(scenario).text == [0x61, 0xFF, 0, 0xFE, 0x62] + Array("ff00fe".utf8))
    }

    @Test("A mistake that only the request shows is told with its place, and without a value")
    func problems() throws {
        let key = Self.hmac(
            #""key": ⟦"{{secret.k}}"⟧, "keyEncoding": "hex", "sign": "a", "headers": {"S": "{{$signature}}"}"#)
        let failure = try key.failure()
        #expect(failure.definitions.map(\.message) == ["the key of \"hmac\" is not hex"])
        #expect(failure.places == key.marks)
        let header = Self.hmac(#""key": "k", "sign": "a{{$header.No}}", "headers": {"S": "{{$signature}}"}"#)
        #expect {
            try signed(header)
        } throws: {
            ($0 as? Failure)?.diagnostics.first?.hint == "the request has no such header"
        }
        let unknown = Self.hmac(#""key": "k", "sign": "{{nothing}}", "headers": {"S": "{{$signature}}"}"#)
        #expect(try unknown.failure().definitions.count == 1)
    }

    @Test("The signature is a secret of the request, and explain shows what is signed")
    func masked() throws {
        var scenario = Self.hmac(
            #""key": "{{secret.k}}", "sign": "{{secret.k}}\n{{$method}}", "headers": {"S": "v1={{$signature}}"}"#)
        scenario.stub = { world in
            world.stub(variables: ["K": "signing key"])
            world.placeholderTime = 5
        }
        let assembled = try scenario.assembled()
        let explained = Explanation(assembled)
        #expect(explained.rows.first { $0.part == "signature" }?.standing.map(\.value) == ["<secret.k>\nGET"])
        let signature = try #require(try assembled.signed(assembled.request, at: 5)).request.headers["S"] ?? ""
        #expect(assembled.redactor.redact(signature) == "v1=<signature>")
    }

    @Test(
        "What a function makes from the signature, or from a part with a secret that comes later, is a secret",
        arguments: [
            (#"{{$signature | upper}}"#, "secret"), (#"{{$body | hex}}"#, "secret"),
            (#"{{$target | base64}}"#, "secret"),
            (#"{{$method | lower}}"#, "shown"), (#"{{$signature | slice 0 8}}"#, "secret"),
        ])
    func derived(text: String, expected: String) throws {
        var scenario = Scenario(
            #"""
            {"method": "POST", "path": "/a", "query": {"pin": "{{secret.pin}}"}, "body": {"text": "pin={{secret.pin}}"},
             "auth": {"hmac": {"key": "{{secret.k}}", "sign": "{{$body}}", "headers": {"S": "{{$signature}}", "H": "\#(text)"}}}}
            """#,
            environment: #"{"baseURL": "http://h", "secrets": {"k": {"env": "K"}, "pin": {"env": "PIN"}}}"#)
        scenario.stub = { world in world.stub(variables: ["K": "signing key", "PIN": "49-27-11"]) }
        let assembled = try scenario.assembled()
        let value = try #require(try assembled.signed(assembled.request, at: 5)).request.headers["H"] ?? ""
        #expect(!value.isEmpty)
        #expect((assembled.redactor.redact(value) == value) == (expected == "shown"))
    }

    @Test("AWS takes its key from secrets, and no key is shown")
    func aws() throws {
        var scenario = Scenario(
            #"{"auth": {"aws": {"service": "s3", "region": "{{r}}", "accessKeyID": "AKID", "secretAccessKey": "{{secret.k}}", "sessionToken": "{{secret.t}}"}}}"#,
            environment:
                #"{"baseURL": "http://h", "secrets": {"k": {"env": "K"}, "t": {"env": "T"}}, "variables": {"r": "eu"}}"#
        )
        scenario.stub = { $0.stub(variables: ["K": "key of aws", "T": "token of aws"]) }
        let assembled = try scenario.assembled()
        let signed = try #require(try assembled.signed(assembled.request, at: 0))
        let authorization = try #require(signed.request.headers["Authorization"])
        #expect(
            assembled.redactor.redact(authorization)
                == "AWS4-HMAC-SHA256 Credential=AKID/19700101/eu/s3/aws4_request, SignedHeaders=accept;host;"
                + "x-amz-content-sha256;x-amz-date;x-amz-security-token, Signature=<signature>")
        #expect(signed.request.headers["X-Amz-Security-Token"] == "token of aws")
    }
}
