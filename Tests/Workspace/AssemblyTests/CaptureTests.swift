import ReqcliAssembly
import ReqcliRedaction
import ReqcliText
import Testing

@Suite("Captures of other endpoints")
struct CaptureTests {
    private static let endpoint = #"""
        {"needs": {"login": "auth.login"}, "auth": {"bearer": "{{login.token}}"}, "body": {"json": {"id": "{{login.id}}"}}}
        """#

    @Test("What was captured is used with its type")
    func captured() throws {
        var scenario = Scenario(Self.endpoint)
        scenario.captures = ["login": ["token": "abc", "id": 42]]
        let wire = try scenario.wire()
        #expect(wire[header: "Authorization"] == "Bearer abc")
        #expect(wire.body == #"{"id":42}"#)
    }

    @Test("alias.capture=value stands in for sending the endpoint behind the alias, and beats what was captured")
    func given() throws {
        var scenario = Scenario(Self.endpoint, "login.token=xyz", "login.id=a b")
        scenario.captures = ["login": ["token": "abc"]]
        let wire = try scenario.wire()
        #expect(wire[header: "Authorization"] == "Bearer xyz")
        #expect(wire.body == #"{"id":"a b"}"#)
    }

    @Test("One can come from a file, without the line break at its end")
    func fromFile() throws {
        var scenario = Scenario(Self.endpoint, "login.token@=token.txt", "login.id=1")
        scenario.files["token.txt"] = "abc\n"
        #expect(try scenario.wire()[header: "Authorization"] == "Bearer abc")
    }

    @Test("Without it the request can't be made: the place, where it comes from, and what to do")
    func missing() throws {
        let endpoint = Self.endpoint.replacing("\"{{login.token}}", with: "\"⟦⟧{{login.token}}")
        let scenario = Scenario(endpoint, "login.id=1")
        let failure = try scenario.failure()
        #expect(failure.places == scenario.marks)
        #expect(
            failure.definitions.map(\.message) == ["\"{{login.token}}\" comes from auth.login, which has not been sent"]
        )
        #expect(failure.definitions.map(\.hint) == ["give it as login.token=…"])
    }

    @Test("One that is given is masked where the endpoint behind the alias says that it is secret, or can't be asked")
    func givenSecret() throws {
        for (capture, isMasked) in [(#""secret": true"#, true), (#""secret": false"#, false), (nil, true)] {
            var scenario = Scenario(Self.endpoint, "login.token=s3cr3t-token", "login.id=1")
            if let capture {
                scenario.files["endpoints/auth.json"] =
                    #"{"endpoints": {"login": {"capture": {"token": {"json": "$.token", \#(capture)}}}}}"#
            }
            let shown = try scenario.assembled().redactor.redact("Bearer s3cr3t-token")
            #expect(shown == (isMasked ? "Bearer <login.token>" : "Bearer s3cr3t-token"))
        }
    }

    @Test("A name that nothing uses is a typo")
    func unused() throws {
        let failure = try Scenario(Self.endpoint, "login.tokn=1", "login.token=1", "login.id=1").failure()
        #expect(failure.messages == [#"e does not use "login.tokn" (did you mean "login.token"?)"#])
        let other = try Scenario(Self.endpoint, "logn.token=1", "login.token=1", "login.id=1").failure()
        #expect(other.messages == [#"e has no param "logn.token" (did you mean "login.token"?)"#])
    }

    @Test("A capture that is secret is masked")
    func secret() throws {
        var scenario = Scenario(Self.endpoint)
        scenario.captures = ["login": ["token": "s3cr3t-token", "id": 1]]
        scenario.secretCaptures = ["login": ["token"]]
        let assembled = try scenario.assembled()
        #expect(assembled.secrets == [ResolvedSecret(name: "login.token", value: "s3cr3t-token", origin: .capture)])
        #expect(assembled.redactor.redact("Bearer s3cr3t-token") == "Bearer <login.token>")
    }
}
