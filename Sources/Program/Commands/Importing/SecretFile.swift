import CommandLineKit
import Importing
import Recording
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// Keeps the values of secrets in `.env`, which only the user can read and which git ignores.
struct SecretFile {
    private let workspace: Workspace
    private let context: Context

    init(_ workspace: Workspace, _ context: Context) {
        self.workspace = workspace
        self.context = context
    }

    /// Whether the file can hold the value of a secret: the value must be known and have a single line.
    static func canHold(_ secret: ImportedSecret) -> Bool { secret.value != nil && !isTooLong(secret) }

    /// Whether the value of a secret has several lines, which `.env` can't hold.
    static func isTooLong(_ secret: ImportedSecret) -> Bool {
        secret.value?.unicodeScalars.contains { ["\n", "\r"].contains($0) } ?? false
    }

    /// The file with the missing values added; nil if there is nothing to add.
    ///
    /// - Parameter isIgnored: Whether the import makes a `.gitignore` that keeps the file out of git.
    func file(with secrets: [ImportedSecret], isIgnored: Bool) throws(Failure) -> FileSet.File? {
        let path = workspace.path(DotEnvFile.name)
        let before = try before(path)
        let known = DotEnv.parse(before.map { String(decoding: $0, as: UTF8.self) } ?? "").variables
        let new = secrets.compactMap { secret -> String? in
            guard Self.canHold(secret), let value = secret.value else { return nil }
            return known[secret.variable] != nil ? nil : "\(secret.variable)=\(Self.quoted(value))"
        }
        if new.isEmpty { return nil }
        guard isIgnored || DotEnvFile(in: workspace.root, context.files).isIgnored else {
            throw Failure(
                .usage, code: .outputFailed, "--save-secrets writes to .env, which git doesn't ignore here",
                hint: "add the line \"\(DotEnvFile.name)\" to .gitignore")
        }
        var bytes = before ?? []
        if !bytes.isEmpty, bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
        bytes += Array((new.joined(separator: "\n") + "\n").utf8)
        return FileSet.File(path: path, bytes: bytes, isThere: before != nil, isPrivate: true)
    }

    /// The bytes of the file; nil if there is none. A file that can't be read is never replaced.
    private func before(_ path: String) throws(Failure) -> [UInt8]? {
        do throws(FileProblem) {
            return try context.files.read(path, Workspace.largestFile)
        } catch {
            if error.kind == .missing { return nil }
            throw Failure(
                .usage, code: .fileUnreadable, "--save-secrets can't add to \(DotEnvFile.name): \(error.reason)",
                hint: "fix the file, or import without --save-secrets")
        }
    }

    private static func quoted(_ value: String) -> String {
        if !value.contains("'") { return "'\(value)'" }
        let escaped = value.map { "\\\"$".contains($0) ? "\\\($0)" : String($0) }.joined()
        return "\"\(escaped)\""
    }
}
