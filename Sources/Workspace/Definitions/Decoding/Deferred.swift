import ReqcliBasics

/// An object that is made when it is first needed, and then kept.
///
/// A table may contain itself, so it can't be built before it is used. If tables were built again for each object, `list` of
/// 1,000 endpoints would take three times as many instructions.
///
/// The class that keeps the object is not generic, because the runtime would build one for each kind of object: 5 % of the
/// instructions of `list`.
struct Deferred<Value: AnyObject & Sendable>: Sendable {
    private let kept = Kept()
    private let make: @Sendable () -> Value

    init(_ make: @escaping @Sendable () -> Value) {
        self.make = make
    }

    var value: Value {
        // The object is made outside the lock, because a table may contain itself and would need the same lock again.
        // Unchecked: only this property keeps objects here, and they are of this type.
        if let made = kept.object.withLock({ $0 }) { return unsafeDowncast(made, to: Value.self) }
        let value = make()
        kept.object.withLock { $0 = value }
        return value
    }
}

private final class Kept: Sendable {
    let object = Mutex<(any AnyObject & Sendable)?>(nil)
}
