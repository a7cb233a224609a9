import Exchange
import HostileServing
import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .enabled(if: TLSFixture.isAvailable, "openssl is needed to make certificates"))
struct TLSTests {
    private static let fixture = Result { try TLSFixture() }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let certificate: TLSFixture.Certificate
        var server: [String] = []
        let problem: TransportError.TLSProblem
        let message: String
    }

    @Test(
        "each TLS problem has its own error",
        arguments: [
            Case(testDescription: "expired", certificate: .expired, problem: .expired, message: "has expired"),
            Case(
                testDescription: "wrong host", certificate: .wrongHost, problem: .wrongHost,
                message: "is for another name"),
            Case(
                testDescription: "self-signed", certificate: .selfSigned, problem: .selfSigned,
                message: "accept any certificate"),
            Case(
                testDescription: "old version", certificate: .good,
                server: ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], problem: .handshake, message: "can't agree on TLS"),
        ])
    func problems(_ example: Case) async throws {
        let fixture = try Self.fixture.get()
        let server = try TLSServer(fixture, example.certificate, options: example.server)
        let transport = SettledTransport(TransferSettings(tls: TLSSettings(authorities: fixture.authority)))
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(PreparedRequest(url: server.url))
        }
        #expect(error?.kind == .tls(example.problem), "\(error?.description ?? "")")
        let message = error?.description ?? ""
        #expect(message.contains(example.message) && message.contains("localhost:\(server.port)"), "\(message)")
        #expect(!message.contains("\n") && message.count < 300)
    }

    @Test("an untrusted authority is reported as the problem")
    func unknownAuthority() async throws {
        let server = try TLSServer(try Self.fixture.get(), .good)
        let error = await #expect(throws: TransportError.self) {
            try await URLSessionTransport().send(PreparedRequest(url: server.url))
        }
        #expect(error?.kind == .tls(.unknownAuthority), "\(error?.description ?? "")")
    }

    @Test("a certificate from a trusted authority is accepted")
    func trusted() async throws {
        let fixture = try Self.fixture.get()
        let server = try TLSServer(fixture, .good)
        let transport = SettledTransport(TransferSettings(tls: TLSSettings(authorities: fixture.authority)))
        let response = try await transport.send(PreparedRequest(url: server.url))
        #expect(response.status == 200)
        #expect(try await !response.body.data().isEmpty)
    }

    @Test("insecure accepts every certificate", arguments: [TLSFixture.Certificate.expired, .wrongHost, .selfSigned])
    func insecure(certificate: TLSFixture.Certificate) async throws {
        let server = try TLSServer(try Self.fixture.get(), certificate)
        let transport = SettledTransport(TransferSettings(tls: TLSSettings(isInsecure: true)))
        #expect(try await transport.send(PreparedRequest(url: server.url)).status == 200)
    }

    @Test("a connection made with insecure is not reused for a request without it")
    func insecureIsNotShared() async throws {
        let server = try TLSServer(try Self.fixture.get(), .selfSigned)
        let insecure = SettledTransport(TransferSettings(tls: TLSSettings(isInsecure: true)))
        _ = try await insecure.send(PreparedRequest(url: server.url)).body.data()
        await #expect(throws: TransportError.self) {
            try await URLSessionTransport().send(PreparedRequest(url: server.url))
        }
    }

    @Test("the minimum TLS version can be set")
    func minimumVersion() async throws {
        let fixture = try Self.fixture.get()
        let server = try TLSServer(fixture, .good, options: ["-tls1_2"])
        for (version, isAccepted) in [(TLSSettings.Version.tls12, true), (.tls13, false)] {
            let tls = TLSSettings(authorities: fixture.authority, minimumVersion: version)
            let transport = SettledTransport(TransferSettings(tls: tls))
            if isAccepted {
                #expect(try await transport.send(PreparedRequest(url: server.url)).status == 200)
            } else {
                let error = await #expect(throws: TransportError.self) {
                    try await transport.send(PreparedRequest(url: server.url))
                }
                #expect(error?.kind == .tls(.handshake))
            }
        }
    }

    @Test("the maximum TLS version can be set, also below the usual minimum")
    func maximumVersion() async throws {
        let fixture = try Self.fixture.get()
        let server = try TLSServer(fixture, .good, options: ["-tls1_3"])
        for (version, kind) in [
            (TLSSettings.Version.tls13, nil), (.tls12, .tls(.handshake)), (.tls11, .tls(.handshake)),
        ]
            as [(TLSSettings.Version, TransportError.Kind?)]
        {
            let tls = TLSSettings(authorities: fixture.authority, maximumVersion: version)
            let request = Task {
                try await SettledTransport(TransferSettings(tls: tls)).send(PreparedRequest(url: server.url))
            }
            switch await request.result {
            case .success(let response): #expect(kind == nil && response.status == 200)
            case .failure(let error): #expect((error as? TransportError)?.kind == kind)
            }
        }
    }

    @Test("a minimum above the maximum is refused before a connection is made")
    func crossedVersions() async {
        let tls = TLSSettings(minimumVersion: .tls13, maximumVersion: .tls12)
        let error = await #expect(throws: TransportError.self) {
            try await SettledTransport(TransferSettings(tls: tls)).send(
                PreparedRequest(url: try #require(URL(string: "https://127.0.0.1:1/"))))
        }
        #expect(error?.kind == .invalidRequest)
    }

    @Test("a client certificate is sent if the server asks for one")
    func clientCertificate() async throws {
        let fixture = try Self.fixture.get()
        let server = try TLSServer(
            fixture, .good, options: ["-Verify", "1", "-verify_return_error", "-CAfile", fixture.authority])
        var tls = TLSSettings(
            authorities: fixture.authority, certificate: fixture.certificate(.client), key: fixture.key(.client))
        let response = try await SettledTransport(TransferSettings(tls: tls))
            .send(PreparedRequest(url: server.url))
        #expect(response.status == 200)

        tls.certificate = nil
        tls.key = nil
        let without = SettledTransport(TransferSettings(tls: tls))
        await #expect(throws: TransportError.self) {
            _ = try await without.send(PreparedRequest(url: server.url)).body.data()
        }
    }

    @Test("certificate files that cannot be used are named in the error")
    func files() async throws {
        let fixture = try Self.fixture.get()
        let server = try TLSServer(fixture, .good)
        let cases: [(TLSSettings, TransportError.TLSProblem)] = [
            (TLSSettings(authorities: "/nowhere/ca.pem"), .authorities),
            (TLSSettings(authorities: fixture.authority, certificate: "/nowhere/c.pem"), .clientCertificate),
            (
                TLSSettings(
                    authorities: fixture.authority, certificate: fixture.certificate(.client), key: fixture.key(.good)),
                .clientCertificate
            ),
        ]
        for (tls, problem) in cases {
            let transport = SettledTransport(TransferSettings(tls: tls))
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(PreparedRequest(url: server.url))
            }
            #expect(error?.kind == .tls(problem), "\(error?.description ?? "")")
        }
    }

    @Test("TLS to a port that speaks plain HTTP is an error")
    func mixedUp() async throws {
        let plain = try HostileServer { connection in while connection.readRequest() != nil { connection.respond() } }
        defer { plain.stop() }
        let url = try #require(URL(string: "https://127.0.0.1:\(plain.port)/"))
        let transport = SettledTransport(TransferSettings(timeouts: Timeouts(total: .seconds(2))))
        let error = await #expect(throws: TransportError.self) { try await transport.send(PreparedRequest(url: url)) }
        #expect(error != nil)
    }
}
