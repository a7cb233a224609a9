import Exchange
import Foundation
import Recording
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliMocking
import ReqcliRedaction
import ReqcliText
import RequestBuilding
import TestSupport
import Testing

@testable import Commands

/// Keeping responses to many requests as variants.
struct RequestRecorderTests {
    private let folder: TemporaryFolder
    private let workspace: Workspace
    private let router: Router

    init() throws {
        try self.init(
            #"""
            { "endpoints": { "get": { "path": "{{id}}", "query": { "q": "{{q}}" },
              "params": { "id": { "type": "integer" }, "q": { "type": "string", "required": false } } } } }
            """#)
    }

    private init(_ endpoints: String) throws {
        folder = try TemporaryFolder([
            "endpoints/user.json": endpoints, "environments/development.json": #"{ "baseURL": "http://a.test" }"#,
        ])
        let world = Context.live().world
        workspace = Workspace(root: folder.path, currentFolder: folder.path, files: world.files)
        guard case .found(let environment) = workspace.environment("development").value,
            case .found(let endpoint) = workspace.endpoint("user.get").value
        else { throw NotFound() }
        let maker = RequestPattern.Maker(workspace, in: environment, world: world, version: "test")
        router = Router([try maker.pattern(of: endpoint)], workspace.schemas)
    }

    private struct NotFound: Error {}

    private func reading(_ path: String, _ query: String? = nil) throws -> RequestReading {
        let request = IncomingRequest(method: "GET", path: path, query: query)
        guard case .found(_, let reading) = router.route(request) else { throw NotFound() }
        return reading
    }

    private func keep(
        _ recorder: inout RequestRecorder, _ path: String, _ query: String? = nil, status: Int = 200, body: String,
        secrets: [String] = []
    ) throws -> RequestRecorder.Outcome {
        recorder.keep(
            ResponseHead(status: status, headers: ["Content-Type": "text/plain"]), body: Array(body.utf8),
            to: "user.get", try reading(path, query),
            Redactor(secrets.map { Redactor.Secret(label: "key", value: $0) }))
    }

    @Test("one run keeps a bounded number of variants, and replaced ones count, too")
    func limit() throws {
        var recorder = RequestRecorder(workspace, name: "r", mayReplace: true, .live, limit: 3)
        for number in 1...2 {
            guard case .kept(let name, _, _) = try keep(&recorder, "/\(number)", body: "a") else { throw NotFound() }
            #expect(name == (number == 1 ? "r" : "r-2"))
        }
        guard case .same(variant: "r") = try keep(&recorder, "/1", body: "a") else { throw NotFound() }
        guard case .kept(variant: "r", _, _) = try keep(&recorder, "/1", body: "b") else { throw NotFound() }
        guard case .full = try keep(&recorder, "/3", body: "a") else { throw NotFound() }
        #expect(RequestRecorder.limit == 1000)
        #expect(folder.text("stubs/user.get.r.txt") == "b")
    }

    @Test("a secret is no condition, and text that looks like a placeholder is one as it is")
    func conditions() throws {
        var recorder = RequestRecorder(workspace, name: "r", mayReplace: false, .live)
        guard case .kept = try keep(&recorder, "/1", "q=s3cr3t-w0rd", body: "a", secrets: ["s3cr3t-w0rd"]),
            case .kept = try keep(&recorder, "/2", "q=%7B%7Bx%7D%7D", body: "b")
        else { throw NotFound() }
        let text = try #require(folder.text("endpoints/user.json"))
        #expect(!text.contains("s3cr3t"))
        #expect(text.contains(#""q": "\\{{x}}""#), "\(text)")
        guard case .same(variant: "r-2") = try keep(&recorder, "/2", "q=%7B%7Bx%7D%7D", body: "b") else {
            throw NotFound()
        }
    }

    @Test(
        "a request that only a secret value tells from others gives no variant, unless the param is declared secret",
        arguments: [
            // Each row: the attributes of the params, the query, and whether a variant is kept.
            ("", "", "q=s3cr3t-w0rd", false), ("", "", "q=s3cr3t-w0rd&r=s3cr3t-w0rd", false),
            (#", "secret": true"#, "", "q=s3cr3t-w0rd&r=s3cr3t-w0rd", false), ("", "", "q=plain&r=s3cr3t-w0rd", true),
            (#", "secret": true"#, #", "secret": true"#, "q=s3cr3t-w0rd&r=s3cr3t-w0rd", true),
        ])
    func onlySecrets(_ first: String, _ second: String, _ query: String, _ isKept: Bool) throws {
        let endpoint = #"""
            { "endpoints": { "get": { "path": "{{id}}", "query": { "q": "{{q}}", "r": "{{r}}" },
              "params": { "id": { "type": "string", "secret": true }, "q": { "type": "string"\#(first) },
                "r": { "type": "string", "default": "s3cr3t-w0rd"\#(second) } } } } }
            """#
        let scene = try Self(endpoint)
        var recorder = RequestRecorder(scene.workspace, name: "r", mayReplace: false, .live)
        let outcome = try scene.keep(&recorder, "/1", query, body: "a", secrets: ["s3cr3t-w0rd"])
        switch outcome {
        case .kept: #expect(isKept)
        case .refused(let reason):
            #expect(!isKept && reason.text.contains(#"with "secret": true"#))
            #expect(!reason.text.contains("s3cr3t"))
        default: Issue.record("\(outcome)")
        }
        let text = try #require(scene.folder.text("endpoints/user.json"))
        #expect(text.contains("stubs") == isKept)
    }

    @Test("a request whose params are invalid gives no variant")
    func invalid() throws {
        var recorder = RequestRecorder(workspace, name: "r", mayReplace: false, .live)
        guard case .refused(let reason) = try keep(&recorder, "/abc", body: "a") else { throw NotFound() }
        #expect(reason == "id is invalid or missing in the request")
        guard case .refused = try keep(&recorder, "/1", "other=1", status: 400, body: "a") else { throw NotFound() }
        #expect(folder.files == ["endpoints", "environments"])
    }
}
