import HostileServing
import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing

@testable import Exchange

@Suite(.timeLimit(.minutes(10))) struct DigestTests {
    private func challenge(_ text: String) throws -> DigestChallenge {
        try #require(DigestChallenge.best(in: [text]))
    }

    private func answer(
        _ text: String, method: String = "GET", target: String = "/x", body: [UInt8]? = [], count: Int = 1
    ) throws -> String? {
        DigestAnswer(
            challenge: try challenge(text), user: "user", password: "pass", method: method, target: target, body: body,
            clientNonce: "c", count: count
        ).headerValue
    }

    @Test(
        "the example of RFC 7616 §3.9.1 gives the printed credentials",
        arguments: [
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ])
    func example(algorithm: String, response: String) throws {
        let text = """
            Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=\(algorithm), \
            nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
            """
        let answer = DigestAnswer(
            challenge: try challenge(text), user: "Mufasa", password: "Circle of Life", method: "GET",
            target: "/dir/index.html", body: [], clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", count: 1)
        #expect(
            answer.headerValue == "Digest username=\"Mufasa\", realm=\"http-auth@example.org\", "
                + "nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", uri=\"/dir/index.html\", "
                + "response=\"\(response)\", algorithm=\(algorithm), qop=auth, nc=00000001, "
                + "cnonce=\"f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ\", "
                + "opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\"")
    }

    @Test("the strongest Digest challenge is chosen, and other schemes are ignored")
    func best() throws {
        let both = [
            "Basic realm=\"x\", Digest realm=\"a\", nonce=\"1\"", "Digest realm=\"b\", nonce=\"2\", algorithm=SHA-256",
        ]
        #expect(DigestChallenge.best(in: both)?.realm == "b")
        #expect(DigestChallenge.best(in: ["Basic realm=\"x\""]) == nil)
        #expect(DigestChallenge.best(in: ["Digest realm=\"x\", nonce=\"1\", algorithm=SHA-512-256"]) == nil)
        #expect(DigestChallenge.best(in: ["Digest realm=\"x\", nonce=\"1\", qop=\"later\""]) == nil)
        #expect(DigestChallenge.best(in: ["Digest nonce=\"1\"", "", "=", "Digest realm=\"unended"]) == nil)
    }

    // The expected values below were computed separately, from the formulas in §3.4.

    @Test(
        "auth-int hashes the body, and the nonce count is sent",
        arguments: [
            ("MD5", "f9d84a8c2f44d234a16d01334475c74a"),
            ("SHA-256", "46ef26da6e93485d2e8009c6a8688fc4ae67826a65797dea3f4250d76f4b5f6d"),
        ])
    func integrity(algorithm: String, response: String) throws {
        let text = "Digest realm=\"r\", nonce=\"n\", qop=auth-int, algorithm=\(algorithm)"
        let value = try answer(text, method: "POST", body: Array("body".utf8), count: 2)
        #expect(value?.contains("response=\"\(response)\"") == true)
        #expect(value?.contains("qop=auth-int, nc=00000002, cnonce=\"c\"") == true)
        // A body that is not in memory cannot be hashed.
        #expect(try answer(text, method: "POST", body: nil) == nil)
    }

    @Test(
        "the session algorithms include the nonces in the hash",
        arguments: [
            ("MD5-sess", "304612f869367789a9675b4ad8027a4e"),
            ("SHA-256-sess", "7787a0ec1567e7c943304187daa489947af514a8b2d7775a67842b987ce0c97b"),
        ])
    func session(algorithm: String, response: String) throws {
        let value = try answer("Digest realm=\"r\", nonce=\"n\", qop=auth, algorithm=\(algorithm)")
        #expect(value?.contains("response=\"\(response)\"") == true)
    }

    @Test("a challenge without qop gets credentials without qop")
    func legacy() throws {
        #expect(
            try answer("Digest realm=\"r\", nonce=\"n\"")
                == "Digest username=\"user\", realm=\"r\", nonce=\"n\", uri=\"/x\", "
                + "response=\"df8713a3f51dcd408ba931bb99b98758\"")
    }

    @Test("the user name is hashed if the server asks for that")
    func userHash() throws {
        let value = try answer("Digest realm=\"r\", nonce=\"n\", qop=auth, algorithm=SHA-256, userhash=true")
        #expect(
            value?.contains("username=\"0e49c755a82dfe790c7c12580cec636f4f675f6d3ba8a679ec43805441d786ba\"") == true)
        #expect(value?.hasSuffix("userhash=true") == true)
    }

    // MARK: - On the wire

    private func locked(_ challenge: String, accepts: @escaping @Sendable (String) -> Bool) throws -> HostileServer {
        try HostileServer { connection in
            while let request = connection.readRequest() {
                let isGood = request.values("Authorization").first.map(accepts) ?? false
                if isGood {
                    connection.respond(body: "open")
                } else {
                    connection.respond(401, ["WWW-Authenticate: \(challenge)"], body: "locked")
                }
            }
        }
    }

    @Test("after a challenge, the request is repeated and the next one sends credentials at once")
    func onTheWire() async throws {
        let server = try locked("Digest realm=\"r\", nonce=\"n\", qop=auth") { $0.contains("nonce=\"n\"") }
        let digest = DigestMiddleware(user: "user", password: "pass", origin: server.url(), makeNonce: { "c" })
        let transport = URLSessionTransport().with(digest)
        var request = PreparedRequest(url: server.url("/x?y=z"))
        request.method = .post
        request.body = .data(Data("body".utf8))
        for _ in 0..<2 {
            #expect(try await transport.send(request).body.data() == Data("open".utf8))
        }
        #expect(server.requests.map { $0.values("Authorization").count } == [0, 1, 1])
        #expect(server.requests.map(\.body) == Array(repeating: Data("body".utf8), count: 3))
        let answers = server.requests.compactMap { $0.values("Authorization").first }
        #expect(answers.first?.contains("uri=\"/x?y=z\"") == true)
        #expect(answers.map { $0.contains("nc=00000002") } == [false, true])
    }

    @Test("rejected credentials are not sent again")
    func wrong() async throws {
        let server = try locked("Digest realm=\"r\", nonce=\"n\", qop=auth") { _ in false }
        let digest = DigestMiddleware(user: "user", password: "wrong", origin: server.url())
        let response = try await URLSessionTransport().with(digest).send(PreparedRequest(url: server.url()))
        #expect(response.status == 401)
        #expect(server.requests.count == 2)
    }

    @Test("a challenge of another origin is not answered")
    func otherOrigin() async throws {
        let other = try locked("Digest realm=\"r\", nonce=\"n\", qop=auth") { _ in true }
        let server = try HostileServer { connection in
            while connection.readRequest() != nil {
                connection.respond(302, ["Location: \(other.url("/stolen").absoluteString)"])
            }
        }
        let digest = DigestMiddleware(user: "user", password: "pass", origin: server.url())
        let transport = URLSessionTransport().with(RedirectMiddleware(), digest)
        #expect(try await transport.send(PreparedRequest(url: server.url())).status == 401)
        #expect(other.requests.flatMap { $0.values("Authorization") } == [])
    }
}
