import ReqcliBasics
import ReqcliDefinitions
package import ReqcliFunctions
import ReqcliJSONPath
package import ReqcliRedaction
package import ReqcliText
import RequestBuilding

/// A secret that a request needed, with its origin. A renderer writes the origin in the syntax of a shell.
package struct ResolvedSecret: Sendable, Equatable {
    package enum Origin: Sendable, Equatable {
        /// A variable of the process itself.
        case processVariable(String)
        /// A variable of a `.env` file, which shells don't read.
        case environmentFile(variable: String, file: String)
        case command([String])
        case file(String)
        /// A param marked `secret`.
        case parameter
        /// A value captured from a response.
        case capture
        /// A capture of a needed endpoint whose request wasn't sent. The value is a stand-in.
        case awaitedCapture(_ alias: String, _ name: String)
        /// A password from a netrc file.
        case netrc
        /// The value of a cookie from a cookie jar.
        case cookie
        /// A value that functions made from a secret, with the commands of a shell that do the same, and the values that it was made from.
        case computed(ShellPipe?, of: [String] = [])
        /// A value that functions would make from the stand-in of a capture.
        case computedLater
        /// An access token that a request gets when it is sent. The value is a stand-in; these words print the token.
        case accessToken([String])
        /// A value that is written in plain text in a file that isn't meant for secrets.
        case written
    }

    package let name: String
    package let value: String
    package let origin: Origin
    /// Whether a shell command gets the same value from the origin. False if the value ended in a line break other than a line
    /// feed: reqcli removes it, but `$(…)` doesn't.
    package let isAsInShell: Bool

    package init(name: String, value: String, origin: Origin, isAsInShell: Bool = true) {
        self.name = name
        self.value = value
        self.origin = origin
        self.isAsInShell = isAsInShell
    }

    /// Whether the value is a stand-in, because the real value is not known.
    package var isStandIn: Bool {
        switch origin {
        case .awaitedCapture, .computedLater, .accessToken: true
        default: false
        }
    }

    /// The name that is shown in place of the value: `secret.apiToken`.
    package var label: String {
        switch origin {
        case .parameter, .capture, .awaitedCapture, .computed, .computedLater, .accessToken: name
        default: "secret.\(name)"
        }
    }

    /// The secret as a message names it: `secret.apiToken`, or `the password` for one that the definitions don't name.
    package var phrase: String { origin == .written ? "the \(name)" : label }

    /// The secret in the form that a redactor takes.
    package var redacted: Redactor.Secret { Redactor.Secret(label: label, value: value) }
}

/// Reads secrets, each only once and only when it is needed.
struct SecretStore {
    private let scope: EvaluationScope
    private var results: [String: Result<ResolvedSecret, Failure>] = [:]
    /// The outcomes of the programs, so that a program with several secrets runs once.
    private var outcomes: [[String]: ProgramOutcome] = [:]
    private var fileVariables: [String: (value: String, file: String)]?
    /// Problems with files of variables that couldn't be read or parsed.
    private(set) var diagnostics: [Diagnostic] = []

    init(_ scope: EvaluationScope) { self.scope = scope }

    private var call: Call { scope.call }
    private var world: World { scope.world }

    /// The secrets that the request uses and that could be read.
    var resolved: [ResolvedSecret] {
        results.values.compactMap { try? $0.get() }.sorted { $0.name < $1.name }
    }

    mutating func secret(_ name: String, at use: Place) -> Result<String, Failure> {
        if let known = results[name] { return known.map(\.value) }
        guard let named = call.environment.secret(name), let source = named.set else {
            let known = call.environment.secrets.map(\.name)
            return .failure(
                Failure(
                    .broken, code: .secretUnknown,
                    "the environment \(own: call.environment.name) has no secret \"\(own: name)\"", at: use,
                    hint: NearNames.question(for: name, among: known).map(Wording.init(own:)) ?? "add it to \"secrets\""
                ))
        }
        var result = Result { () throws(Failure) in try resolve(name, source, named.place) }
        if call.mayLackSecrets, case .failure = result {
            result = .success(ResolvedSecret(name: name, value: "no-\(name)", origin: .written))
        }
        results[name] = result
        return result.map(\.value)
    }

    private mutating func resolve(
        _ name: String, _ source: SecretSource, _ place: Place
    ) throws(Failure) -> ResolvedSecret {
        switch source {
        case .processVariable(let variable): try secret(name, variable)
        case .file(let path): try secret(name, file: path)
        case .command(let words, let timeout, let json):
            try secret(name, words, json, timeout ?? .seconds(10), at: place)
        }
    }

