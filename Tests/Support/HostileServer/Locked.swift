import Foundation

/// A value that several threads of a test share. The thread sanitizer doesn't see the lock of a `Mutex`.
package final class Locked<Value>: @unchecked Sendable {
    // Unchecked: the value is only accessed while the lock is held.
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) {
        self.value = value
    }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
