import Checking
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

extension RunOrigin {
    /// The variables in which CI systems give the commit of a job, and those in which they give its page.
    static let commitVariables = [
        "GITHUB_SHA", "CI_COMMIT_SHA", "CIRCLE_SHA1", "BUILDKITE_COMMIT", "BITBUCKET_COMMIT", "SEMAPHORE_GIT_SHA",
        "GIT_COMMIT",
    ]
    static let jobVariables = ["CI_JOB_URL", "CIRCLE_BUILD_URL", "BUILDKITE_BUILD_URL", "BUILD_URL"]
    /// The parts of the page of a job in GitHub Actions.
    static let gitHubVariables = ["GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID"]

    /// The origin of a run in this environment.
    ///
    /// - Parameters:
    ///   - baseURL: The server that a flag names instead.
    ///   - isStubbed: Whether stubs respond, which a flag has chosen.
    init(
        _ environment: EnvironmentChain, in workspace: Workspace, baseURL: String?, isStubbed: Bool, _ context: Context
    ) {
        let commit = Self.commitVariables.lazy.compactMap(context.variable).first { Self.isCommit($0) }
        var server: String?
        if !isStubbed, environment.stubs == nil {
            server = baseURL ?? EnvironmentStanding(environment, in: workspace, context).server
        }
        self.init(
            server: server, commit: commit ?? Self.commit(of: workspace.root, context.files),
            job: Self.job(context.variable)
        )
    }

    private static func job(_ variable: (String) -> String?) -> String? {
        let gitHub = gitHubVariables.compactMap(variable)
        let page =
            gitHub.count == 3
            ? "\(gitHub[0])/\(gitHub[1])/actions/runs/\(gitHub[2])" : jobVariables.lazy.compactMap(variable).first
        return page.flatMap { $0.hasPrefix("https://") || $0.hasPrefix("http://") ? $0 : nil }
    }

    // MARK: git

    private static let longestFile = 1 << 24

    /// The commit that is checked out around a folder; nil if it is not in a repository. Runs no program.
    private static func commit(of folder: String, _ files: FileSystem) -> String? {
        var folder = folder
        while true {
            let path = FilePath.join(folder, ".git")
            switch files.kind(path) {
            case .directory: return head(in: path, files)
            case .file:
                // A worktree: the file names its folder.
                guard let line = firstLine(of: path, files), line.hasPrefix("gitdir: ") else { return nil }
                return head(in: FilePath.join(folder, String(line.dropFirst("gitdir: ".count))), files)
            default: break
            }
            let parent = FilePath.parent(folder)
            if parent == folder || folder == "/" { return nil }
            folder = parent
        }
    }

    private static func head(in git: String, _ files: FileSystem) -> String? {
        guard let line = firstLine(of: FilePath.join(git, "HEAD"), files) else { return nil }
        guard line.hasPrefix("ref: ") else { return isCommit(line) ? line : nil }
        let name = String(line.dropFirst("ref: ".count))
        // The branches of a worktree are in the folder of the repository itself.
        let common = firstLine(of: FilePath.join(git, "commondir"), files).map { FilePath.join(git, $0) }
        for folder in [git] + [common].compactMap(\.self) {
            if let commit = firstLine(of: FilePath.join(folder, name), files), isCommit(commit) { return commit }
            let packed = try? files.read(FilePath.join(folder, "packed-refs"), longestFile)
            for line in String(decoding: packed ?? [], as: UTF8.self).split(separator: "\n") {
                let words = line.split(separator: " ")
                if words.count == 2, words[1] == name, isCommit(String(words[0])) { return String(words[0]) }
            }
        }
        return nil
    }

    private static func firstLine(of path: String, _ files: FileSystem) -> String? {
        guard let bytes = try? files.read(path, longestFile) else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init)
    }

    private static func isCommit(_ text: String) -> Bool {
        [40, 64].contains(text.utf8.count) && text.utf8.allSatisfy { $0.isDigit || (0x61...0x66).contains($0) }
    }
}