    private mutating func secret(_ name: String, _ variable: Located<String>) throws(Failure) -> ResolvedSecret {
        let title: Wording = "the environment variable \(own: variable.value)"
        guard let value = self.variable(variable.value) else {
            throw failure(name, "\(title) is not set", at: variable.place, hint: Wording(own: unsetAdvice))
        }
        if let blankness = value.value.blankness {
            throw failure(name, "\(title) \(own: blankness)", at: variable.place)
        }
        guard value.isText else { throw failure(name, "\(title) is not UTF-8 text", at: variable.place) }
        let origin: ResolvedSecret.Origin =
            value.file.map { .environmentFile(variable: variable.value, file: $0) } ?? .processVariable(variable.value)
        return ResolvedSecret(name: name, value: value.value, origin: origin)
    }

    /// The hint for a variable that is not set.
    var unsetAdvice: String { DotEnvFile(in: call.workspace.root, world.files).advice }

    private func secret(_ name: String, file path: Located<String>) throws(Failure) -> ResolvedSecret {
        let absolute = expanded(path.value)
        let real: String?
        do throws(EvaluationScope.Objection) { real = try scope.demandFile(path.value, at: absolute) } catch {
            throw failure(
                name, Wording(quoting: error.message), at: path.place, hint: error.hint.map(Wording.init(quoting:)))
        }
        let bytes: [UInt8]
        do throws(FileProblem) { bytes = try world.read(absolute, upTo: 1 << 20, leadingTo: real) } catch {
            throw failure(name, "cannot read \"\(own: path.value)\": \(own: error.reason)", at: path.place)
        }
        return try secret(name, bytes, at: path.place, .file(absolute))
    }

    private mutating func secret(
        _ name: String, _ words: [Located<String>], _ json: Located<String>?, _ timeout: Duration, at place: Place
    ) throws(Failure) -> ResolvedSecret {
        let arguments = words.map(\.value)
        guard let place = words.first?.place else { throw failure(name, "its command is empty", at: place) }
        do throws(EvaluationScope.Objection) { try scope.demand(.program(arguments)) } catch {
            throw failure(
                name, Wording(quoting: error.message), at: place, hint: error.hint.map(Wording.init(quoting:)))
        }
        let title: Wording = "\"\(own: arguments[0])\""
        let outcome = outcomes[arguments] ?? world.run(arguments, call.workspace.root, timeout)
        outcomes[arguments] = outcome
        switch outcome {
        case .printed(let bytes):
            guard let json else { return try secret(name, bytes, at: place, .command(arguments)) }
            return try secret(
                name, part(json, of: bytes, name), at: json.place, .command(arguments), isAsInShell: false)
        case .timedOut: throw failure(name, "\(title) did not end within \(own: timeout.text)", at: place)
        case .failed(let status, let message):
            throw failure(
                name, "\(title) ended with status \(status)", at: place,
                hint: message.isEmpty ? nil : Wording(quoting: message))
        case .notStarted(let reason): throw failure(name, "cannot run \(title): \(reason)", at: place)
        }
    }

    /// The text or number that a JSONPath selects in the output of a program. No message contains a part of the output.
    private func part(_ path: Located<String>, of bytes: [UInt8], _ name: String) throws(Failure) -> [UInt8] {
        guard let root = JSONDocument.read(SourceFile(name: "output", bytes: bytes)).validRoot else {
            throw failure(name, "the program did not print JSON", at: path.place)
        }
        guard let query = PathReading.read(path.value, at: path.place).value, let nodes = try? query.nodes(in: root),
            nodes.count == 1, [.string, .number].contains(nodes[0].kind)
        else {
            throw failure(
                name, "\"\(own: path.value)\" does not select one text or number in what the program prints",
                at: path.place)
        }
        return Array((nodes[0].string ?? nodes[0].text).utf8)
    }

    /// A secret from the bytes of a file or from the output of a program.
    private func secret(
        _ name: String, _ bytes: [UInt8], at place: Place, _ origin: ResolvedSecret.Origin, isAsInShell: Bool = true
    ) throws(Failure) -> ResolvedSecret {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw failure(name, "the value is not UTF-8 text", at: place)
        }
        let value = String(text.trimmingLineBreaks)
        if let blankness = value.blankness { throw failure(name, "the value \(own: blankness)", at: place) }
        let isAsInShell = isAsInShell && !text.utf8.dropFirst(value.utf8.count).contains { $0 != .lineFeed }
        return ResolvedSecret(name: name, value: value, origin: origin, isAsInShell: isAsInShell)
    }

    private func failure(_ name: String, _ message: Wording, at place: Place, hint: Wording? = nil) -> Failure {
        Failure(
            .broken, code: .secretUnresolved, "cannot read secret \"\(own: name)\": \(message)", at: place, hint: hint)
    }

    private func expanded(_ path: String) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home = world.variable("HOME") else {
            return FilePath.tidy(call.workspace.path(path))
        }
        return FilePath.join(home, String(path.dropFirst(path == "~" ? 1 : 2)))
    }
}

