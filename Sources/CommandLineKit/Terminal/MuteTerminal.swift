import Glibc

/// Gives a terminal its settings back before a signal ends the program.
struct MuteTerminal {
    // A signal's handler has no context, and may neither wait for a lock nor ask for memory. What it reads is written
    // before it is installed, and is one terminal's: no two questions are asked at once.
    nonisolated(unsafe) private static let descriptor = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    nonisolated(unsafe) private static let settings = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    /// What the signals did before, by their numbers.
    nonisolated(unsafe) private static let before = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)

    /// - Parameter settings: Those that the terminal has before it is made mute.
    init(_ descriptor: Int32, _ settings: termios) {
        Self.descriptor.initialize(to: descriptor)
        Self.settings.initialize(to: settings)
        for number in EndingSignals.all {
            let before = Self.before + Int(number)
            before.initialize(to: sigaction())
            sigaction(number, nil, before)
            // A signal that is ignored, as under nohup, stays so.
            if unsafeBitCast(before.pointee.__sigaction_handler.sa_handler, to: Int.self) == 1 { continue }
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in
                // What was typed of the secret is not for the shell to show.
                tcflush(MuteTerminal.descriptor.pointee, TCIFLUSH)
                tcsetattr(MuteTerminal.descriptor.pointee, TCSANOW, MuteTerminal.settings)
                sigaction(number, MuteTerminal.before + Int(number), nil)
                raise(number)
            }
            sigaction(number, &action, nil)
        }
    }

    /// Has the signals do again what they did before.
    func end() {
        for number in EndingSignals.all { sigaction(number, Self.before + Int(number), nil) }
    }
}
