import ASCII
import Definitions
import NearNames
package import Redaction
import RequestBuilding
package import SourceText

/// A secret that a request needed, with where it was had from: a renderer says the same in the shell's words.
package struct ResolvedSecret: Sendable, Equatable {
    package enum Origin: Sendable, Equatable {
        /// A variable of the process itself.
        case processVariable(String)
        /// A variable of a `.env` file, which no shell knows.
        case environmentFile(variable: String, file: String)
        case command([String])
        case file(String)
        /// A param marked `secret`.
        case parameter
        /// Taken out of an answer.
        case capture
        /// The password that a netrc file has.
        case netrc
        /// The value of a cookie out of a jar.
        case cookie
    }

    package let name: String
    package let value: String
    package let origin: Origin
    /// False where a shell that reads it from there gets more of it: `$(…)` takes off line feeds and nothing else.
    package let isAsInShell: Bool

    package init(name: String, value: String, origin: Origin, isAsInShell: Bool = true) {
        self.name = name
        self.value = value
        self.origin = origin
        self.isAsInShell = isAsInShell
    }

    /// How it is shown: `secret.apiToken`.
    package var label: String {
        switch origin {
        case .parameter, .capture: name
        default: "secret.\(name)"
        }
    }

    /// The secret as a redactor masks it.
    package var redacted: Redactor.Secret { Redactor.Secret(label: label, value: value) }
}

/// Gets secrets, each once and only when it is asked for.
struct SecretStore {
    struct Problem: Error {
        let code: Diagnostic.Code
        let message: String
        let place: Place
        let hint: String?
    }

    private let scope: EvaluationScope
    private var results: [String: Result<ResolvedSecret, Problem>] = [:]
    private var fileVariables: [String: (value: String, file: String)]?
    /// Files of variables that couldn't be read or understood.
    private(set) var diagnostics: [Diagnostic] = []

    init(_ scope: EvaluationScope) { self.scope = scope }

    private var call: Call { scope.call }
    private var world: World { scope.world }

    /// The secrets that the request uses and that could be read.
    var resolved: [ResolvedSecret] {
        results.values.compactMap { try? $0.get() }.sorted { $0.name < $1.name }
    }

    mutating func secret(_ name: String, at use: Place) -> Result<String, Problem> {
        if let known = results[name] { return known.map(\.value) }
        guard let named = call.environment.secrets[named: name], let source = named.value.value else {
            let known = call.environment.secrets.map(\.name)
            return .failure(
                Problem(
                    code: .secretUnknown, message: "the environment \(call.environment.name) has no secret \"\(name)\"",
                    place: use,
                    hint: NearNames.question(for: name, among: known) ?? "add it to \"secrets\""))
        }
        let result = resolve(name, source, named.place)
        results[name] = result
        return result.map(\.value)
    }

    private mutating func resolve(
        _ name: String, _ source: SecretSource, _ place: Place
    ) -> Result<ResolvedSecret, Problem> {
        func failure(_ message: String, _ place: Place, hint: String? = nil) -> Result<ResolvedSecret, Problem> {
            .failure(
                Problem(
                    code: .secretUnresolved, message: "the secret \"\(name)\" can't be had: \(message)", place: place,
                    hint: hint))
        }
        func found(_ bytes: [UInt8], _ place: Place, _ origin: ResolvedSecret.Origin) -> Result<ResolvedSecret, Problem>
        {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                return failure("it is not UTF-8 text", place)
            }
            let value = String(text.trimmingLineBreaks)
            if let blankness = value.blankness { return failure("it \(blankness)", place) }
            let isAsInShell = !text.utf8.dropFirst(value.utf8.count).contains { $0 != .lineFeed }
            return .success(ResolvedSecret(name: name, value: value, origin: origin, isAsInShell: isAsInShell))
        }

        switch source {
        case .processVariable(let variable):
            guard let value = self.variable(variable.value) else {
                return failure(
                    "the environment variable \(variable.value) is not set", variable.place,
                    hint: "export it, or put it into .env")
            }
            if let blankness = value.value.blankness {
                return failure("the environment variable \(variable.value) \(blankness)", variable.place)
            }
            guard value.isText else {
                return failure("the environment variable \(variable.value) is not UTF-8 text", variable.place)
            }
            let origin: ResolvedSecret.Origin =
                value.file.map { .environmentFile(variable: variable.value, file: $0) }
                ?? .processVariable(variable.value)
            return .success(ResolvedSecret(name: name, value: value.value, origin: origin))
        case .file(let path):
            let absolute = expanded(path.value)
            do throws(EvaluationScope.Objection) { try scope.demandFile(path.value, at: absolute) } catch {
                return failure(error.message, path.place, hint: error.hint)
            }
            do throws(FileProblem) {
                return found(try world.files.read(absolute, 1 << 20), path.place, .file(absolute))
            } catch {
                return failure("\"\(path.value)\" can't be read: \(error.reason)", path.place)
            }
        case .command(let words, let timeout):
            let arguments = words.map(\.value)
            guard let place = words.first?.place else { return failure("its command is empty", place) }
            do throws(EvaluationScope.Objection) { try scope.demand(.program(arguments)) } catch {
                return failure(error.message, place, hint: error.hint)
            }
            switch world.run(arguments, call.workspace.root, timeout ?? .seconds(10)) {
            case .printed(let bytes): return found(bytes, place, .command(arguments))
            case .timedOut:
                return failure(
                    "\"\(arguments[0])\" did not end within \((timeout ?? .seconds(10)).text)", place)
            case .failed(let status, let message):
                return failure(
                    "\"\(arguments[0])\" ended with status \(status)", place, hint: message.isEmpty ? nil : message)
            case .notStarted(let reason): return failure("\"\(arguments[0])\" can't be run: \(reason)", place)
            }
        }
    }

    private func expanded(_ path: String) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home = world.variable("HOME") else {
            return FilePath.tidy(call.workspace.path(path))
        }
        return FilePath.join(home, String(path.dropFirst(path == "~" ? 1 : 2)))
    }
}

// MARK: - Variables

extension SecretStore {
    /// A variable of the process, else of the files given by `--env-file`, else of `.env` in the root.
    mutating func variable(_ name: String) -> Variable? {
        if let value = world.variable(name) { return Variable(value: value, file: nil) }
        if fileVariables == nil { fileVariables = readFiles() }
        return fileVariables?[name].map { Variable(value: $0.value, file: $0.file) }
    }

    struct Variable {
        let value: String
        /// The file that says it; nil for a variable of the process.
        let file: String?

        /// False where bytes that are no UTF-8 were replaced on the way here: something else would be sent.
        var isText: Bool { !value.unicodeScalars.contains("\u{FFFD}") }
    }

    private mutating func readFiles() -> [String: (value: String, file: String)] {
        var all: [String: (value: String, file: String)] = [:]
        let own = call.workspace.path(".env")
        var files = call.environmentFiles
        if world.files.kind(own) != nil {
            // The one file that no definition names; a link in its place is the workspace's doing all the same.
            do throws(EvaluationScope.Objection) {
                try scope.demandFile(".env", at: own)
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
                let text = String(decoding: try world.files.read(path, 1 << 20), as: UTF8.self)
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
                        code: .fileUnreadable, "the file can't be read: \(error.reason)", at: nil, fileName: shown))
            }
        }
        return all
    }
}

extension Diagnostic.Code {
    package static let secretUnresolved: Self = "secret.unresolved"
    package static let environmentFileInvalid: Self = "envFile.invalid"
}
