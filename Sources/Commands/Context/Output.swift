import Synchronization

/// One of the program's two ways out.
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
    private let firstProblem = Mutex<Problem?>(nil)

    /// `put` writes all of the bytes, or throws.
    package init(_ put: @escaping @Sendable ([UInt8]) throws(Problem) -> Void) {
        self.put = put
    }

    package var problem: Problem? { firstProblem.withLock { $0 } }
    package var isOpen: Bool { problem == nil }

    /// Whether the bytes were taken, and more would be.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool {
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
    package func write(_ text: String) -> Bool {
        text.isEmpty ? isOpen : write(Array(text.utf8))
    }
}
