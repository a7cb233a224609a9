import ASCII
package import Definitions
package import SourceText

extension Assembler {
    /// What keeps every call of an endpoint in an environment from being sent: all that is wrong with the parts of the
    /// request that no placeholder changes, in the words of a call.
    package static func certainProblems(
        with endpoint: LocatedEndpoint, in environment: EnvironmentChain, of workspace: Workspace
    ) -> [Diagnostic] {
        var call = Call(workspace: workspace, endpoint: endpoint, environment: environment)
        call.awaited.isEverything = true
        // Where it goes is another question, as is which files there are.
        call.overrides = [CommandLineOverride(.baseURL("http://invalid"), flag: "--base-url")]
        return Assembler(world: .withAllFiles).attempt(call).failure.diagnostics
    }
}

extension World {
    /// Nothing but files, whatever they are called.
    fileprivate static let withAllFiles = World(
        files: FileSystem(
            read: { _, _ throws(FileProblem) in throw FileProblem(.denied) }, kind: { _ in .file },
            names: { _ in [] }, resolve: { $0 }),
        variable: { _ in nil }, standardInput: { () throws(FileProblem) in throw FileProblem(.denied) },
        run: { _, _, _ in .notStarted("") }, permits: { _, _ in .granted }, uuid: { "" }, randomInt: { 0 },
        clock: WorldClock(date: { 0 }, elapsed: { .zero }, sleep: { _ in }))
}
