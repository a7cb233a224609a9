import Glibc
import ReqcliBasics

/// Reads one line from a file descriptor. Reads no byte after the line, because other readers may need the rest.
struct LineReader {
    let descriptor: Int32

    func readLine() -> Terminal.Answer {
        var line: [UInt8] = []
        while let byte = nextByte() {
            if byte == Key.lineFeed { return .line(Self.text(line)) }
            line.append(byte)
        }
        return line.isEmpty ? .end : .line(Self.text(line))
    }

    /// Reads a line without showing it. First switches off the echo of the terminal, then calls `ask`, which writes the question.
    ///
    /// Keys are handled here, Ctrl-C included. If a signal ends the program, the terminal's echo is restored first.
    func readSecret(ask: () -> Void) -> Terminal.Answer {
        var saved = termios()
        guard tcgetattr(descriptor, &saved) == 0 else {
            ask()
            return readLine()
        }
        var quiet = saved
        quiet.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        let guarding = MuteTerminal(descriptor, saved)
        defer { guarding.end() }
        tcsetattr(descriptor, TCSAFLUSH, &quiet)
        defer { tcsetattr(descriptor, TCSAFLUSH, &saved) }
        ask()
        return readKeys()
    }

    private func readKeys() -> Terminal.Answer {
        var line: [UInt8] = []
        while let byte = nextByte() {
            switch byte {
            case Key.lineFeed, Key.carriageReturn: return .line(Self.text(line))
            case Key.controlC: return .interrupted
            case Key.controlD where line.isEmpty: return .end
            case Key.controlU: line.removeAll()
            case Key.backspace, Key.delete: Self.removeCharacter(from: &line)
            case 0..<0x20: break
            default: line.append(byte)
            }
        }
        return line.isEmpty ? .end : .line(Self.text(line))
    }

    private enum Key {
        static let controlC: UInt8 = 0x03
        static let controlD: UInt8 = 0x04
        static let backspace: UInt8 = 0x08
        static let lineFeed: UInt8 = 0x0A
        static let carriageReturn: UInt8 = 0x0D
        static let controlU: UInt8 = 0x15
        static let delete: UInt8 = 0x7F
    }

    private func nextByte() -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = read(descriptor, &byte, 1)
            if count == 1 { return byte }
            if count == 0 || errno != EINTR { return nil }
        }
    }

    /// Removes the last scalar with all its bytes.
    private static func removeCharacter(from line: inout [UInt8]) {
        while let byte = line.popLast(), byte & 0b1100_0000 == 0b1000_0000 {}
    }

    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}

/// Restores a terminal's settings before a signal ends the program.
struct MuteTerminal {
    // A signal handler can't be given any values, and must not take locks or allocate memory. So it reads this memory, which is
    // filled before the handler is installed. One copy is enough, because only one question is asked at a time.
    nonisolated(unsafe) private static let descriptor = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    nonisolated(unsafe) private static let settings = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    /// The earlier actions of the signals, by signal number.
    nonisolated(unsafe) private static let before = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)

    /// Makes signals restore the terminal's settings.
    ///
    /// - Parameter settings: The terminal's settings before its echo is switched off.
    init(_ descriptor: Int32, _ settings: termios) {
        Self.descriptor.initialize(to: descriptor)
        Self.settings.initialize(to: settings)
        for number in EndingSignals.all {
            let before = Self.before + Int(number)
            before.initialize(to: sigaction())
            sigaction(number, nil, before)
            // A signal that is ignored, as under nohup, stays ignored.
            if unsafeBitCast(before.pointee.__sigaction_handler.sa_handler, to: Int.self) == 1 { continue }
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in
                // Discards the typed characters of the secret, so that the shell doesn't read and show them.
                tcflush(MuteTerminal.descriptor.pointee, TCIFLUSH)
                tcsetattr(MuteTerminal.descriptor.pointee, TCSANOW, MuteTerminal.settings)
                sigaction(number, MuteTerminal.before + Int(number), nil)
                raise(number)
            }
            sigaction(number, &action, nil)
        }
    }

    /// Restores the earlier actions of the signals.
    func end() {
        for number in EndingSignals.all { sigaction(number, Self.before + Int(number), nil) }
    }
}

/// The signals that end the program from outside.
package enum EndingSignals {
    /// Signals that a person, a shell, a limit or another program sends and that the program can handle. Signals for
    /// crashes of the program itself are not included.
    package static let all = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU]
}
