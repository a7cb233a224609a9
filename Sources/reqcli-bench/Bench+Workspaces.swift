import CSpawn
import Glibc

extension Bench {
    /// Commands over many endpoints: ten times as many should take about ten times as long.
    mutating func workspaces(of program: String) {
        heading("Commands, best of 3")
        let start = Self.best(of: 10) { run(program, ["--version"], in: "/") }
        line("--version", "\(Self.rounded(start * 1000)) ms", "what starting costs")
        guard let small = GeneratedWorkspace(files: 50), let large = GeneratedWorkspace(files: 500) else {
            return promise("a workspace can be made below /tmp", false)
        }
        for command in ["list", "validate"] {
            let few = Self.best(of: 3) { run(program, [command], in: small.path) }
            let many = Self.best(of: 3) { run(program, [command], in: large.path) }
            let ratio = max(many - start, 0) / max(few - start, 0.0001)
            line(
                "\(command), 1,000 and 10,000", "\(Self.rounded(few * 1000)) ms and \(Self.rounded(many * 1000)) ms",
                "without the start \(Self.rounded(ratio)) times as long")
            promise("\(command) is linear", ratio < 15)
            if command == "list" { promise("list of 10,000 endpoints in 1 s", many < 1) }
        }
        let one = Self.best(of: 3) { run(program, ["show", "group499.endpoint19"], in: large.path) }
        line("show, one of 10,000", "\(Self.rounded(one * 1000)) ms", "")
        promise("show doesn't grow with the workspace", one < start + 0.05)
    }

    /// Runs the program to its end; a benchmark of one that fails would mean nothing.
    private func run(_ program: String, _ words: [String], in folder: String) {
        let nowhere = open("/dev/null", O_WRONLY)
        defer { close(nowhere) }
        let copies = ([program] + words).map { strdup($0) }
        defer { copies.forEach { free($0) } }
        var process = pid_t()
        var status: Int32 = -1
        let problem = reqcli_spawn(&process, folder, copies + [nil], nowhere, STDERR_FILENO)
        if problem == 0 { waitpid(process, &status, 0) }
        if status != 0 { exit(complaining: "\(program) \(words.joined(separator: " ")): status \(status)") }
    }
}
