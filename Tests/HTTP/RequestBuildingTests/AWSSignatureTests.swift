import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing

/// The signatures of AWS's own examples and of botocore's signer, for one key and one time.
@Suite struct AWSSignatureTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        let signature: String
        var method = HTTPMethod.get
        var target = "/"
        var headers: [(String, String)] = []
        var body: String?
        var service = "service"
        var token: String?
        var place = AWSSignature.Place.header
        var signsPayload = true
        var testDescription: String { name }
    }

    static let vectors = [
        Vector(
            name: "get-vanilla", signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        Vector(
            name: "post-vanilla", signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
            method: .post),
        Vector(
            name: "a path that is encoded twice, without dot segments",
            signature: "c35fbcf689f7dc67c38a4d097ff567c55ec335cacbb230f2dc71acc873903d5f",
            target: "/a%20b/./c/../d//e/"),
        Vector(
            name: "a query that isn't sorted",
            signature: "c806b0e3014adb4914d35777e5d3b531e70ebdbf8c7e0fb6868fc14429c76d02",
            target: "/?flag&b=x/y&a=1&a=0"),
        Vector(
            name: "a repeated header with spaces",
            signature: "40056f97b53329b80088b88abeca9b4835d1bb01349c79d232371e17845f7ffb",
            headers: [("My-Header1", "a   b"), ("my-header1", "c"), ("User-Agent", "x")]),
        Vector(
            name: "S3 with a session token",
            signature: "91f08f324e0e7e2c4a507c60a2d69f75d26196189e7cf1058487fb7765bf13b0", method: .put,
            target: "/a%20b/../c//d", body: "text", service: "s3", token: "tok"),
        Vector(
            name: "a body that isn't signed",
            signature: "05e1b307416f2cbcf15dd86269efd55537182ee4416101af58762e96bba470bb", method: .post, body: "text",
            signsPayload: false),
        Vector(
            name: "in the query", signature: "ff4f668def1029a233d80421e3457840cfcd816fcbefa7af042f2ca8f117547c",
            place: .query(expires: .seconds(60))),
        Vector(
            name: "S3 in the query", signature: "34c96f21ada99b2aa3c013facff4754f5007f4f0096f2d635ebde21fe116db81",
            service: "s3", place: .query(expires: .seconds(60))),
    ]

    @Test("Each request has the signature that AWS makes", arguments: vectors)
    func signature(_ vector: Vector) throws {
        let url = try #require(URL(string: "http://example.amazonaws.com" + vector.target))
        var request = PreparedRequest(
            url: url, method: vector.method, body: vector.body.map { .data(Data($0.utf8)) })
        for (name, value) in vector.headers { request.headers.append(name, value) }
        let signed = try signed(request, vector)
        #expect(signed.secrets.map(\.value) == [vector.signature], "\(String(decoding: signed.text, as: UTF8.self))")
        #expect(signed.request.signer == nil)
        let again = try self.signed(signed.request, vector)
        #expect(again.secrets.map(\.value) == [vector.signature], "signing a signed request replaces the signature")
        #expect(again.request.url == signed.request.url && again.request.headers == signed.request.headers)
        let carried = vector.place == .header ? signed.request.headers["Authorization"] : signed.request.url.query
        #expect(carried?.hasSuffix("Signature=\(vector.signature)") == true)
        #expect(!signed.request.maskedURL.contains(vector.signature))
    }

    private func signed(_ request: PreparedRequest, _ vector: Vector) throws -> SignedRequest {
        let signer = RequestSigner.aws(
            AWSSignature(
                service: vector.service, region: "us-east-1", accessKeyID: "AKIDEXAMPLE",
                secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", sessionToken: vector.token,
                place: vector.place, signsPayload: vector.signsPayload))
        return try signer.signed(request, at: 1_440_938_160)
    }

    @Test("A file is hashed before it is sent, and one that can't be read twice isn't signed")
    func file() throws {
        let folder = try TemporaryFolder()
        let bytes = [UInt8]((0..<200_001).map { UInt8(truncatingIfNeeded: $0 * 7) })
        let path = folder.path("body")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let url = try #require(URL(string: "http://h/"))
        let vector = Vector(name: "", signature: "", method: .put)
        let fromFile = try signed(PreparedRequest(url: url, method: .put, body: .file(path: path)), vector)
        let inMemory = try signed(PreparedRequest(url: url, method: .put, body: .data(Data(bytes))), vector)
        #expect(fromFile.secrets.map(\.value) == inMemory.secrets.map(\.value))
        #expect(throws: RequestBuildingError.self) {
            try signed(PreparedRequest(url: url, method: .put, body: .file(path: "/dev/null")), vector)
        }
    }

    @Test("An empty value is refused and named", arguments: ["", " "])
    func blank(_ value: String) throws {
        let url = try #require(URL(string: "http://h/"))
        let signer = RequestSigner.aws(
            AWSSignature(service: "s3", region: "r", accessKeyID: "id", secretAccessKey: value))
        #expect {
            try signer.signed(PreparedRequest(url: url, method: .get), at: 0)
        } throws: { "\($0)".contains(#"empty "secretAccessKey""#) }
    }

    @Test("A builder can remove the signature of an earlier operator")
    func removed() throws {
        let base = RequestBuilder(path: "x").signing(RequestSigner { request, _ in request })
        let url = try #require(URL(string: "http://h/"))
        #expect(try base.prepared(baseURL: url).signer != nil)
        #expect(try base.removingSigning().prepared(baseURL: url).signer == nil)
    }
}
