import Glibc
import ReqcliBasics
import ReqcliText

/// A call that is carried out: this program with the words of a command, as a process.
struct AgentCall: ~Copyable {
    /// Variables that would let a call do more than the server allows, or something else than its words say.
    static let leftOut = ["REQCLI_TRUST", "REQCLI_ENV", "REQCLI_WORKSPACE"]
    private static let mostBytes = 64 << 20

    private let process: pid_t
    private(set) var output: [UInt8] = []
    private(set) var messages: [UInt8] = []
    private var outputEnd: Int32
    private var messagesEnd: Int32
    private(set) var isTooLarge = false

    init(_ words: [String]) throws(SystemError) {
        let output = try Pipe()
        let messages: Pipe
        do throws(SystemError) { messages = try Pipe() } catch {
            output.close()
            throw error
        }
        do throws(SystemError) {
            process = try OwnProgram.spawn(
                words, writing: [(output.writing, STDOUT_FILENO), (messages.writing, STDERR_FILENO)],
                without: Self.leftOut)
        } catch {
            output.close()
            messages.close()
            throw error
        }
        for pipe in [output, messages] {
            Glibc.close(pipe.writing)
            _ = fcntl(pipe.reading, F_SETFL, O_NONBLOCK)
        }
        (outputEnd, messagesEnd) = (output.reading, messages.reading)
    }

    /// The ends of the pipes that may give more.
    var descriptors: [Int32] { [outputEnd, messagesEnd].filter { $0 >= 0 } }

    /// Takes what the process has written.
    mutating func read() {
        Self.read(&outputEnd, into: &output)
        Self.read(&messagesEnd, into: &messages)
        if output.count + messages.count > Self.mostBytes, !isTooLarge {
            isTooLarge = true
            kill(-process, SIGKILL)
        }
    }

    private static func read(_ end: inout Int32, into bytes: inout [UInt8]) {
        while end >= 0 {
            var count = 0
            let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, initialized in
                repeat { count = Glibc.read(end, buffer.baseAddress, 1 << 16) } while count < 0 && errno == EINTR
                initialized = max(count, 0)
            }
            if count < 0, errno == EAGAIN { return }
            if count > 0 {
                bytes += piece
                if bytes.count > mostBytes { return }
            } else {
                Glibc.close(end)
                end = -1
            }
        }
    }

    /// Lets the process clean up and end.
    func cancel() { kill(-process, SIGINT) }

    /// Waits for the end of the process, whose pipes are closed, and returns its status.
    func end() -> ExitStatus {
        var raw: Int32 = 0
        while waitpid(process, &raw, 0) < 0, errno == EINTR {}
        let signal = raw & 0x7F
        return signal != 0 ? ExitStatus(signal: signal) : ExitStatus((raw >> 8) & 0xFF, "")
    }
}
