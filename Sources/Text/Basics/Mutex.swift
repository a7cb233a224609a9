#if THREAD_SANITIZER || !os(Linux)
import Foundation

/// A replacement for `Synchronization.Mutex`, for two cases. Apple's systems have that type only since 2024. The thread
/// sanitizer doesn't see the atomics of the standard library with which that type is implemented.
package struct Mutex<Value: ~Copyable>: ~Copyable, Sendable {
    private let storage: Storage

    // Unchecked: the value is only touched while the lock is held.
    private final class Storage: @unchecked Sendable {
        let lock = NSLock()
        var value: Value

        init(_ value: consuming Value) {
            self.value = value
        }
    }

    package init(_ value: consuming sending Value) {
        storage = Storage(value)
    }

    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        storage.lock.lock()
        defer { storage.lock.unlock() }
        return try body(&storage.value)
    }

    /// Returns nil if another thread holds the lock.
    package borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        guard storage.lock.try() else { return nil }
        defer { storage.lock.unlock() }
        return try body(&storage.value)
    }
}
#else
// Exported, because a file that calls a member of `Mutex` must import the module that declares this member.
@_exported public import Synchronization
#endif
