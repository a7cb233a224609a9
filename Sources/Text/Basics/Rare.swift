/// A value that is usually missing, and takes the room of a pointer then. A run has many results, and most of their parts are missing.
///
/// Inlined, because a copy for any type would look for the type at run time: 6 % of the instructions of `check`.
@propertyWrapper
package struct Rare<Value> {
    @usableFromInline
    package indirect enum Content {
        case value(Value)
    }

    @usableFromInline package var content: Content?

    @inlinable
    package init(wrappedValue: Value?) { content = wrappedValue.map(Content.value) }

    @inlinable package var wrappedValue: Value? {
        get { if case .value(let value)? = content { value } else { nil } }
        set { content = newValue.map(Content.value) }
    }
}

extension Rare.Content: Sendable where Value: Sendable {}
extension Rare: Sendable where Value: Sendable {}
