import ReqcliNetworking
import RequestBuilding
import Testing

/// Vectors of AWS's suite for Signature Version 4, as aws-c-auth has them (`tests/aws-signing-test-suite/v4`).
///
/// The suite encodes a path once, normalized or not. Services other than S3 encode it twice, so the path's rules are set here. In the
/// query, the suite signs all headers. A header on several lines, which HTTP no longer has, is signed as several headers.
@Suite struct AWSVectorTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        let header: String
        let query: String
        var method = HTTPMethod.get
        var target = "/"
        var headers: [(String, String)] = []
        var body: String?
        var token: String?
        var normalizes: Bool { !name.hasSuffix("-unnormalized") }
        var testDescription: String { name }

        init(
            _ name: String, _ method: HTTPMethod = .get, _ target: String = "/", headers: [(String, String)] = [],
            body: String? = nil, token: String? = nil, header: String, query: String
        ) {
            (self.name, self.method, self.target, self.headers) = (name, method, target, headers)
            (self.body, self.token, self.header, self.query) = (body, token, header, query)
        }
    }

    private static let vanilla = "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
    private static let vanillaQuery = "e93c787ed7f371d5c6b165c1b38ede9550f4dce4144713e844b25b7192d3865d"
    private static let vanillaPost = "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"
    private static let vanillaPostQuery = "2ce6e6d2e0cf2f9d1b55fafec88cd20574c31dc2e7631979f71ba2310083e95b"
    private static let unreserved = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    private static let token =
        "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA=="
    private static func form(_ type: String) -> [(String, String)] {
        [
            ("Content-Type", type), ("Content-Length", "13"),
            ("X-Amz-Content-Sha256", "9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e"),
        ]
    }

    static let vectors = [
        Vector(
            "get-header-key-duplicate",
            headers: [("My-Header1", "value2"), ("My-Header1", "value2"), ("My-Header1", "value1")],
            header: "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea",
            query: "3349ee0b81b4b589da0ff28a395c3591e04de515651dd74f298fa992d1507a97"),
        Vector(
            "get-header-value-multiline", headers: ["value1", "value2", "value3"].map { ("My-Header1", $0) },
            header: "ba17b383a53190154eb5fa66a1b836cc297cc0a3d70a5d00705980573d8ff790",
            query: "07f38a7bae261a5b2eec137361e6403c191bbf8e3f75466bb8114a08acd99936"),
        Vector(
            "get-header-value-order",
            headers: ["value4", "value1", "value3", "value2"].map { ("My-Header1", $0) },
            header: "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01",
            query: "313720e71ca6202fdcfa9b20f88de01a4eb0638a83c833b1c184359a4eda864e"),
        Vector(
            "get-header-value-trim", headers: [("My-Header1", " value1"), ("My-Header2", #" "a   b   c""#)],
            header: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736",
            query: "e7bb0fd515e125e1aec2ecc4c0c17484fb06f6846b927c35e46005dd3df3acd4"),
        Vector("get-relative-normalized", .get, "/example/..", header: vanilla, query: vanillaQuery),
        Vector(
            "get-relative-relative-normalized", .get, "/example1/example2/../..", header: vanilla, query: vanillaQuery),
        Vector("get-slash-dot-slash-normalized", .get, "/./", header: vanilla, query: vanillaQuery),
        Vector("get-slash-normalized", .get, "//", header: vanilla, query: vanillaQuery),
        Vector(
            "get-slash-pointless-dot-normalized", .get, "/./example",
            header: "ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5",
            query: "35034b1a0bdd969f346975386daf8aedfd4976573b8348cf4f67eaa41c5857de"),
        Vector(
            "get-slashes-normalized", .get, "//example//",
            header: "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84",
            query: "c1834e8fb0307243711f0f907f6ab7311ed300d87f13792d7ee4da89ab93e082"),
        Vector(
            "get-unreserved", .get, "/\(unreserved)",
            header: "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f",
            query: "95968482db1b9e0fadef6efc1bd24689f77c77d9ef56919c96a28cc92e0d6005"),
        Vector(
            "get-relative-unnormalized", .get, "/example/..",
            header: "eca7ead57bb5aa5c8e28007acd4ff04e1ff9a0ff3b237ec1554a184887ff9282",
            query: "cbcb213b928a077e43275df47b500f1dfaa864ab3f5a18f6b95f4ff0938167ee"),
        Vector(
            "get-relative-relative-unnormalized", .get, "/example1/example2/../..",
            header: "dc33e0856fd4baca4d7aa2146c38958283844764f38c74252a333df5e613003b",
            query: "b45db0bfd1cf15003493b733e33aa208dd981bd0e63037a6ed953f71d2118a16"),
        Vector(
            "get-slash-dot-slash-unnormalized", .get, "/./",
            header: "68714168e6557f8f2de0ef956fc24dc2593a4bd2961f8df51898d8a134695145",
            query: "a9b13e8f3484d9505bf1a6f347219f8f35b0fe8f128ceea597efc146a3dfe90c"),
        Vector(
            "get-slash-unnormalized", .get, "//",
            header: "c88bcd3d312d75078c0cd961d6deae3f4c754924b01669efcfcb439fd5e5b76e",
            query: "b2a9542809db687769200f56a844a03f2bd0291d6eb90232d5101c6a579446cd"),
        Vector(
            "get-slash-pointless-dot-unnormalized", .get, "/./example",
            header: "beb03f223f7deae4146464f06e29eebbee9c8afbe15c290cf07aa8b119e14cff",
            query: "72b11f16d9530b18204bfb71f2d6ab085894c0ed8d352730a6e76234c58b5e10"),
        Vector(
            "get-slashes-unnormalized", .get, "//example//",
            header: "87cca117541a147f6df867677d98a7d80dff226d2bfca9e4ffa899665623c7e5",
            query: "822a5a9ba28072c5ab2bb4a6307d0c88276d40e49fec6b724c03fb4d4ba60fc2"),
        Vector(
            "get-space-normalized", .get, "/example%20space/",
            header: "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741",
            query: "7a1f416954786484c9824d93c1f26ef64acb9b1b6c9154d08c9f07d0e394abf6"),
        Vector(
            "get-space-unnormalized", .get, "/example%20space/",
            header: "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741",
            query: "7a1f416954786484c9824d93c1f26ef64acb9b1b6c9154d08c9f07d0e394abf6"),
        Vector(
            "get-utf8", .get, "/%E1%88%B4",
            header: "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85",
            query: "10eae3f14a260bd3911cc6d008d3c576d143b05b62f09782a7a4b37f52178e44"),
        Vector("get-vanilla", header: vanilla, query: vanillaQuery),
        Vector(
            "get-vanilla-empty-query-key", .get, "/?Param1=value1",
            header: "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb",
            query: "49096700cbbaa5753443850f40df10f904fc2fdb544dc9512203cc77c471a9de"),
        Vector("get-vanilla-query", header: vanilla, query: vanillaQuery),
        Vector(
            "get-vanilla-query-order-encoded", .get, "/?Param-3=Value3&Param=Value2&%E1%88%B4=Value1",
            header: "371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac",
            query: "c5f1848ceec943ac2ca68ee720460c23aaae30a2300586597ada94c4a65e4787"),
        Vector(
            "get-vanilla-query-order-key-case", .get, "/?Param2=value2&Param1=value1",
            header: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
            query: "86012e2c9ad4d77369f5d81c11f75158aae4f895a085212cc6d3f923d300bed5"),
        Vector(
            "get-vanilla-query-unreserved", .get, "/?\(unreserved)=\(unreserved)",
            header: "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197",
            query: "8e76a88a7433637b12778d5592799b29ad21ecd6cf6325051c21d86f0acda2bf"),
        Vector(
            "get-vanilla-utf8-query", .get, "/?%E1%88%B4=bar",
            header: "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04",
            query: "0bdd809b1519ac4f0c1dc3540e2cc46bd0c7f778eda408b2ebf3b913d21ff600"),
        Vector(
            "get-vanilla-with-session-token", token: "6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267",
            header: "07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8",
            query: "7ff2b50b376cb4d151970630573d6291dc128cc5c2a12ffb237f73cc53f67b6c"),
        Vector("post-header-key-case", .post, header: vanillaPost, query: vanillaPostQuery),
        Vector(
            "post-header-key-sort", .post, headers: [("My-Header1", "value1")],
            header: "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c",
            query: "c09d07e0d55871f10f2a6d350d994acf6825a3cae70673d7def55616e6119dd7"),
        Vector(
            "post-header-value-case", .post, headers: [("My-Header1", "VALUE1")],
            header: "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d",
            query: "0698bc9e4f7f9139065ba2909c0e99da257e8e2a42492a097bcd46d792391fed"),
        // The token is added after the signature, and isn't signed.
        Vector("post-sts-header-after", .post, header: vanillaPost, query: vanillaPostQuery),
        Vector(
            "post-sts-header-before", .post, headers: [("X-Amz-Security-Token", token)],
            header: "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead",
            query: "aca67b49ed321f377645504bccbd5a65f9085c536ff1961bc49c835d30827b16"),
        Vector("post-vanilla", .post, header: vanillaPost, query: vanillaPostQuery),
        Vector(
            "post-vanilla-empty-query-value", .post, "/?Param1=value1",
            header: "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11",
            query: "a9ef26247f293bffe40eeff86a0480ba8c14d31503b2e0c3399e3a16bf1a3682"),
        Vector(
            "post-vanilla-query", .post, "/?Param1=value1",
            header: "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11",
            query: "a9ef26247f293bffe40eeff86a0480ba8c14d31503b2e0c3399e3a16bf1a3682"),
        Vector(
            "post-x-www-form-urlencoded", .post, headers: form("application/x-www-form-urlencoded"),
            body: "Param1=value1", header: "d3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b",
            query: "c2348f57d08c84939944d6c878b3f7be56316f8e7fd6817e81eded279a362d69"),
        Vector(
            "post-x-www-form-urlencoded-parameters", .post,
            headers: form("application/x-www-form-urlencoded; charset=utf-8"), body: "Param1=value1",
            header: "328d1b9eaadca9f5818ef05e8392801e091653bafec24fcab71e7344e7f51422",
            query: "1b8d9ac4ab8553a224622753bae7714608a7c61f8994dbd385150e6da12114df"),
    ]

    @Test("Each request of the suite has its signature, in the header and in the query", arguments: vectors)
    func signature(_ vector: Vector) throws {
        let url = try #require(URL(string: "http://example.amazonaws.com" + vector.target))
        var request = PreparedRequest(
            url: url, method: vector.method, body: vector.body.map { .data(Data($0.utf8)) })
        for (name, value) in vector.headers { request.headers.append(name, value) }
        let forms = [
            (AWSSignature.Place.header, vector.header), (.query(expires: .seconds(3600)), vector.query),
        ]
        for (place, expected) in forms {
            var signature = AWSSignature(
                service: "service", region: "us-east-1", accessKeyID: "AKIDEXAMPLE",
                secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", sessionToken: vector.token, place: place)
            signature.pathRules = .init(normalizes: vector.normalizes, encodesTwice: false)
            signature.signsOtherHeaders = true
            let signed = try RequestSigner.aws(signature).signed(request, at: 1_440_938_160)
            #expect(signed.secrets.map(\.value) == [expected], "\(String(decoding: signed.text, as: UTF8.self))")
        }
    }

    @Test("A plus in a query is sent and signed as a space, which all servers read in the same way")
    func plus() throws {
        let signer = RequestSigner.aws(
            AWSSignature(service: "s3", region: "r", accessKeyID: "id", secretAccessKey: "key"))
        let urls = try ["?z=a+b&y=%2B", "?z=a%20b&y=%2B"].map { try #require(URL(string: "http://h/+\($0)")) }
        let signed = try urls.map { try signer.signed(PreparedRequest(url: $0, method: .get), at: 0) }
        #expect(signed.map(\.request.url) == [urls[1], urls[1]])
        #expect(signed[0].secrets.map(\.value) == signed[1].secrets.map(\.value))
    }
}
