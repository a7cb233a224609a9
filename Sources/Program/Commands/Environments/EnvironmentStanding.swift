import Exchange
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText

/// The description of an environment: its server, its variables and the sources of its secrets. Making the description sends
/// nothing, runs no program and reads no secret.
struct EnvironmentStanding {
    let chain: EnvironmentChain
    /// The server as it would be called; nil if the environment names none that is known before a request.
    let server: String?
    /// The reason why the server isn't known.
    private let problem: String?
    let secrets: [Secret]

    struct Secret {
        let name: String
        /// Where the secret comes from, as a phrase.
        let source: String
        /// The only origins that may receive the secret; nil if it may be sent anywhere.
        let origins: [String]?
        /// Whether the secret can't be read; nil if only a request finds out.
        let isMissing: Bool?
        let place: Place
    }

    init(_ chain: EnvironmentChain, in workspace: Workspace, _ context: Context) {
        self.chain = chain
        var world = context.world
        world.run = { _, _, _ in .notStarted("nothing runs for a description") }
        world.files.kind = { _ in nil }
        world.files.read = { _, _ throws(FileProblem) in throw FileProblem(.missing) }
        var call = Call(
            workspace: workspace, endpoint: LocatedEndpoint(typed: "", in: nil), environment: chain.server)
        call.mayLackSecrets = true
        do throws(Failure) {
            server = Explanation(try Assembler(world: world).assemble(call)).url
            problem = nil
        } catch {
            server = nil
            problem = error.diagnostics.first?.message
        }
        let variables = chain.secrets.compactMap { $0.value.set?.variable }
        // All variables are looked for at once, because each look reads `.env`.
        let standings = Dictionary(
            zip(variables, call.standing(ofVariables: variables, in: context.world)), uniquingKeysWith: { $1 })
        secrets = chain.secrets.compactMap { secret in
            secret.value.set.map { source in
                Secret(
                    secret.name, source, secret.value.place, source.variable.flatMap { standings[$0] },
                    chain.origins(ofSecret: secret.name)?.map(\.value))
            }
        }
    }

    /// The server, or the reason why it isn't known.
    var serverText: String { server ?? "not known: \(problem ?? "the environment has none")" }

    /// The secrets that are known to be missing.
    var missing: [Secret] { secrets.filter { $0.isMissing == true } }

    /// The variables in force. A value that looks like a secret is not shown.
    var variables: [(name: String, value: OrderedJSON, place: Place)] {
        chain.variables.compactMap { variable in
            guard let template = variable.value.set else { return nil }
            let isSecret =
                LikelySecret.isSecret(variable.name, template.source.plainText)
                || LikelySecret.isIn(template.source.plainText)
            return (variable.name, isSecret ? .string("<not shown>") : template.source, variable.value.place)
        }
    }
}

extension SecretSource {
    /// The name of the variable that holds the secret; nil for another source.
    fileprivate var variable: String? { if case .processVariable(let variable) = self { variable.value } else { nil } }
}

extension EnvironmentStanding.Secret {
    /// - Parameter standing: Whether the variable of the secret is set; nil if the secret doesn't come from a variable.
    fileprivate init(
        _ name: String, _ source: SecretSource, _ place: Place, _ standing: VariableStanding?, _ origins: [String]?
    ) {
        self.name = name
        self.origins = origins
        self.place = place
        switch source {
        case .processVariable(let variable):
            let file = if case .file(let file)? = standing { ", in \(file)" } else { "" }
            self.source = "variable \(variable.value)\(file)"
            isMissing = standing == .unset
        case .command(let words, _, let json):
            let part = json.map { ", \($0.value)" } ?? ""
            self.source = "program \(ShellQuoting.line(words.map(\.value)))\(part)"
            isMissing = nil
        case .file(let path):
            self.source = "file \(path.value)"
            isMissing = nil
        }
    }
}

// MARK: - For a person