// MARK: - Variables

/// Whether a variable is set, and where.
package enum VariableStanding: Sendable, Equatable {
    case unset
    /// A variable of the process.
    case process
    /// A variable in a file such as `.env`.
    case file(String)
}

extension Call {
    /// Looks for variables without using their values.
    package func standing(ofVariables names: [String], in world: World) -> [VariableStanding] {
        let parameters = Parameters.bind(self, world: world, isWhole: false).parameters
        var store = SecretStore(EvaluationScope(call: self, parameters: parameters, world: world))
        return names.map { name in
            guard let variable = store.variable(name), variable.value.blankness == nil else { return .unset }
            return variable.file.map { .file($0) } ?? .process
        }
    }
}

extension Call {
    /// The values of the secrets that come from variables and from files of the workspace. No program runs, the user is not asked,
    /// and no other file is read.
    package func secretsAtHand(in world: World) -> [(name: String, value: String)] {
        let parameters = Parameters.bind(self, world: world, isWhole: false).parameters
        var store = SecretStore(EvaluationScope(call: self, parameters: parameters, world: world))
        return environment.secrets.compactMap { secret in
            switch secret.value.set {
            case .processVariable(let variable): return store.variable(variable.value).map { (secret.name, $0.value) }
            case .file(let path) where FilePath.isBelowRoot(path.value):
                return (try? store.secret(secret.name, at: secret.namePlace).get()).map { (secret.name, $0) }
            case .file, .command, nil: return nil
            }
        }
    }
}

extension SecretStore {
    /// Looks for a variable in the process, then in the files given by `--env-file`, and then in `.env` in the root.
    mutating func variable(_ name: String) -> Variable? {
        if let value = world.variable(name) { return Variable(value: value, file: nil) }
        if fileVariables == nil { fileVariables = readFiles() }
        return fileVariables?[name].map { Variable(value: $0.value, file: $0.file) }
    }

    struct Variable {
        let value: String
        /// The file that defines the variable; nil for a variable of the process.
        let file: String?

        /// Whether the value is valid text. False if it contained bytes that are not UTF-8: these bytes were replaced when the
        /// value was read, so a wrong value would be sent.
        var isText: Bool { !value.unicodeScalars.contains("\u{FFFD}") }
    }

    private mutating func readFiles() -> [String: (value: String, file: String)] {
        var all: [String: (value: String, file: String)] = [:]
        let own = call.workspace.path(DotEnvFile.name)
        var files = call.environmentFiles
        if world.files.kind(own) != nil {
            // No definition mentions `.env`, so it normally needs no permission. But if `.env` is a link, the workspace decides
            // which file is read, so the user has to agree.
            do throws(EvaluationScope.Objection) {
                try scope.demandFile(DotEnvFile.name, at: own)
                files.insert(own, at: 0)
            } catch {
                let shown = FilePath.shown(own, from: call.workspace.currentFolder)
                diagnostics.append(
                    Diagnostic(code: .fileUntrusted, error.message, at: nil, fileName: shown, hint: error.hint))
            }
        }
        for path in files {
            let shown = FilePath.shown(path, from: call.workspace.currentFolder)
            do throws(FileProblem) {
                let bytes =
                    try path == own ? world.files.read(path, 1 << 20) : world.files.readTyped(path, upTo: 1 << 20)
                let text = String(decoding: bytes, as: UTF8.self)
                let (variables, problems) = DotEnv.parse(text)
                for (name, value) in variables { all[name] = (value, shown) }
                let file = SourceFile(name: shown, text: text, isSecret: true)
                diagnostics += problems.map {
                    Diagnostic(
                        code: .environmentFileInvalid, $0.message, at: Place(file, $0.offset..<$0.offset))
                }
            } catch {
                diagnostics.append(
                    Diagnostic(
                        code: .fileUnreadable, "cannot read the file: \(error.reason)", at: nil, fileName: shown))
            }
        }
        return all
    }
}

extension Diagnostic.Code {
    package static let secretUnresolved: Self = "secret.unresolved"
    package static let environmentFileInvalid: Self = "envFile.invalid"
}
