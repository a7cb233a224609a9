package import CommandLineKit

/// A command: its spec, how it reads its arguments, and what it does.
///
/// A command is one file (or one folder) and one line in ``CommandList``. Help, suggestions, the manual page and
/// completions follow from its spec.
package protocol Command: Sendable {
    static var spec: CommandSpec { get }

    /// Reads the arguments. Touches nothing outside them.
    init(_ arguments: ParsedArguments) throws(UsageError)

    /// Does the work. Results go to `context.output`; a ``Failure`` is told on stderr and ends the program.
    func run(in context: Context) async throws(Failure) -> ExitStatus

    /// What a run with this status ends with if its results couldn't be written: that, unless the status itself is one.
    static func statusIfUnwritten(_ status: ExitStatus) -> ExitStatus
}

extension Command {
    package static func statusIfUnwritten(_ status: ExitStatus) -> ExitStatus { .outputFailed }
}
