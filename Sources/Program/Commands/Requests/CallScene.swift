import CommandLineKit
import Exchange
import Foundation
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

extension Context {
    /// The workspace and the environment of a call. The call of a typed URL needs neither.
    func scene(
        of flags: RequestFlags, _ arguments: ParsedArguments
    ) throws(Failure) -> (workspace: Workspace, environment: EnvironmentChain) {
        try scene(of: flags, arguments, in: arguments[SharedOptions.environment])
    }

    /// The workspace and the environment of a call.
    ///
    /// - Parameter name: The name of the environment, if the command line gives a name.
    func scene(
        of flags: RequestFlags, _ arguments: ParsedArguments, in name: String?
    ) throws(Failure) -> (workspace: Workspace, environment: EnvironmentChain) {
        guard let typed = flags.typed else {
            let workspace = try open(arguments)
            let isNeeded = arguments[RequestOptions.baseURL] == nil
            let chain = try environment(flag: name, in: workspace, toCall: flags.endpoint, isNeeded: isNeeded)
            return (workspace.inside(chain), chain)
        }
        let hasServer = arguments[RequestOptions.baseURL] != nil
        if case .server = typed.target, name == nil { return (try workspaceOfNoFiles(), .none) }
        let workspace: Workspace
        do throws(Failure) {
            workspace = try open(arguments)
        } catch {
            guard error.diagnostics.first?.code == .workspaceMissing else { throw error }
            if hasServer, name == nil { return (try workspaceOfNoFiles(), .none) }
            if case .server = typed.target { throw error }
            throw Failure(
                .usage, code: .workspaceMissing, "there is no workspace here, so \(typed.name) has no server",
                hint: "write the whole URL, such as https://example.com\(typed.name), or run \"reqcli init\"")
        }
        let environment = try environment(flag: name, in: workspace, isNeeded: !hasServer)
        if case .server(let server) = typed.target {
            try refuse(server, otherThanThatOf: environment, in: workspace, flags)
        }
        return (workspace.inside(environment), environment)
    }

    /// A workspace at the current folder in which no file is read.
    func workspaceOfNoFiles() throws(Failure) -> Workspace {
        let folder = try startFolder()
        return Workspace(root: folder, currentFolder: folder, files: files)
    }

    /// Throws if the server isn't the server of the environment, because an environment's headers and credentials are for its own
    /// server.
    private func refuse(
        _ server: String, otherThanThatOf environment: EnvironmentChain, in workspace: Workspace, _ flags: RequestFlags
    ) throws(Failure) {
        let call = Call(
            workspace: workspace, endpoint: LocatedEndpoint(typed: server, in: nil), environment: environment.server)
        let own = try assembler(flags).assemble(call).request.url
        // A string that can't be parsed as a URL is rejected, too.
        guard URL(string: server).map({ WebOrigin($0) }) != WebOrigin(own) else { return }
        throw Failure(
            .usage, code: .usageInvalid, "\(server) is not the server of the environment \(environment.name)",
            hint: "leave out --env to send without an environment, or write only the path")
    }
}

extension EnvironmentChain {
    /// No environment at all.
    static let none = EnvironmentChain(name: "", layers: [])
}
