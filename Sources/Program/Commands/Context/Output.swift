import CommandLineKit
import Glibc
import ReqcliBasics
package import ReqcliText

/// Standard output or standard error.
///
/// All text for a terminal is made harmless here, so that no command has to do this. A control character is shown as a symbol,
/// and the terminal doesn't obey it. Colours are written as ``Styled``.
///
/// When a write fails, the problem is remembered and all further writes are skipped. Code that writes much checks ``isOpen`` or
/// the result of `write`. Other code just writes, and the program reports the failure at its end.
package final class Output: Sendable {
    /// The reason why nothing more can be written.
    package enum Problem: Error, Equatable, Sendable {
        /// The reader has closed the pipe (`| head`), which isn't reported.
        case closed
        /// Any other problem, in the words of the system.
        case failed(String)
    }

    private let put: @Sendable ([UInt8]) throws(Problem) -> Void
    private let isTerminal: Bool
    private let discards: @Sendable () -> Bool
    private let firstProblem = Mutex<Problem?>(nil)

    /// Creates an output.
    ///
    /// - Parameter put: Writes all of the bytes, or throws.
    package init(
        isTerminal: Bool = false, isDiscarded: @escaping @autoclosure @Sendable () -> Bool = false,
        _ put: @escaping @Sendable ([UInt8]) throws(Problem) -> Void
    ) {
        self.put = put
        self.isTerminal = isTerminal
        discards = isDiscarded
    }

    /// Whether the output goes to `/dev/null`. Each call asks the system.
    package var isDiscarded: Bool { discards() }

    /// An output to the same place that is treated as a terminal.
    package var toTerminal: Output { Output(isTerminal: true, put) }

    /// An output of the same kind that writes in another way.
    func redirected(_ put: @escaping @Sendable ([UInt8]) throws(Problem) -> Void) -> Output {
        Output(isTerminal: isTerminal, isDiscarded: self.isDiscarded, put)
    }

    package var problem: Problem? { firstProblem.withLock { $0 } }
    package var isOpen: Bool { problem == nil }

    /// Writes bytes, which must be text if the output is a terminal. Returns false if the bytes were not written, or if a later
    /// write would fail.
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

    /// Writes bytes that a terminal may obey: bytes that move its cursor on purpose, that were filtered before they were
    /// coloured, or that the user wants unchanged (`--raw`).
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
    /// Creates an output that writes to a descriptor at once, without a buffer to flush before the program ends.
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
