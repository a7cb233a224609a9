import CommandLineKit
import Glibc
import ReqcliBasics
package import ReqcliText

/// Standard output or standard error.
///
/// On its way to a terminal all text is made harmless here, so that no command has to think of it: what a terminal would
/// obey is shown instead. Colours are written as ``Styled``.
///
/// A write that fails is remembered and ends all further ones: whoever writes much asks ``isOpen`` or looks at what
/// `write` returns; everybody else just writes, and the program tells about the failure at its end.
package final class Output: Sendable {
    /// Why nothing more can be written.
    package enum Problem: Error, Equatable, Sendable {
        /// The reader has gone (`| head`): nobody wants to hear about it.
        case closed
        /// Anything else, as the system calls it.
        case failed(String)
    }

    private let put: @Sendable ([UInt8]) throws(Problem) -> Void
    private let isTerminal: Bool
    private let discards: @Sendable () -> Bool
    private let firstProblem = Mutex<Problem?>(nil)

    /// `put` writes all of the bytes, or throws.
    package init(
        isTerminal: Bool = false, isDiscarded: @escaping @autoclosure @Sendable () -> Bool = false,
        _ put: @escaping @Sendable ([UInt8]) throws(Problem) -> Void
    ) {
        self.put = put
        self.isTerminal = isTerminal
        discards = isDiscarded
    }

    /// Whether it goes to `/dev/null`. Each call asks the system.
    package var isDiscarded: Bool { discards() }

    /// This output for a terminal.
    package var toTerminal: Output { Output(isTerminal: true, put) }

    package var problem: Problem? { firstProblem.withLock { $0 } }
    package var isOpen: Bool { problem == nil }

    /// Writes a text, or bytes that a terminal takes for text. The result says whether they were taken, and more would be.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool {
        isTerminal ? write(String(decoding: bytes, as: UTF8.self)) : writeUnfiltered(bytes)
    }

    @discardableResult
    package func write(_ text: String) -> Bool {
        let text = isTerminal ? TerminalText.harmless(text, keepingLines: true) : text
        return text.isEmpty ? isOpen : writeUnfiltered(Array(text.utf8))
    }

    @discardableResult
    package func write(_ text: Styled, inColour: Bool) -> Bool {
        let text = text.rendered(inColour: inColour)
        return text.isEmpty ? isOpen : writeUnfiltered(Array(text.utf8))
    }

    /// Writes bytes that a terminal may obey: those that moved its cursor on purpose, were filtered before they were
    /// coloured, or were asked for as they are (`--raw`).
    @discardableResult
    package func writeUnfiltered(_ bytes: [UInt8]) -> Bool {
        guard isOpen else { return false }
        do throws(Problem) {
            try put(bytes)
            return true
        } catch {
            firstProblem.withLock { $0 = $0 ?? error }
            return false
        }
    }

    @discardableResult
    package func writeUnfiltered(_ text: String) -> Bool { writeUnfiltered(Array(text.utf8)) }
}

extension Output {
    /// Writes to a descriptor at once: there is no buffer to flush before the program ends.
    package convenience init(descriptor: Int32) {
        self.init(isDiscarded: Self.isNull(descriptor)) { (bytes) throws(Problem) in
            do throws(SystemError) {
                try writeAll(bytes, to: descriptor)
            } catch {
                throw error.code == EPIPE ? .closed : .failed(error.text)
            }
        }
    }

    private static func isNull(_ descriptor: Int32) -> Bool {
        var (file, null) = (stat(), stat())
        return fstat(descriptor, &file) == 0 && stat("/dev/null", &null) == 0 && file.st_rdev == null.st_rdev
            && file.st_mode & S_IFMT == S_IFCHR
    }
}
