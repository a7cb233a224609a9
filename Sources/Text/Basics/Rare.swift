/// A value that is usually missing, and takes the room of a pointer then. A run has many results, and most of their parts are missing.
@propertyWrapper
package struct Rare<Value> {
    fileprivate indirect enum Content {
        case value(Value)
    }

    private var content: Content?

    /// A missing value. With a wrapped nil, the type of the value would be looked up each time: 4 % of the instructions of `check`.
    package init() { content = nil }

    package init(wrappedValue: Value?) { content = wrappedValue.map(Content.value) }

    package var wrappedValue: Value? {
        get { if case .value(let value)? = content { value } else { nil } }
        set { content = newValue.map(Content.value) }
    }
}

extension Rare.Content: Sendable where Value: Sendable {}
extension Rare: Sendable where Value: Sendable {}
