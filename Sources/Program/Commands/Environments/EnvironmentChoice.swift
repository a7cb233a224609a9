package import ReqcliDefinitions
package import ReqcliText

/// The chosen environment, and where the choice comes from.
package struct EnvironmentChoice: Sendable, Equatable {
    package enum Origin: String, Sendable {
        case flag
        case variable
        /// The user has chosen the environment with `env use`.
        case use
        case settings
        /// The user's configuration names it.
        case configuration
        case standard
        /// The workspace has no other environment.
        case only
    }

    package let name: String
    package let origin: Origin

    /// The origin as messages show it after the name.
    package var originText: String {
        let text: String? =
            switch origin {
            case .flag: nil
            case .variable: "from REQCLI_ENV"
            case .use: "from \"reqcli env use\""
            case .settings: "from reqcli.json"
            case .configuration: "from REQCLI_ENV in the user's config"
            case .standard: "the default"
            case .only: "the only environment"
            }
        return text.map { " (\($0))" } ?? ""
    }
}

extension Context {
    /// The environment from `--env`, else `REQCLI_ENV`, else `env use`, else `reqcli.json`, else the user's configuration, else
    /// `development`, else the only environment of the workspace. Doesn't check whether a named environment exists.
    package func chooseEnvironment(flag: String?, in workspace: Workspace) throws(Failure) -> EnvironmentChoice {
        let choice = try nameEnvironment(flag: flag, in: workspace)
        guard choice.origin == .standard, workspace.missing(environment: choice.name) != nil else { return choice }
        let names = workspace.environmentNames
        return names.count == 1 ? EnvironmentChoice(name: names[0], origin: .only) : choice
    }

    /// The environment that is named somewhere, else `development`, whichever environments exist.
    package func nameEnvironment(flag: String?, in workspace: Workspace) throws(Failure) -> EnvironmentChoice {
        if let flag { return EnvironmentChoice(name: flag, origin: .flag) }
        if let name = setVariable("REQCLI_ENV") { return EnvironmentChoice(name: name, origin: .variable) }
        if let name = usedEnvironment(of: workspace) { return EnvironmentChoice(name: name, origin: .use) }
        if let name = try workspace.loadSettings().valueOrThrow(reportingWarningsTo: self).environment?.value {
            return EnvironmentChoice(name: name, origin: .settings)
        }
        if let name = try configured("REQCLI_ENV") { return EnvironmentChoice(name: name, origin: .configuration) }
        return EnvironmentChoice(name: Workspace.standardEnvironment, origin: .standard)
    }

    // MARK: The choice of `env use`

    private static let usedEnvironments = "environments"

    /// The environment that the user has chosen with `env use`; nil if there is no choice, or in CI.
    private func usedEnvironment(of workspace: Workspace) -> String? {
        guard !isInCI, let folder = StateFolder(Self.usedEnvironments, self) else { return nil }
        let bytes = folder.read(StateFolder.key(of: workspace, files), upTo: 1 << 10)
        return bytes.flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Keeps the choice of an environment for later commands in this workspace; nil removes the choice.
    ///
    /// - Returns: Whether there was a choice before.
    @discardableResult
    func use(environment name: String?, in workspace: Workspace) throws(Failure) -> Bool {
        guard let folder = StateFolder(Self.usedEnvironments, self) else {
            throw Failure(
                .usage, code: .usageInvalid, "a choice can't be kept without a home folder",
                hint: "set HOME, or use REQCLI_ENV")
        }
        let key = StateFolder.key(of: workspace, files)
        let hadChoice = folder.read(key) != nil
        if name == nil, !hadChoice { return false }
        do throws(WritingProblem) {
            try folder.change { changes throws(WritingProblem) in
                if let name { try changes.write(key, Array(name.utf8)) } else { changes.remove(key) }
            }
        } catch {
            throw Failure(.outputFailed, code: .outputFailed, "cannot keep the choice: \(error.reason)")
        }
        return hadChoice
    }
}
