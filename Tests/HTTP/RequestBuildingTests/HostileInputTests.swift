import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing

/// Any text results in a request or an error. It never crashes, and a value never leaves its place.
@Suite struct HostileInputTests {
    private static let pieces: [String] = [
        "", "a", "é", "日本", " ", "\t", "\r", "\n", "\0", "%", "%2", "%2F", "%zz", "%00", "/", "//", "?", "#", "&", "=",
        "+",
        ";", ":", "@", "[", "]", "{", "}", "|", "\\", "\"", "'", "`", "<", ">", "^", ".", "..", "$(x)", "\u{202E}",
        "\u{FEFF}", "\u{0301}", "e\u{0301}", "👩‍👩‍👧", "\u{FFFF}", "\u{10FFFF}", "xn--", "xn--\u{80}", "::1", "[::1]",
        "%25eth0", "http://", "localhost", String(repeating: "x", count: 300), "-", "_", "\u{7F}", "\u{80}", "ß", "İ",
        "。",
    ]

    @Test("3,000 hostile builders each make a request or throw an error, and none crashes")
    func neverATrap() {
        var random = SeededGenerator(seed: 20_240_601)
        var made = 0
        for _ in 0..<3000 {
            let builder = Self.builder(&random)
            if case .success(let request) = Result(catching: { try builder.prepared() }) {
                made += 1
                #expect(URL(string: request.url.absoluteString) == request.url)
                #expect(
                    request.headers.allSatisfy {
                        !$0.value.unicodeScalars.contains { "\r\n\0".unicodeScalars.contains($0) }
                    })
            }
            _ = builder.history()
        }
        #expect(made > 100, "the inputs are not all refused, or this tests nothing")
    }

    @Test("a hostile value stays in its segment, its query item and its header")
    func staysInPlace() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            let value = Self.text(&random)
            let builder = RequestBuilder().baseURL("http://h/base").path(segments: ["a", "x" + value, "b"])
                .addingQueryItem("q", value).addingQueryItem("end", "1")
            let url = try builder.prepared().url
            let parts = try #require(URLComponents(url: url, resolvingAgainstBaseURL: false))
            let segments = parts.percentEncodedPath.split(separator: "/", omittingEmptySubsequences: false)
            #expect(segments.count == 5 && segments[4] == "b")
            #expect(segments[3] == PercentEncoding.segment("x" + value))
            #expect(parts.percentEncodedQueryItems?.map(\.name) == ["q", "end"])
            #expect(parts.percentEncodedQueryItems?.first?.value == PercentEncoding.queryComponent(value))
            #expect(parts.host == "h" && parts.fragment == nil)
        }
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }

    private static func builder(_ random: inout SeededGenerator) -> RequestBuilder {
        var builder = RequestBuilder().scheme("http").host("h")
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let (a, b) = (text(&random), text(&random))
            switch Int.random(in: 0..<17, using: &random) {
            case 0: builder = builder.path(a)
            case 1: builder = builder.path("/" + a)
            case 2: builder = builder.path(segments: [a, nil, b])
            case 3: builder = builder.addingPathSegment(a)
            case 4: builder = builder.basePath(a)
            case 5: builder = builder.host(a)
            case 6: builder = builder.baseURL("http://" + a + "/" + b)
            case 7: builder = builder.baseURL(a)
            case 8: builder = builder.addingQueryItem(a, b)
            case 9: builder = builder.queryItem(a, values: [b, a])
            case 10: builder = builder.removingQueryItem(a)
            case 11: builder = builder.header("X-\(b.count)", a)
            case 12: builder = builder.addingHeader(a, b)
            case 13: builder = builder.method(a)
            case 14: builder = builder.port(Int.random(in: -70_000...70_000, using: &random)).scheme(a)
            case 15: builder = builder.multipartBody(MultipartBody(boundary: a, parts: [.text(b, a)]))
            default:
                builder = builder.modifyURLComponents {
                    $0.path = a; $0.query = b; $0.fragment = a
                }
            }
        }
        return builder
    }
}
