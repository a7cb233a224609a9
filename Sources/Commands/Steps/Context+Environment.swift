package import CommandLineKit
package import Definitions
import SourceText

/// The chosen environment, and where the choice comes from.
package struct EnvironmentChoice: Sendable, Equatable {
    package enum Origin: Sendable, Equatable {
        case flag
        case variable
        case settings
        case standard
    }

    package let name: String
    package let origin: Origin

    package init(name: String, origin: Origin) {
        self.name = name
        self.origin = origin
    }

    /// Follows the name in a message.
    package var originText: String {
        switch origin {
        case .flag: ""
        case .variable: " (from REQCLI_ENV)"
        case .settings: " (from reqcli.json)"
        case .standard: " (which is used where nothing names another)"
        }
    }

    package static let standardName = "development"
}

extension Context {
    /// `--env`, else `REQCLI_ENV`, else `reqcli.json`, else `development`; whether there is such a one is not asked.
    package func chooseEnvironment(flag: String?, in workspace: Workspace) throws(Failure) -> EnvironmentChoice {
        if let flag { return EnvironmentChoice(name: flag, origin: .flag) }
        if let name = setVariable("REQCLI_ENV") { return EnvironmentChoice(name: name, origin: .variable) }
        if let name = try workspace.loadSettings().sound(in: self).environment?.value {
            return EnvironmentChoice(name: name, origin: .settings)
        }
        return EnvironmentChoice(name: EnvironmentChoice.standardName, origin: .standard)
    }

    /// The environment in force with all that it builds on, read from its files and no others.
    package func environment(flag: String?, in workspace: Workspace) throws(Failure) -> EnvironmentChain {
        let choice = try chooseEnvironment(flag: flag, in: workspace)
        switch try workspace.environment(choice.name).sound(in: self) {
        case .found(let chain): return chain
        case .missing(let missing):
            throw Failure(missing, choice)
        case .broken: throw Failure(.broken, [])  // Not met: what is broken comes with errors, thrown above.
        }
    }

    /// The environment for a call. Where it can't be had, what is wrong with the call's endpoint is told with it: whoever
    /// mends the one would only come upon the other.
    package func environment(
        flag: String?, in workspace: Workspace, toCall endpoint: String
    ) throws(Failure) -> EnvironmentChain {
        do throws(Failure) {
            return try environment(flag: flag, in: workspace)
        } catch {
            let first = error
            do throws(Failure) { _ = try self.endpoint(endpoint, in: workspace) } catch {
                throw Failure(first.status, first.diagnostics + error.diagnostics)
            }
            throw first
        }
    }

    /// An endpoint by its id, read from the files that may define it and no others.
    package func endpoint(_ id: String, in workspace: Workspace) throws(Failure) -> LocatedEndpoint {
        switch try workspace.endpoint(id).sound(in: self) {
        case .found(let endpoint): return endpoint
        case .missing(let missing): throw Failure(missing, code: .endpointUnknown)
        case .broken: throw Failure(.broken, [])  // Not met, as above.
        }
    }
}

extension Workspace {
    /// Fails where there is no such environment. Its files are not read.
    func demand(_ choice: EnvironmentChoice) throws(Failure) {
        if let missing = missing(environment: choice.name) { throw Failure(missing, choice) }
    }
}

extension Failure {
    fileprivate init(_ missing: NotFound, _ choice: EnvironmentChoice) {
        self.init(.usage, code: .environmentUnknown, missing.message + choice.originText, hint: missing.hint)
    }
}
