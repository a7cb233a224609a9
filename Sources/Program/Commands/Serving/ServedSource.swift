import CommandLineKit
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliMocking
import ReqcliText

/// Reads the stubs that a server responds with: at the start, and again after each save.
struct ServedSource: Sendable {
    let selection: Selection
    /// The value of `--env`.
    let environment: String?
    /// The values of `--stub`.
    let stubs: [String]
    /// The value of `--rest`.
    let rest: String?
    let isStrict: Bool

    struct Content: Sendable {
        let served: ServedEndpoints
        /// The name of the environment.
        let environment: String
        /// The port that the environment names, if its server is this machine.
        let port: Int?
        /// Warnings about endpoints that match the same requests.
        let alike: [Diagnostic]
    }

    func load(_ workspace: Workspace, _ context: Context) throws(Failure) -> Content {
        let environment = try context.environment(flag: environment, in: workspace)
        let workspace = workspace.inside(environment)
        let reading = WorkspaceReading(workspace, withScenarios: false)
        let endpoints = try selection.endpoints(of: workspace, in: reading).valueOrThrow(reportingWarningsTo: context)
        let last = try last(workspace, context)
        let maker = RequestPattern.Maker(
            workspace, in: environment, for: endpoints + [last?.endpoint].compactMap(\.self), world: context.world,
            version: Program.version)
        let stubs = try StubChoice(stubs, in: workspace, reading)
        // A pattern in `--stub` skips endpoints without variants. An endpoint without variants that `--stub` names by its id is a
        // mistake.
        for endpoint in endpoints where stubs.namesAlone(endpoint) {
            _ = try workspace.stubs(stubs.name(for: endpoint), of: endpoint, ifUnknown: .usage)
        }
        let served = try ServedEndpoints(
            endpoints, of: workspace, reading, in: environment, by: maker, chosen: { stubs.name(for: $0) },
            last: last, fileSize: context.world.fileSize)
        let alike = try alike(served.indistinguishable)
        return Content(served: served, environment: environment.name, port: maker.localPort, alike: alike)
    }

    private func last(
        _ workspace: Workspace, _ context: Context
    ) throws(Failure) -> (endpoint: LocatedEndpoint, variant: String?)? {
        guard let rest else { return nil }
        let parts = rest.split(separator: "=", maxSplits: 1).map(String.init)
        let endpoint = try context.endpoint(parts.first ?? "", in: workspace)
        // A named endpoint must have variants, because it couldn't respond without them.
        _ = try workspace.stubs(parts.count > 1 ? parts[1] : nil, of: endpoint, ifUnknown: .usage)
        return (endpoint, parts.count > 1 ? parts[1] : nil)
    }

    private func alike(
        _ pairs: [(first: LocatedEndpoint, second: LocatedEndpoint)]
    ) throws(Failure) -> [Diagnostic] {
        let problems = pairs.map { first, second in
            Diagnostic(
                isStrict ? .error : .warning, code: .endpointsAlike,
                "no request can reach \(second.id), because the same requests match \(first.id)",
                at: second.definition.place,
                hint: "change a path, or leave one of them out with a selector",
                notes: [Diagnostic.Note("the other endpoint", at: first.definition.place)])
        }
        if isStrict, !problems.isEmpty { throw Failure(.broken, problems) }
        return problems
    }
}

extension Diagnostic.Code {
    fileprivate static let endpointsAlike: Self = "endpoints.alike"
}
