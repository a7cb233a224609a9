package import CommandLineKit
import Glibc
import ReqcliBasics
package import ReqcliText

/// Answers an editor while files are written.
package struct LSPCommand: Command {
    package static let spec = CommandSpec(
        "lsp", "Answer an editor: problems, completion, definitions",
        examples: [
            Example("What an editor starts", "reqcli lsp")
        ],
        sections: [
            TextSection(
                "What it answers",
                """
                It speaks the Language Server Protocol 3.17 on stdin and stdout. It reports what `validate` reports, completes keys, \
                words and names, explains them, and leads to definitions and references.

                It sends no request, starts no program and reads no secret. Logs go to stderr; the end of stdin ends it.
                """)
        ],
        exitStatuses: [.success, .usage, .outputFailed],
        page: "how-to/editors.md")

    package init(_ arguments: ParsedArguments) {}

    package func run(in context: Context) throws(Failure) -> ExitStatus {
        if context.terminal.isTerminal(.input) {
            throw Failure(
                .usage, code: .usageInvalid, "stdin is a terminal; this command is started by an editor",
                hint: "the page \"Editors\" of the documentation has the settings")
        }
        var server = LanguageServer(context)
        let input = StandardInputStream()
        while context.output.isOpen, !server.hasEnded {
            switch input.wait(atMost: server.patience, orFor: server.watchDescriptors) {
            case .bytes(let bytes): server.receive(bytes)
            case .end: return .success
            case .nothing: break
            }
            // Whatever has come by now is queued before the first answer, so that cancelled requests cost nothing.
            while case .bytes(let bytes) = input.wait(atMost: 0, orFor: []) { server.receive(bytes) }
            server.work()
        }
        return .success
    }
}

/// The bytes of standard input as they come.
struct StandardInputStream {
    enum Event {
        case bytes([UInt8])
        case end
        case nothing
    }

    /// Waits for bytes, for an event of another descriptor, or for the time in milliseconds; -1 waits without limit.
    func wait(atMost time: Int32, orFor others: [Int32]) -> Event {
        var descriptors = ([STDIN_FILENO] + others).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&descriptors, nfds_t(descriptors.count), time) > 0, descriptors[0].revents != 0 else {
            return .nothing
        }
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, initialized in
            repeat { count = read(STDIN_FILENO, buffer.baseAddress, 1 << 16) } while count < 0 && errno == EINTR
            initialized = max(count, 0)
        }
        if count < 0, errno == EAGAIN { return .nothing }
        return count > 0 ? .bytes(bytes) : .end
    }
}
