#if THREAD_SANITIZER || !os(Linux)
    import Foundation

    /// Stands in for `Synchronization.Mutex`, which Apple's systems have only since 2024, and in builds for the thread
    /// sanitizer, which doesn't see the atomics in the standard library that a `Mutex` is made of.
    struct Mutex<Value>: Sendable {
        private let storage: Storage

        private final class Storage: @unchecked Sendable {
            // Unchecked: the value is only touched while the lock is held.
            let lock = NSLock()
            var value: Value

            init(_ value: Value) {
                self.value = value
            }
        }

        init(_ value: sending Value) {
            storage = Storage(value)
        }

        func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result
        {
            storage.lock.lock()
            defer { storage.lock.unlock() }
            return try body(&storage.value)
        }
    }
#endif