extension EnvironmentStanding {
    /// - Parameter choice: How the environment was chosen.
    func lines(_ choice: EnvironmentChoice, width: Int?) -> [Styled] {
        let facts = [
            chain.layers.last?.summary.map { [Styled("about", .cyan), Styled(harmlessLine($0))] },
            [Styled("server", .cyan), Styled(harmlessLine(serverText))],
            bases.isEmpty ? nil : [Styled("extends", .cyan), Styled(bases.joined(separator: ", "))],
            needs.map { [Styled("needs", .cyan), Styled($0)] },
            policy.map { [Styled("policy", .cyan), Styled($0)] },
        ]
        let sections = [
            ("Variables", variables.map { [Styled(harmlessLine($0.name), .cyan), shown($0.value), $0.place.dimmed] }),
            (
                "Secrets",
                secrets.map { secret in
                    [
                        Styled(harmlessLine(secret.name), .cyan), Styled(harmlessLine(secret.source + secret.limit)),
                        secret.state,
                        secret.place.dimmed,
                    ]
                }
            ),
        ]
        return [Styled(chain.name, [.bold, .cyan]) + Styled(choice.originText, .dim)]
            + table(facts.compactMap(\.self), width)
            + sections.flatMap { title, rows in
                rows.isEmpty ? [] : ["", Styled(title, .bold)] + table(rows, width)
            }
    }

    private func table(_ rows: [[Styled]], _ width: Int?) -> [Styled] {
        var columns = Columns()
        for row in rows { columns.add(row) }
        return columns.lines(indent: 2, width: width, overflow: .wrapped)
    }

    private func shown(_ value: OrderedJSON) -> Styled { Styled(harmlessLine(value.plainText)) }

    /// The environments that this environment extends, the nearest last.
    private var bases: [String] { chain.layers.dropLast().map(\.name) }

    /// The endpoints that are called before every endpoint.
    var needs: String? {
        let ids = chain.needs.compactMap(\.value.endpoint?.value)
        return ids.isEmpty ? nil : ids.joined(separator: ", ")
    }

    var policy: String? {
        guard let policy = chain.policy else { return nil }
        let rules = [
            policy.methods.map { "only \($0.map(\.value).joined(separator: ", "))" },
            policy.confirm.isEmpty ? nil : "asks before \(policy.confirm.map(\.value).joined(separator: ", "))",
            policy.allowsHistory ? nil : "no history",
            policy.probesUnsafeMethods ? "check --probe may call any method" : nil,
        ]
        let all = rules.compactMap(\.self)
        return all.isEmpty ? nil : all.joined(separator: "; ")
    }
}

extension EnvironmentStanding.Secret {
    /// The origins that may receive the secret, as the rest of a phrase.
    fileprivate var limit: String { origins.map { ", only to \($0.joined(separator: ", "))" } ?? "" }

    fileprivate var state: Styled {
        switch isMissing {
        case true?: Styled("not set", .red)
        case false?: Styled("set", .green)
        case nil: Styled("read when a request needs it", .dim)
        }
    }
}

extension Place {
    fileprivate var dimmed: Styled { Styled(lineText, .dim) }
}

// MARK: - For a program

extension EnvironmentStanding {
    /// - Parameter choice: The current environment.
    func record(_ choice: EnvironmentChoice) -> OrderedJSON {
        let isCurrent = chain.name == choice.name
        return .object([
            "name": .string(chain.name), "current": .bool(isCurrent),
            "description": chain.layers.last?.summary.map { .string($0) },
            "server": server.map { .string($0) },
            "extends": .array(bases.map { .string($0) }),
            "needs": chain.needs.isEmpty
                ? nil
                : .object(
                    chain.needs.compactMap { need in need.value.endpoint.map { .init(need.name, .string($0.value)) } }),
            "variables": .object(variables.map { .init($0.name, $0.value) }),
            "secrets": .array(
                secrets.map {
                    .object([
                        "name": .string($0.name), "source": .string($0.source),
                        "missing": $0.isMissing.map { .bool($0) },
                        "origins": $0.origins.map { .array($0.map { .string($0) }) },
                    ])
                }),
        ])
    }
}
