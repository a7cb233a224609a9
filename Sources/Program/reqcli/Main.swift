import CommandLineKit
import Commands
import Glibc

@main
struct Main {
    /// Not `async`: what runs tasks opens descriptors of its own, which must not become the standard ones.
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

/// Standard input, output and error, as whoever started the program gave them to it.
private enum StandardDescriptors {
    /// Takes the place of those that are closed (`>&-`), in a way that makes their use fail: otherwise the next file
    /// to be opened would be taken for one of them.
    static func reserve() {
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free descriptor is this one.
            _ = open("/dev/null", mode)
        }
    }
}
