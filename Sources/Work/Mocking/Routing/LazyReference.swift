import Synchronization

/// A reference to a value that is made when it is first asked for.
///
/// `AtomicLazyReference` of the standard library is the same, but a look at it takes 250 instructions, since it is not specialized:
/// that made 5 % of the instructions of a request.
struct LazyReference<Value: AnyObject & Sendable>: ~Copyable, Sendable {
    /// The address of a value that is retained; 0 before there is one.
    private let address = Atomic<UInt>(0)

    deinit { Self.reference(address.load(ordering: .acquiring))?.release() }

    var value: Value? { Self.reference(address.load(ordering: .acquiring))?.takeUnretainedValue() }

    /// Keeps a value if there is none, and returns the one that is kept.
    func keep(_ value: Value) -> Value {
        let new = Unmanaged.passRetained(value)
        let (isKept, known) = address.compareExchange(
            expected: 0, desired: UInt(bitPattern: new.toOpaque()), ordering: .acquiringAndReleasing)
        if isKept { return value }
        // Another thread was faster.
        new.release()
        return Self.reference(known)?.takeUnretainedValue() ?? value
    }

    private static func reference(_ address: UInt) -> Unmanaged<Value>? {
        UnsafeRawPointer(bitPattern: address).map { Unmanaged<Value>.fromOpaque($0) }
    }
}
