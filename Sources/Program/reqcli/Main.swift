import CommandLineKit
import Commands
import Glibc

@main
struct Main {
    /// Starts the program. Not `async`: the runtime for tasks opens file descriptors, which must not get the numbers of standard
    /// input, output and error.
    static func main() {
        StandardDescriptors.reserve()
        MainThread.run {
            let context = Context.live()
            let status = await Program.run(words(), in: context)
            withExtendedLifetime(context) { ProcessEnd.exit(status) }
        }
    }

    /// The arguments as bytes. `CommandLine.arguments` replaces bytes that are not UTF-8.
    private static func words() -> [[UInt8]] {
        UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).dropFirst().map { word in
            word.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } ?? []
        }
    }
}

/// Standard input, output and error, as the program received them from its parent process.
private enum StandardDescriptors {
    /// Opens `/dev/null` for each standard descriptor that is closed (`>&-`), in a mode that makes its use fail. Otherwise the
    /// next file that is opened would be taken for standard input, output or error.
    static func reserve() {
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) < 0 {
            // `open` takes the lowest free descriptor, which is this one.
            _ = open("/dev/null", mode)
        }
    }
}
