import ReqcliAssembly
import Testing

@Suite("Cache policies")
struct CachePolicyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var environment = ""
        let endpoint: String
        let headers: [String]
        var testDescription: String { name }
    }

    private static let remote = #""cachePolicy": "reloadIgnoringLocalAndRemoteCacheData""#
    private static let revalidating = #""cachePolicy": "reloadRevalidatingCacheData""#
    private static let local = #""cachePolicy": "reloadIgnoringLocalCacheData""#

    @Test(
        "Two of them say so to the server",
        arguments: [
            Row(name: "remote", endpoint: remote, headers: ["Cache-Control: no-cache"]),
            Row(name: "revalidating", endpoint: revalidating, headers: ["Cache-Control: max-age=0"]),
            Row(name: "local", endpoint: local, headers: []),
            Row(
                name: "a header beside it wins", endpoint: #"\#(remote), "headers": {"cache-control": "own"}"#,
                headers: ["cache-control: own"]),
            Row(
                name: "null beside it removes it", endpoint: #"\#(remote), "headers": {"Cache-Control": null}"#,
                headers: []),
            Row(
                name: "a later one replaces it", environment: remote, endpoint: revalidating,
                headers: ["Cache-Control: max-age=0"]),
            Row(name: "a later one takes it back", environment: remote, endpoint: local, headers: []),
            Row(name: "null takes it back", environment: remote, endpoint: #""cachePolicy": null"#, headers: []),
            Row(
                name: "a header that is written out stays",
                environment: #"\#(remote), "headers": {"Cache-Control": "own"}"#,
                endpoint: local, headers: ["Cache-Control: own"]),
            Row(
                name: "a later one beats an earlier header", environment: #""headers": {"Cache-Control": "own"}"#,
                endpoint: remote, headers: ["Cache-Control: no-cache"]),
        ])
    func header(_ row: Row) throws {
        let members = [#""baseURL": "http://h""#, row.environment].filter { !$0.isEmpty }.joined(separator: ", ")
        #expect(try Scenario("{\(row.endpoint)}", environment: "{\(members)}").wire().headers == row.headers)
    }
}
