package import CommandLineKit
import ReqcliAssembly
package import ReqcliDefinitions
package import ReqcliText

extension Context {
    /// The workspace that `--workspace` names, else `REQCLI_WORKSPACE`, else the nearest one upwards.
    ///
    /// - Parameter mayAsk: Whether the user may be asked about a file outside the workspace.
    package func open(_ arguments: ParsedArguments, mayAsk: Bool = true) throws(Failure) -> Workspace {
        let folder = try startFolder()
        let flag = arguments[GlobalOptions.workspace]
        let variable = flag == nil ? setVariable("REQCLI_WORKSPACE") : nil
        let workspace: Workspace
        do throws(NotFound) {
            let trust = TrustFlags(arguments, mayAsk: mayAsk)
            workspace = try Workspace.locate(
                named: flag ?? variable, from: folder, files: files,
                permits: { root, written, real in permission(for: .file(written, real: real), root, trust) })
        } catch {
            let origin = variable == nil ? "" : " (from REQCLI_WORKSPACE)"
            throw Failure(.usage, code: .workspaceMissing, error.message + origin, hint: error.hint)
        }
        if flag == nil, variable == nil { try requireOwn(workspace) }
        return workspace
    }

    /// The workspace; nil if the user named no workspace and none is found.
    func openIfThere(_ arguments: ParsedArguments) throws(Failure) -> Workspace? {
        do throws(Failure) {
            return try open(arguments)
        } catch {
            let isNamed = arguments[GlobalOptions.workspace] != nil || setVariable("REQCLI_WORKSPACE") != nil
            guard error.diagnostics.first?.code == .workspaceMissing, !isNamed else { throw error }
            return nil
        }
    }

    /// Rejects a workspace that the user didn't name and that belongs to another user. Below a folder such as `/tmp`, where all
    /// users may make folders, any user can put a workspace above the current folder.
    private func requireOwn(_ workspace: Workspace) throws(Failure) {
        var own: Set<UInt32> = [userID]
        // Under sudo, root also accepts the workspaces of the user who called sudo, as git does.
        if userID == 0, let caller = self.variable("SUDO_UID").flatMap({ UInt32($0) }) { own.insert(caller) }
        let folders = [workspace.root] + Workspace.definitionFolders.map(workspace.path)
        let foreign = folders.first { folder in files.owner(folder).map { !own.contains($0) } ?? false }
        guard let foreign else { return }
        let root = ShellQuoting.quoted(workspace.root)
        throw Failure(
            .usage, code: .workspaceForeign,
            "the nearest workspace is not yours: \"\(foreign)\" belongs to another user",
            hint: "if you trust it, name it: --workspace \(root), or REQCLI_WORKSPACE=\(root)")
    }

    /// The folder that relative paths start from.
    package func startFolder() throws(Failure) -> String {
        if let folder = currentFolder() { return folder }
        throw Failure(
            .usage, code: .workspaceMissing, "the current folder no longer exists",
            hint: "change to a folder that exists, and try again")
    }

    /// The content of a file that an option names; `-` is standard input.
    func read(_ path: String, upTo limit: Int, called name: String) throws(Failure) -> [UInt8] {
        if path == "-", terminal.isTerminal(.input) { note("reading standard input; Ctrl-D ends it") }
        do throws(FileProblem) {
            return path == "-" ? try world.standardInput() : try files.readTyped(path, upTo: limit)
        } catch {
            throw Failure(.usage, code: .fileUnreadable, "cannot read \(name): \(error.reason)")
        }
    }

    /// The absolute path for a path that the user typed, which starts from the current folder.
    func pathFromHere(_ path: String) throws(Failure) -> String { FilePath.join(try startFolder(), path) }
}

extension Diagnostic.Code {
    package static let workspaceMissing: Self = "workspace.missing"
    package static let workspaceForeign: Self = "workspace.foreign"
}

extension Context {
    /// The chosen environment with all environments that it builds on. Only the files of these environments are read.
    ///
    /// - Parameter isNeeded: False if the call names its server, because then the standard environment may be missing.
    package func environment(
        flag: String?, in workspace: Workspace, isNeeded: Bool = true
    ) throws(Failure) -> EnvironmentChain {
        let choice = try chooseEnvironment(flag: flag, in: workspace)
        let mayLack = choice.origin == .standard && !isNeeded
        if mayLack, workspace.missing(environment: choice.name) != nil { return .none }
        return try environment(choice, in: workspace)
    }

    /// A chosen environment.
    func environment(_ choice: EnvironmentChoice, in workspace: Workspace) throws(Failure) -> EnvironmentChain {
        switch try workspace.environment(choice.name).valueOrThrow(reportingWarningsTo: self) {
        case .found(let chain): return chain
        case .missing(let missing):
            throw Failure(missing, choice, in: workspace)
        // Never reached: a broken environment has errors, which are thrown above.
        case .broken: throw Failure(.broken, [])
        }
    }

    /// The environment for a call. If the environment can't be read, the problems of the call's endpoint are reported as well, so
    /// that the user can fix both at once.
    func environment(
        flag: String?, in workspace: Workspace, toCall endpoint: String, isNeeded: Bool
    ) throws(Failure) -> EnvironmentChain {
        do throws(Failure) {
            return try environment(flag: flag, in: workspace, isNeeded: isNeeded)
        } catch {
            let first = error
            do throws(Failure) { _ = try self.endpoint(endpoint, in: workspace) } catch {
                throw Failure(first.status, first.diagnostics + error.diagnostics)
            }
            throw first
        }
    }

    /// The endpoint with this id. Only the files that may define the endpoint are read.
    package func endpoint(_ id: String, in workspace: Workspace) throws(Failure) -> LocatedEndpoint {
        switch try workspace.endpoint(id).valueOrThrow(reportingWarningsTo: self) {
        case .found(let endpoint): return endpoint
        case .missing(let missing): throw Failure(missing, code: .endpointUnknown)
        case .broken: throw Failure(.broken, [])  // Never reached, as above.
        }
    }
}

extension Workspace {
    /// Fails if the environment doesn't exist. Doesn't read the files of the environment.
    func demand(_ choice: EnvironmentChoice) throws(Failure) {
        if let missing = missing(environment: choice.name) { throw Failure(missing, choice, in: self) }
    }
}

extension Failure {
    fileprivate init(_ missing: NotFound, _ choice: EnvironmentChoice, in workspace: Workspace) {
        let advice: String? =
            switch choice.origin {
            case .standard where workspace.environmentNames.isEmpty: "make environments/\(choice.name).json"
            case .standard: "pass --env NAME, or choose one with \"reqcli env use NAME\""
            case .use: "choose another one with \"reqcli env use NAME\", or none with \"reqcli env use --none\""
            case .flag, .variable, .settings, .configuration, .only: nil
            }
        self.init(
            .usage, code: .environmentUnknown, missing.message + choice.originText,
            hint: [missing.hint, advice].compactMap(\.self).joined(separator: "; "))
    }
}

extension Failure {
    /// The failure if the command line names something that doesn't exist.
    package init(_ missing: NotFound, code: Diagnostic.Code) {
        self.init(.usage, code: code, missing.message, hint: missing.hint)
    }
}

extension Diagnosed {
    /// The value, if its files have no errors; warnings are reported.
    package func valueOrThrow(reportingWarningsTo context: Context) throws(Failure) -> Value {
        if diagnostics.contains(where: { $0.severity == .error }) { throw Failure(.broken, diagnostics) }
        context.report(diagnostics)
        return value
    }
}
