import Glibc

extension Terminal {
    /// The terminal of this process, or of the given descriptors.
    package static func live(
        input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, error: Int32 = STDERR_FILENO,
        environment: @escaping @Sendable (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
    ) -> Terminal {
        Terminal(
            isTerminal: { stream in
                switch stream {
                case .input: isatty(input) == 1
                case .output: isatty(output) == 1
                case .error: isatty(error) == 1
                }
            },
            width: {
                // If the output goes to a pager, stderr may still be the terminal.
                TerminalWidth.chosen(
                    columns: environment("COLUMNS"), window: windowWidth(output) ?? windowWidth(error))
            },
            // Whoever hung up is not asked any more.
            write: { try? writeAll($0.utf8, to: error) },
            readLine: { LineReader(descriptor: input).readLine() },
            readSecret: { LineReader(descriptor: input).readSecret() })
    }

    private static func windowWidth(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
