import Foundation
import Rendering
import ReqcliNetworking
import RequestBuilding
import Testing

/// The commands in which curl signs a request for AWS. All other commands have the signed headers.
@Suite struct CurlSignatureTests {
    private static let key = "wJalrXUtnFEMI/K7MD"
    private static let base = RequestBuilder().baseURL("https://h/a").method(.post).header("Accept", "*/*")

    private func command(
        _ builder: RequestBuilder = Self.base, _ source: RenderedSecret.Source = .environment("KEY"),
        token: RenderedSecret.Source? = nil, service: String = "execute-api", body: RequestBody? = nil,
        isRevealing: Bool = false,
        format: CurlFormat = CurlFormat(isOneLine: true)
    ) throws -> String {
        let signature = AWSSignature(
            service: service, region: "eu", accessKeyID: "AKID", secretAccessKey: Self.key,
            sessionToken: token.map { _ in "session/token" })
        let secrets =
            [RenderedSecret(name: "key", value: Self.key, source: source)]
            + [token.map { RenderedSecret(name: "token", value: "session/token", source: $0) }].compactMap(\.self)
        var request = try builder.signing(.aws(signature)).prepared(over: .plain)
        if let body { request.body = body }
        return format.render(
            RenderingInput(
                request: request, defaults: WireDefaults(userAgent: "a/1"), secrets: secrets,
                isRevealing: isRevealing)
        ).command
    }

    private static let signed = base.header("User-Agent", "a/1")

    @Test(
        "curl signs if the shell can read the whole account",
        arguments: [
            (.environment("KEY"), nil, true), (.file("/key"), nil, true), (.command(["pass", "key"]), nil, true),
            (.environment("KEY"), .environment("TOKEN"), true), (.unknown, nil, false),
            (.environment("KEY"), .unknown, false),
        ] as [(RenderedSecret.Source, RenderedSecret.Source?, Bool)])
    func account(_ key: RenderedSecret.Source, _ token: RenderedSecret.Source?, _ isSigned: Bool) throws {
        let command = try command(Self.signed, key, token: token)
        #expect(command.contains("--aws-sigv4") == isSigned, "\(command)")
        #expect(!command.contains(Self.key))
    }

    @Test("A command that shows secrets doesn't show the key")
    func revealing() throws {
        #expect(try command(Self.signed).contains("--aws-sigv4"))
        let revealed = try command(Self.signed, isRevealing: true)
        #expect(!revealed.contains("--aws-sigv4") && !revealed.contains(Self.key), "\(revealed)")
    }

    @Test(
        "curl signs no form, because curl may choose its boundary",
        arguments: [CurlFormat(), CurlFormat(shell: .powershell)])
    func forms(_ format: CurlFormat) throws {
        let form = MultipartBody(boundary: "B", parts: [.text("a", "1")])
        #expect(try command(Self.signed.textBody("a"), format: format).contains("--aws-sigv4"))
        #expect(
            !(try command(Self.signed.textBody("a"), body: .multipart(form), format: format)).contains("--aws-sigv4"))
        // A form without files is sent as bytes, with its boundary.
        #expect(try command(Self.signed.multipartBody(form), format: format).contains("--aws-sigv4"))
    }

    @Test("curl signs a body that the shell passes unchanged")
    func bodies() throws {
        #expect(try command(Self.signed.textBody("a\nb")).contains("--aws-sigv4"))
        let withKey = Self.signed.textBody("a\n\(Self.key)")
        #expect(try command(withKey).contains("--aws-sigv4"))
        #expect(
            !(try command(withKey, format: CurlFormat(shell: .powershell, isOneLine: true))).contains("--aws-sigv4"))
        // The hash of a masked body would be wrong.
        #expect(!(try command(withKey, service: "s3")).contains("--aws-sigv4"))
        #expect(try command(Self.signed.textBody("a"), service: "s3").contains("X-Amz-Content-Sha256: ca978112ca"))
    }

    @Test("curl signs an example with the headers that curl itself sends, and no exact command that removes headers")
    func examples() throws {
        #expect(!(try command(Self.base)).contains("--aws-sigv4"))
        #expect(try command(Self.base, format: CurlFormat(isOneLine: true, isExact: false)).contains("--aws-sigv4"))
    }
}
