import CommandLineKit
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

extension Context {
    /// The variables for which the user's configuration can have a default. It is not a place for secrets, and can't trust every
    /// workspace.
    static let configurable = ["REQCLI_ENV", History.variable, "EDITOR", "PAGER"]

    /// The path of the user's configuration: a file of lines NAME=value, as in `.env`. Nil if the user has no home folder.
    var configurationPath: String? {
        StateFolder.path("config", below: "XDG_CONFIG_HOME", or: ".config", variable: world.variable)
    }

    /// The default for a variable from the user's configuration; nil if it has none, or in CI. The variable itself and the files of
    /// a workspace come first.
    func configured(_ name: String) throws(Failure) -> String? {
        guard !isInCI, let path = configurationPath, files.kind(path) == .file else { return nil }
        let bytes: [UInt8]
        do throws(FileProblem) { bytes = try files.read(path, 1 << 16) } catch {
            throw Failure(.broken, code: .configurationBroken, "cannot read \(path): \(error.reason)")
        }
        // A line that can't be read may be a secret, as in `.env`.
        let file = SourceFile(name: path, bytes: bytes, isSecret: true)
        let (variables, lineProblems) = DotEnv.parse(String(decoding: bytes, as: UTF8.self))
        let known = Sentence.alternatives(Self.configurable)
        let problems =
            lineProblems.map { problem in
                Diagnostic(
                    code: .configurationBroken, problem.message, at: Place(file, problem.offset..<problem.offset))
            }
            + variables.keys.filter { !Self.configurable.contains($0) }.sorted().map { other in
                Diagnostic(
                    code: .configurationBroken, "\(path): \(other) can't be set here", at: nil,
                    hint: "expected \(known)")
            }
        guard problems.isEmpty else { throw Failure(.broken, problems) }
        return variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension Diagnostic.Code {
    fileprivate static let configurationBroken: Self = "configuration.broken"
}
