import Foundation
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliMocking
import ReqcliText
import RequestBuilding

extension MockEngine {
    /// An engine for all endpoints of a workspace.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder that holds `endpoints`.
    ///   - environment: The environment; nil for the one in `reqcli.json` or, without one, the standard environment.
    ///   - seed: The seed of random values; nil for others each time.
    ///   - time: The time in placeholders; nil for the clock's.
    convenience init(
        ofWorkspace folder: String, environment: String?, seed: String? = nil, time: Date? = nil
    ) throws(StubServerError) {
        do {
            let workspace = try Workspace.locate(
                named: folder, from: FileManager.default.currentDirectoryPath, files: .live)
            var world = World.ofServer
            world.seed = seed.map { RandomSeed($0) }
            world.placeholderTime = time?.timeIntervalSince1970
            self.init(try Self.served(workspace, in: environment), world: world)
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
