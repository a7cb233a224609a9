/// A signal that ends the program, and the exit status that a shell then sees.
package struct ToolEnding: Sendable, CustomStringConvertible {
    package let description: String
    package let signal: RunningTool.Signal
    package let status: Int32

    package static let all = [
        ToolEnding(description: "Ctrl-C", signal: .interrupt, status: 130),
        ToolEnding(description: "SIGTERM", signal: .terminate, status: 143),
        ToolEnding(description: "SIGHUP", signal: .hangUp, status: 129),
        ToolEnding(description: "SIGQUIT", signal: .quit, status: 131),
        ToolEnding(description: "SIGALRM", signal: .alarm, status: 142),
        ToolEnding(description: "SIGUSR1", signal: .user, status: 138),
    ]
}
