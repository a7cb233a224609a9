import Rendering
import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing
import ToolSupport

/// Rendered commands, run in real shells, send exactly what the http format shows.
@Suite struct CurlWireTests {
    /// The number of cases. For fuzzing, raise it and change the seed: `WIRE_CASES=100000 WIRE_SEED=7`.
    private static let count = ProcessInfo.processInfo.environment["WIRE_CASES"].flatMap { Int($0) } ?? 2000
    private static let seed = ProcessInfo.processInfo.environment["WIRE_SEED"].flatMap { UInt64($0) } ?? 1
    private static let posixShells = ["dash", "bash"].compactMap(Tool.path(of:))
    private static let fish = Tool.path(of: "fish")
    private static let hasCurl = Tool.path(of: "curl") != nil

    @Test(
        "in dash and bash, the rendered command sends what the http format shows and reveals no secret",
        .enabled(if: hasCurl && posixShells.count == 2, "curl, dash and bash are needed"), .timeLimit(.minutes(60)))
    func inPOSIXShells() async throws {
        let proof = WireProof(
            count: Self.count, seed: Self.seed, syntax: .sh, shells: Self.posixShells, enclosing: ("{", "}"))
        let failures = try await proof.failures()
        #expect(failures.isEmpty, "\(failures.count) failures\n\(failures.prefix(5).joined(separator: "\n"))")
    }

    @Test(
        "in fish, the rendered command sends what the http format shows and reveals no secret",
        .enabled(if: hasCurl && fish != nil, "curl and fish are needed"), .timeLimit(.minutes(60)))
    func inFish() async throws {
        let proof = WireProof(
            count: max(200, Self.count / 10), seed: Self.seed &+ 1, syntax: .fish,
            shells: [Self.fish].compactMap(\.self),
            enclosing: ("begin;", "end"))
        let failures = try await proof.failures()
        #expect(failures.isEmpty, "\(failures.count) failures\n\(failures.prefix(5).joined(separator: "\n"))")
    }

    /// A shell and its path.
    struct Interpreter: CustomTestStringConvertible, Sendable {
        let syntax: Shell
        let path: String
        var testDescription: String { path }

        static let all: [Interpreter] =
            posixShells.map { Interpreter(syntax: .sh, path: $0) }
            + [fish].compactMap { $0 }.map {
                Interpreter(syntax: .fish, path: $0)
            }
    }

    /// The place of a secret, which decides how the shell inserts it.
    enum Place: String, CaseIterable, Sendable {
        case header, authorization, query, body, binaryBody
    }

    @Test(
        "a command whose secret is missing sends nothing and fails",
        .enabled(if: hasCurl, "curl is needed"), arguments: Interpreter.all, Place.allCases)
    func unsetSecret(interpreter: Interpreter, place: Place) async throws {
        let server = try RecordingServer()
        let folder = try TemporaryFolder()
        let builder = RequestBuilder().baseURL("http://127.0.0.1:\(server.port)")
        let request: RequestBuilder =
            switch place {
            case .header: builder.header("X-Key", "k-s3cr3t")
            case .authorization: builder.authorization(user: "ada", password: "s3cr3t")
            case .query: builder.addingQueryItem("key", "s3cr3t")
            case .body: builder.method(.post).textBody("a s3cr3t")
            case .binaryBody: builder.method(.post).body(Data([0]) + Data("s3cr3t".utf8))
            }
        let input = RenderingInput(
            request: try request.prepared(over: .plain), defaults: WireDefaults(userAgent: nil),
            secrets: [RenderedSecret(name: "key", value: "s3cr3t", source: .environment("API_KEY"))])
        let rendered = CurlFormat(shell: interpreter.syntax).render(input)
        #expect(rendered.command.contains("API_KEY") && rendered.notes.isEmpty)
        func run(_ environment: [String: String]) async throws -> ToolRun {
            try await Tool.run(
                "-c", rendered.command, in: folder.path, variables: environment.merging(["HOME": folder.path]) { $1 },
                program: [interpreter.path])
        }
        #expect(try await run([:]).status != 0)
        #expect(try await run(["API_KEY": ""]).status != 0)
        #expect(server.requests.isEmpty)
        #expect(try await run(["API_KEY": "s3cr3t"]).status == 0)
        #expect(server.requests.count == 1)
    }

    @Test(
        "a command whose body file is missing sends nothing and fails",
        .enabled(if: hasCurl, "curl is needed"), arguments: Interpreter.all)
    func missingFile(interpreter: Interpreter) async throws {
        let server = try RecordingServer()
        let folder = try TemporaryFolder()
        let post = RequestBuilder().baseURL("http://127.0.0.1:\(server.port)").method(.post)
        let form = MultipartBody(parts: [.text("a", "1"), .file("f", path: "/nonexistent/x")])
        for builder in [post.fileBody(path: "/nonexistent/x"), post.multipartBody(form)] {
            let input = RenderingInput(
                request: try builder.prepared(over: .plain), defaults: WireDefaults(userAgent: nil))
            let outcome = try await Tool.run(
                "-c", CurlFormat(shell: interpreter.syntax).render(input).command, in: folder.path,
                variables: ["HOME": folder.path], program: [interpreter.path])
            #expect(outcome.status != 0)
        }
        #expect(server.requests.isEmpty)
    }
}
