import Glibc

/// Restores a terminal's settings before a signal ends the program.
struct MuteTerminal {
    // A signal handler has no context, and must not take locks or allocate memory. The memory it reads is filled before
    // the handler is installed. One set is enough, because only one question is asked at a time.
    nonisolated(unsafe) private static let descriptor = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    nonisolated(unsafe) private static let settings = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    /// The earlier actions of the signals, by signal number.
    nonisolated(unsafe) private static let before = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)

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
                // Discards typed characters of the secret, so that the shell doesn't show them.
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
