package import CommandLineKit
import Glibc
package import LoadTesting
package import ReqcliAssembly
import ReqcliBasics
package import ReqcliDefinitions
package import ReqcliText

/// Everything that a command needs from outside the program, as values and closures that tests can replace.
package struct Context: Sendable {
    package var world: World
    package var writing: FileWriting
    /// The folder in which the program was started; nil if it no longer exists.
    package var currentFolder: @Sendable () -> String?
    /// The id of the user who runs the program.
    package var userID: UInt32
    package var terminal: Terminal
    package var network: Network
    /// The kernel and the processor: `Linux 6.1.0 x86_64`.
    package var machine: @Sendable () -> String = { "" }
    /// The processor time of the program up to now.
    package var processorSample: @Sendable () -> ProcessorSample = { ProcessorSample() }
    /// The path of the program's file; nil if it is not known.
    package var programPath: @Sendable () -> String? = { nil }
    /// Starts a pager with a shell command; nil if that fails.
    package var startPager: @Sendable (_ command: String) -> ReadingProgram? = { _ in nil }
    /// Runs an editor with a shell command and the path of a file, and returns its exit status; nil if it can't be started.
    package var runEditor: @Sendable (_ command: String, _ path: String) -> Int32? = { _, _ in nil }
    /// Opens an address in the user's browser, and returns whether that was possible.
    package var openBrowser: @Sendable (_ address: String) -> Bool = { _ in false }
    /// The output for results.
    package var output: Output
    /// The output for everything else.
    package var messages: Output
    /// How messages are written, as the command line's options say.
    package var outputPreferences = OutputPreferences()
    /// The warnings already given, for warnings that are given only once per process.
    package let givenWarnings = GivenWarnings()
    /// The limits of a call that an agent makes; nil for a person's.
    var agent: AgentRule?
    /// The access tokens that this process has used.
    let tokens = TokenMemory()
    package struct OutputPreferences: Sendable {
        package var colour = ColourFlag.auto
        /// Whether problems are reported as JSON.
        package var reportsJSON = false
        /// Whether notes are left out, and what went right is not told.
        package var isQuiet = false
        /// Whether a terminal shows the progress of slow transfers.
        package var showsProgress = true
    }

    package init(
        world: World, writing: FileWriting, currentFolder: @escaping @Sendable () -> String?, userID: UInt32,
        terminal: Terminal, network: Network, output: Output, messages: Output
    ) {
        self.world = world
        self.writing = writing
        self.currentFolder = currentFolder
        self.userID = userID
        self.terminal = terminal
        self.network = network
        self.output = terminal.isTerminal(.output) ? output.toTerminal : output
        self.messages = terminal.isTerminal(.error) ? messages.toTerminal : messages
    }
}

extension Context {
    package var files: FileSystem { world.files }

    /// A variable of the process.
    package func variable(_ name: String) -> String? { world.variable(name) }

    /// Whether the program runs in CI. A run in CI ignores kept logins, so that it shows the present state. It stores no logins
    /// and no history, so that nothing is left behind.
    var isInCI: Bool { !["", "false", "0"].contains(variable("CI")?.lowercased() ?? "") }

    /// Whether the output to a stream is coloured.
    package func isColoured(_ stream: Terminal.Stream) -> Bool {
        TerminalText.colourChoice(
            flag: outputPreferences.colour, isTerminal: terminal.isTerminal(stream), environment: world.variable)
    }

    /// The value of a variable; nil if it is not set or empty.
    package func setVariable(_ name: String) -> String? {
        variable(name).flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// Keeps values alive until the process exits, because freeing them just before would be wasted work: 6 % of the instructions of
/// `list` with 1,000 endpoints, and 3 % of `check --stub` with 1,000 cases.
func leakUntilExit(_ values: [any Sendable]) {
    _ = Unmanaged.passRetained(Leaked(values: values))
}

private final class Leaked {
    let values: [any Sendable]

    init(values: [any Sendable]) { self.values = values }
}

extension Context {
    /// The world of this process.
    package static func live() -> Context {
        // With SIGPIPE ignored, `write` fails if the reader has closed the pipe, and the program can end in order. With SIGXFSZ
        // ignored, `write` also fails if a file grows beyond the process's limit (`ulimit -f`). Child processes get the default
        // actions of both signals.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        var context = Context(
            world: .live,
            writing: .live,
            currentFolder: {
                guard let path = getcwd(nil, 0) else { return nil }
                defer { free(path) }
                return String(cString: path)
            },
            userID: geteuid(),
            terminal: .live(),
            network: .live,
            output: Output(descriptor: STDOUT_FILENO),
            messages: Output(descriptor: STDERR_FILENO))
        context.programPath = {
            guard let path = realpath("/proc/self/exe", nil) else { return nil }
            defer { free(path) }
            return String(cString: path)
        }
        context.processorSample = ProcessorSample.live
        context.machine = {
            var name = utsname()
            guard uname(&name) == 0 else { return "" }
            func text<Field>(_ field: Field) -> String {
                withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            }
            return [text(name.sysname), text(name.release), text(name.machine)].joined(separator: " ")
        }
        context.startPager = { ReadingProgram(shellCommand: $0) }
        context.openBrowser = { address in
            // In the background, because some browsers run until they are closed.
            let line = "command -v xdg-open > /dev/null && { xdg-open \"$0\" < /dev/null > /dev/null 2>&1 & }"
            if case .printed = ProgramRunner.run(["sh", "-c", line, address], in: "/", timeout: .seconds(10)) {
                return true
            }
            return false
        }
        context.runEditor = { ForegroundProgram.run(["sh", "-c", "\($0) \"$1\"", "sh", $1]) }
        return context
    }
}
