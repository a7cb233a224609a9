import Glibc
import Testing

/// The program as a process of its own: what the tests in this target are about.
struct Program {
    /// What a run came to.
    struct Run: Equatable, CustomStringConvertible {
        /// The exit status; 128 and the signal's number where a signal ended it.
        let status: Int32
        let output: String
        let messages: String

        var description: String { "status \(status)\nstdout:\n\(output)stderr:\n\(messages)" }
    }

    /// What stdout leads to.
    enum Destination {
        case pipe
        /// A pipe that nobody reads any more.
        case closedPipe
        case file(String)
        /// No descriptor at all.
        case nothing
    }

    /// The file beside the tests' own; `REQCLI` names another build, such as the release one.
    static let path: String = {
        if let path = getenv("REQCLI"), path.pointee != 0 { return String(cString: path) }
        guard let tests = realpath("/proc/self/exe", nil) else { return "reqcli" }
        defer { free(tests) }
        let own = String(cString: tests)
        return own.prefix(upTo: own.lastIndex(of: "/") ?? own.startIndex) + "/reqcli"
    }()

    static func run(
        _ arguments: String..., in folder: String, variables: [String: String] = [:],
        output destination: Destination = .pipe, program: [String] = [path]
    ) throws -> Run {
        try run(arguments, in: folder, variables: variables, output: destination, program: program)
    }

    /// Runs the program and waits for its end.
    ///
    /// It gets the variables that are given and no others.
    static func run(
        _ arguments: [String], in folder: String, variables: [String: String] = [:],
        output destination: Destination = .pipe, program: [String] = [path]
    ) throws -> Run {
        let messages = try Pipe()
        let output = try Pipe()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, messages.writing, STDERR_FILENO)
        switch destination {
        case .pipe: posix_spawn_file_actions_adddup2(&actions, output.writing, STDOUT_FILENO)
        case .closedPipe:
            posix_spawn_file_actions_adddup2(&actions, output.writing, STDOUT_FILENO)
            output.closeReading()
        case .file(let path): posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, path, O_WRONLY, 0)
        case .nothing: posix_spawn_file_actions_addclose(&actions, STDOUT_FILENO)
        }

        // `env` changes the folder and the variables, then becomes the program.
        let settings = variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let search = variables["PATH"] == nil ? ["PATH=/usr/bin:/bin:/usr/sbin:/sbin"] : []
        let words = ["/usr/bin/env", "--chdir=\(folder)", "-i"] + search + settings + program + arguments
        var process = pid_t()
        let copies = words.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        let problem = posix_spawn(&process, "/usr/bin/env", &actions, nil, copies + [nil], environ)
        try #require(problem == 0, "\(words): \(String(cString: strerror(problem)))")
        output.closeWriting()
        messages.closeWriting()
        let (outputText, messageText) = Pipe.read(output, messages)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        let signal = status & 0x7F
        return Run(
            status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal, output: outputText, messages: messageText)
    }
}
