package import ReqcliText

/// The file of variables in a workspace's root. It may contain secrets, so it must not be committed.
package struct DotEnvFile {
    package static let name = ".env"
    /// The name of the file that tells git to ignore `.env`.
    package static let ignoreFile = GitIgnore.file

    private let root: String
    private let files: FileSystem

    /// - Parameter files: All files of the machine, because git's files may be in a folder above the workspace.
    package init(in root: String, _ files: FileSystem) {
        (self.root, self.files) = (root, files)
    }

    package var isIgnored: Bool { GitIgnore.ignores(Self.name, in: root, files) }

    /// The hint for a variable that is not set.
    package var advice: String {
        let isInTheOpen = GitRepository(around: root, files) != nil && !isIgnored
        return isInTheOpen
            ? "export it, or put it into .env, with the line \".env\" in .gitignore" : "export it, or put it into .env"
    }

    /// A warning if git tracks the file.
    package func trackedWarning(shown: String) -> Diagnostic? {
        let path = FilePath.join(root, Self.name)
        guard GitRepository(around: root, files)?.tracks(path) == true else { return nil }
        return Diagnostic(
            .warning, code: .fileTracked, "git tracks this file, which may contain secrets", at: nil, fileName: shown,
            hint: "run \"git rm --cached .env\", add the line \".env\" to .gitignore, and change the secrets in it")
    }
}

extension Diagnostic.Code {
    package static let fileTracked: Self = "file.tracked"
}
