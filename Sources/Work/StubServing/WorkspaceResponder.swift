import Foundation
import HTTPWire
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliMocking
import ReqcliServing
import ReqcliText
import RequestBuilding

/// Responds with the stub variants of a workspace, to pages of this machine as well.
struct WorkspaceResponder: Responder {
    let engine: MockEngine
    private let rules = BrowserRules()
    private let replies = StubReplies()

    init(_ folder: String, environment: String?) throws(StubServerError) {
        do {
            let workspace = try Workspace.locate(
                named: folder, from: FileManager.default.currentDirectoryPath, files: .live)
            engine = MockEngine(try Self.served(workspace, in: environment), world: .ofServer)
        } catch let missing as NotFound {
            throw StubServerError(
                description: [missing.message, missing.hint].compactMap(\.self).joined(separator: ": "))
        } catch let failure as Failure {
            throw StubServerError(description: failure.lines.joined(separator: "\n"))
        } catch {
            throw StubServerError(description: "\(error)")
        }
    }

    private static func served(_ workspace: Workspace, in name: String?) throws -> ServedEndpoints {
        let settings = try workspace.loadSettings().valueOrThrow()
        let name = name ?? settings.environment?.value ?? Workspace.standardEnvironment
        let environment: EnvironmentChain
        switch try workspace.environment(name).valueOrThrow() {
        case .found(let chain): environment = chain
        case .missing(let missing): throw missing
        case .broken: throw Failure(.broken, [])  // Never reached: broken files have errors, which are thrown above.
        }
        let reading = WorkspaceReading(workspace, withScenarios: false)
        let endpoints = try reading.endpoints { _ in true }.valueOrThrow()
        let world = World.ofServer
        return try ServedEndpoints(
            endpoints, of: workspace, reading, in: environment,
            by: RequestPattern.Maker(workspace, in: environment, for: endpoints, world: world, version: ""),
            fileSize: world.fileSize)
    }

    func reply(to _: PreparedRequest, _ raw: ServerRequest) -> (reply: ServerReply, name: String?) {
        let request = IncomingRequest(raw.head, raw.body)
        guard rules.accepts(host: request.authority) else {
            let refusal = MockAnswer.Refusal(status: 403, title: "the host of the request is not this machine")
            return (replies.reply(refusal, sharing: .none), nil)
        }
        let preflight = rules.preflight(request)
        let answer = engine.answer(request, isPreflight: preflight != nil)
        return (reply(to: request, answer, preflight), answer.endpoint?.id)
    }

    func sharing(_ head: RequestHead) -> AddedHeaders { rules.sharingHeaders(for: IncomingRequest(head, isCut: true)) }

    private func reply(
        to request: IncomingRequest, _ answer: MockAnswer, _ preflight: StubReplies.Fields?
    ) -> ServerReply {
        let sharing = rules.sharingHeaders(for: request)
        switch answer.content {
        case .stub(let served): return replies.reply(served, sharing: sharing)
        case .refusal(let refusal):
            if answer.endpoint == nil, let preflight {
                return ServerReply(status: 204, fields: preflight + [(MockEngine.header, "none")])
            }
            return replies.reply(refusal, sharing: sharing)
        case .passedOn:
            return replies.reply(
                MockAnswer.Refusal(
                    status: 502, title: "no stub responds to the request, and there is no server to forward it to"),
                sharing: sharing)
        }
    }
}

extension World {
    /// Gives access to files, environment variables and the clock. No program of the workspace runs, and there is no standard
    /// input.
    fileprivate static let ofServer = World(
        files: .live, fileSize: RequestBody.size(ofFile:),
        variable: { ProcessInfo.processInfo.environment[$0] },
        standardInput: { () throws(FileProblem) in throw FileProblem(.missing) },
        run: { _, _, _ in .notStarted("a stub server does not run programs of the workspace") },
        uuid: { UUID().uuidString.lowercased() }, randomInt: { Int.random(in: 0...999_999_999) }, clock: .live)
}

extension Diagnosed {
    /// The value. Throws if the files that the value is read from have errors. Warnings are left to `reqcli validate`.
    fileprivate func valueOrThrow() throws(Failure) -> Value {
        if diagnostics.contains(where: { $0.severity == .error }) { throw Failure(.broken, diagnostics) }
        return value
    }
}

extension Failure {
    /// A line for each error, with the place of the error.
    fileprivate var lines: [String] {
        diagnostics.filter { $0.severity == .error }.map { problem in
            problem.described + (problem.hint.map { "; \($0)" } ?? "")
        }
    }
}
