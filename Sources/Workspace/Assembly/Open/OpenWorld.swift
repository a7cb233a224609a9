package import ReqcliDefinitions
import ReqcliText
import RequestBuilding

private let secretPrefix = "\u{1}secret:"

extension EnvironmentChain {
    /// The environment with a stand-in for each secret and, if `isOpen` is true, for each variable that is a string or a number.
    func leavingOpen(variables isOpen: Bool) -> EnvironmentChain {
        guard var last = layers.last else { return self }
        last.secrets = secretsInVariables
        if isOpen {
            // A variable that is the port in another variable's URL keeps its value. It can't be replaced by a number, because
            // the other variable isn't always used as an address.
            let ports = variables.compactMap { variable -> String? in
                guard case .text(let template)? = variable.value.set, let position = template.portPosition,
                    case .placeholder(let placeholder) = template.pieces[position]
                else { return nil }
                return placeholder.value.text
            }
            last.variables = variables.compactMap { variable in
                // A scheme keeps its value, too, because a URL has no other schemes.
                guard let literal = variable.value.set?.literal, literal.isScalar,
                    !ports.contains(variable.name), !["http", "https"].contains(literal.plainText.lowercased())
                else { return variable }
                let template = TextTemplate(
                    literal: StandIn.text(for: .variable(variable.name)), at: variable.value.place)
                return Named(
                    variable.name, at: variable.namePlace, Setting(.text(template), at: variable.value.place))
            }
        }
        return EnvironmentChain(name: name, layers: layers.dropLast() + [last])
    }

    /// The environment with each secret read from a variable of the process, whose name `secretName(ofVariable:)` converts back.
    package var readingSecretsFromVariables: EnvironmentChain {
        guard var last = layers.last else { return self }
        last.secrets = secretsInVariables
        return EnvironmentChain(name: name, layers: layers.dropLast() + [last])
    }

    /// The name of the secret that such a variable has; nil for any other variable.
    package static func secretName(ofVariable name: String) -> String? {
        name.hasPrefix(secretPrefix) ? String(name.dropFirst(secretPrefix.count)) : nil
    }

    private var secretsInVariables: [Named<Setting<SecretSource>>] {
        secrets.map { secret in
            let source = SecretSource.processVariable(Located(secretPrefix + secret.name, at: secret.value.place))
            return Named(secret.name, at: secret.namePlace, Setting(source, at: secret.value.place))
        }
    }

    /// The open value that a variable stands for; nil if the variable has a value.
    func openValue(ofVariable name: String) -> OpenValue? {
        guard case .text(let template)? = variables[named: name]?.set else { return nil }
        if let literal = template.literal { return StandIn.onlyValue(of: literal) }
        return switch template.onlyPlaceholder?.value {
        case .secret(let name): .secret(name)
        case .processVariable(let name): .processVariable(name)
        case .computed(let computed): .computed(computed.text, of: [])
        default: nil
        }
    }
}

extension OrderedJSON {
    fileprivate var isScalar: Bool {
        switch self {
        case .string, .number: true
        case .null, .bool, .array, .object: false
        }
    }
}

extension World {
    /// A world without secrets, in which nothing changes: environment variables have stand-ins as values, no program runs, and
    /// the clock stands still.
    func standingIn(for workspace: Workspace, showsAnyFile: Bool) -> World {
        var world = self
        world.hasStandIns = true
        (world.seed, world.placeholderTime) = (nil, nil)
        let variable = world.variable
        let files = world.files
        let dotEnv = workspace.path(DotEnvFile.name)
        world.variable = { name in
            if name == "HOME" { return variable(name) }
            if let secret = EnvironmentChain.secretName(ofVariable: name) { return StandIn.text(for: .secret(secret)) }
            return StandIn.text(for: .processVariable(name))
        }
        world.files.kind = { path in
            if path == dotEnv { return nil }
            return showsAnyFile ? .file : files.kind(path)
        }
        world.standardInput = { () throws(FileProblem) in throw FileProblem(.denied) }
        world.run = { _, _, _ in .notStarted("programs are not run for a request that is not sent") }
        world.uuid = { StandIn.text(for: .generated(.uuid)) }
        world.randomInt = { StandIn.randomInt }
        world.clock.date = { StandIn.time }
        return world
    }
}
