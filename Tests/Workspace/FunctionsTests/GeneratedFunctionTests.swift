import ReqcliBasics
@_spi(Generated) import ReqcliFunctions
import ReqcliNetworking
@_spi(Generated) import RequestBuilding
import Testing

/// The functions that generated Swift calls.
@Suite struct GeneratedFunctionTests {
    private let values = RequestValues(
        of: RequestBuilder().seed("7").time(Date(timeIntervalSince1970: 86_400.5)))

    @Test("Functions get the values of the names in their order, the time and the seed")
    func computed() throws {
        #expect(try values.computed("name | upper | replace a b", ["ada", "A", "-"]) == "-D-")
        #expect(
            try values.computed("price | plus limit", [.number(text: "10.5"), .number(1)]) == .number(text: "11.5"))
        #expect(try values.computed("text | split ' '", ["a b"]) == ["a", "b"])
        #expect(try values.computed("$now | iso") == "1970-01-02T00:00:00Z")
        #expect(try values.computed("name | upper", [nil]) == nil)
        #expect(try values.computed("name | default 'none'", [nil]) == "none")
        #expect(try values.computed("$env.TEAM | default 'none'", [values.optional("$env.TEAM")]) == "none")
        let builder = RequestBuilder().awaitedValue("$env.TEAM", nil, of: "API.main")
        #expect(try RequestValues(of: builder).optional("$env.TEAM") == nil)
        let one = try values.computed("$random.hex 16", at: "a")
        #expect(try values.computed("$random.hex 16", at: "a") == one)
        #expect(try values.computed("$random.hex 16", at: "b") != one)
    }

    @Test("An error has the placeholder, and not the value")
    func refused() {
        #expect {
            try values.computed("text | fromBase64 | utf8", ["hidden!"])
        } throws: { error in
            "\(error)" == #""{{text | fromBase64 | utf8}}": fromBase64 takes base64; the text is none"#
        }
    }

    private func signed(
        _ sign: [SignedPiece], key: String = "Jefe", encoding: String = "utf8", body: RequestBody? = nil
    ) throws -> PreparedRequest {
        let signer = try values.hmac(
            "sha256", key: key, keyEncoding: encoding, encoding: "hex", sign: sign,
            headers: ["X-Time": [.placeholder("$now | unix")], "X-Mac": ["v1=", .placeholder("$signature")]])
        var request = PreparedRequest(url: try #require(URL(string: "http://h/a?b=1")), method: .post, body: body)
        request.signer = signer
        return try request.signed(at: Date(timeIntervalSince1970: 60))
    }

    @Test("An HMAC has the values of the request when it is signed, also a body that isn't text")
    func hmac() throws {
        let vector = "v1=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        #expect(try signed(["what do ya want ", .text("for nothing?")]).headers["X-Mac"] == vector)
        #expect(
            try signed(["what do ya want for nothing?"], key: "4a656665", encoding: "hex").headers["X-Mac"] == vector)
        let binary = Data([0x77, 0xFF])
        let parts = try signed(
            [.placeholder("$header.X-Time"), .placeholder("$target | replace old 'n'", ["b"]), .placeholder("$body")],
            body: .data(binary))
        let code = HashAlgorithm.sha256.code(of: Array("60/a?n=1".utf8) + binary, key: Array("Jefe".utf8))
        #expect(parts.headers["X-Mac"] == "v1=\(code.hex)" && parts.headers["X-Time"] == "60")
    }

    @Test("An HMAC without a key or a value is an error")
    func unsigned() {
        #expect(throws: (any Error).self) { try signed(["x"], key: "no hex", encoding: "hex") }
        #expect(throws: (any Error).self) { try signed([.placeholder("$header.Missing")]) }
        #expect(throws: (any Error).self) { try signed([.placeholder("$body")], body: .file(path: "/dev/null")) }
    }
}
