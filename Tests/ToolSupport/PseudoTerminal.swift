import CToolSpawn
import Foundation
import Glibc
import Synchronization

/// A terminal without anybody in front of it: what a program writes there is kept.
package final class PseudoTerminal: Sendable {
    /// What the program is given.
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

    /// Presses keys.
    package func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(person, bytes, bytes.count)
    }

    /// Everything written so far.
    package var text: String { String(decoding: screen.withLock { $0 }, as: UTF8.self) }

    /// Everything that was written there until now, after the programs that wrote it have ended.
    ///
    /// The terminal's own line ends are taken back to the newlines that were written.
    package func finalText() async -> String {
        // What this end writes itself comes out last.
        let mark = "\u{4}end of the screen"
        let bytes = Array(mark.utf8)
        _ = write(program, bytes, bytes.count)
        _ = await shows(mark)
        return text.replacing(mark, with: "").replacing("\r\n", with: "\n")
    }

    /// Waits until the screen shows a text; false if it doesn't in a time in which it should have.
    package func shows(_ text: String, within limit: Duration = .seconds(20)) async -> Bool {
        await eventually(within: limit) { self.text.contains(text) }
    }
}

/// Waits for something that another process or thread brings about.
package func eventually(within limit: Duration = .seconds(20), _ isTrue: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + limit
    while !isTrue() {
        guard ContinuousClock.now < end else { return false }
        try? await Task.sleep(for: .milliseconds(10))
    }
    return true
}
