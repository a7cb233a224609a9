import CommandLineKit
import Commands
import Glibc

@main
struct Main {
    static func main() async {
        let status = await Program.run(Array(CommandLine.arguments.dropFirst()), in: .live())
        // Nothing is buffered, and nothing that still runs has a say any more.
        _exit(status.code)
    }
}
