import CToolSpawn
import Foundation
import Glibc
import ReqcliBasics

/// A terminal without a user, which keeps everything that a program writes to it.
package final class PseudoTerminal: Sendable {
    /// The end that the program gets.
    package let program: Int32
    private let person: Int32
    private let screen = Mutex<[UInt8]>([])

    package init(columns: UInt16 = 80) throws {
        var person: Int32 = -1
        var program: Int32 = -1
        guard tool_open_terminal(&person, &program, columns) == 0 else {
            throw ToolProblem("no terminal: \(String(cString: strerror(errno)))")
        }
        (self.person, self.program) = (person, program)
        Thread.detachNewThread { [person, weak self] in
            while let bytes = Descriptor.read(person, upTo: 1 << 16) {
                guard let self else { break }
                screen.withLock { $0 += bytes }
            }
            close(person)
        }
    }

    deinit { close(program) }

    /// Types text, as a user would.
    package func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(person, bytes, bytes.count)
    }

    /// Everything written so far.
    package var text: String { String(decoding: screen.withLock { $0 }, as: UTF8.self) }

    /// Everything that was written. Call this after the programs that write to the terminal have ended.
    ///
    /// The terminal's line ends are converted back to the newlines that were written.
    package func finalText() async -> String {
        // This text is written last, so when the screen shows it, everything else has arrived.
        let mark = "\u{4}end of the screen"
        let bytes = Array(mark.utf8)
        _ = write(program, bytes, bytes.count)
        _ = await shows(mark)
        return text.replacing(mark, with: "").replacing("\r\n", with: "\n")
    }

    /// Waits until the screen shows a text; false if the limit is reached first.
    package func shows(_ text: String, within limit: Duration = .seconds(20)) async -> Bool {
        await eventually(within: limit) { self.text.contains(text) }
    }
}

/// Waits until a condition is true that another process or thread changes; false if the limit is reached first.
package func eventually(within limit: Duration = .seconds(20), _ isTrue: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + limit
    while !isTrue() {
        guard ContinuousClock.now < end else { return false }
        try? await Task.sleep(for: .milliseconds(10))
    }
    return true
}
