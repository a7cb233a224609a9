import Foundation
import TestSupport
import ToolSupport

/// The shell of somebody who follows a page: one for each place, on a terminal, with an empty home and no network.
struct Session {
    enum Step: Sendable {
        case command(String)
        case file(String, text: String)
    }

    struct Outcome: Sendable {
        let status: Int32
        let lines: [String]
    }

    /// What is said of each step: nothing after one that ended the shell.
    ///
    /// Lines have no colours, or else the sequences that a terminal colours them by.
    static func run(
        _ steps: [Step], in place: Page.Place.Kind, columns: Int = 100, isColoured: Bool = false
    ) async throws -> [Outcome] {
        let workspace = try ToolWorkspace(["script": script(steps, in: place)])
        let folder = workspace.folder
        try folder.makeFolder("home")
        try folder.makeFolder("bin")
        try folder.link("bin/reqcli", to: Tool.path)
        let terminal = try PseudoTerminal(columns: UInt16(columns))
        let shell = try Tool.start(
            [folder.path("script")], program: "/bin/sh", in: workspace,
            environment: environment(in: folder).merging(isColoured ? [:] : ["NO_COLOR": "1"]) { $1 },
            output: .descriptor(terminal.program), errors: .descriptor(terminal.program))
        _ = try await shell.end(within: .seconds(120))
        return outcomes(await terminal.finalText().replacing(folder.path("home"), with: home))
    }

    /// How pages write the home folder.
    private static let home = "/home/ada"
    private static let mark = "\u{1E}"

    private static func environment(in folder: TemporaryFolder) -> [String: String] {
        // Whatever would go to the network goes to a port where nobody listens.
        let nobody = "http://127.0.0.1:9"
        return [
            "GIT_CONFIG_NOSYSTEM": "1", "PATH": "\(folder.path("bin")):/usr/bin:/bin",
            "HOME": folder.path("home"),
            "http_proxy": nobody, "https_proxy": nobody, "all_proxy": nobody,
        ]
    }

    private static func script(_ steps: [Step], in place: Page.Place.Kind) -> String {
        var script = "unset REQCLI_HISTORY; cd \"$HOME\" && mkdir api && cd api || exit\n"
        if place == .repository {
            let parts = [".gitignore", "endpoints", "environments", "scenarios", "snapshots", "stubs"].map {
                "'\(Page.root)/\($0)'"
            }
            script += "cp -R \(parts.joined(separator: " ")) . && git init -q -b main && git add -A || exit\n"
            script += "git -c user.name=Ada -c user.email=ada@example.com commit -q -m Start || exit\n"
        }
        script += "\(variables) > \"$HOME/.variables\"\n"
        for step in steps {
            switch step {
            case .command(let text): script += text + "\n"
            case .file(let name, let text):
                let parent = name.contains("/") ? name.split(separator: "/").dropLast().joined(separator: "/") : "."
                script += "mkdir -p \(parent) && cat > \(name) <<'END OF THE FILE'\n\(text)END OF THE FILE\n"
            }
            // The next command may look at the status.
            script += "status=$?; printf '\(mark)%d\(mark)' $status; (exit $status)\n"
        }
        return script
    }

    /// Prints the variables that the shell hands on, except for those that it keeps itself.
    private static let variables = "env | grep -v '^\\(_\\|PWD\\|OLDPWD\\|SHLVL\\)=' | sort"

    /// Prints what a page should have put right again: changed and new files of the repository, and variables that the
    /// next page would inherit.
    static func leftovers(in place: Page.Place.Kind) -> String {
        let changes = place == .repository ? "git status --short; " : ""
        return changes + "\(variables) | diff \"$HOME/.variables\" - | grep '^[<>]'; true"
    }

    private static func outcomes(_ text: String) -> [Outcome] {
        let parts = text.split(separator: mark, omittingEmptySubsequences: false)
        return stride(from: 0, to: parts.count - 1, by: 2).map { index in
            Outcome(status: Int32(parts[index + 1]) ?? -1, lines: lines(parts[index]))
        }
    }

    /// What is on the screen in the end: a line of progress is erased before the next one.
    private static func lines(_ text: Substring) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.split(separator: "\r\u{1B}[K", omittingEmptySubsequences: false).last ?? "")
        }
        // A last line without a line break is shown with one.
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}
