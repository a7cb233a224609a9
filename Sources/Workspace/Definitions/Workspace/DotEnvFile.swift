package import ReqcliText

/// The file of variables in a workspace's root. It may hold secrets, and belongs to no repository.
package struct DotEnvFile {
    package static let name = ".env"
    /// Where a line keeps it out of git.
    package static let ignoreFile = GitIgnore.file

    private let root: String
    private let files: FileSystem

    /// - Parameter files: All files of the machine: those of git may be above the workspace.
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

    /// A warning if git keeps the file.
    package func trackedWarning(shown: String) -> Diagnostic? {
        let path = FilePath.join(root, Self.name)
        guard GitRepository(around: root, files)?.tracks(path) == true else { return nil }
        return Diagnostic(
            .warning, code: .fileTracked, "git keeps this file, which may hold secrets", at: nil, fileName: shown,
            hint: "run \"git rm --cached .env\", add the line \".env\" to .gitignore, and change the secrets in it")
    }
}

extension Diagnostic.Code {
    package static let fileTracked: Self = "file.tracked"
}
