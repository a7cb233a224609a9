/// A key of ``TransferSettings`` that operators set and remove.
///
/// A key has a name for lists of operators, a text form of its value, and the place of the value in the settings:
///
/// ```swift
/// builder.setting(.followsRedirects, false).removingSetting(.totalTimeout)
/// ```
@_spi(Generated) public struct TransferSetting<Value: Sendable>: Sendable {
    /// The name, such as "timeout.total".
    public let name: String

    private let text: @Sendable (Value) -> String
    /// Puts a value into settings. Nil removes the value. If the key must have a value, it is then taken from the baseline, which
    /// is the third argument.
    private let put: @Sendable (inout TransferSettings, Value?, TransferSettings) -> Void
    private let get: @Sendable (TransferSettings) -> Value?

    init(
        _ name: String, text: @escaping @Sendable (Value) -> String,
        get: @escaping @Sendable (TransferSettings) -> Value? = { _ in nil },
        put: @escaping @Sendable (inout TransferSettings, Value?, TransferSettings) -> Void
    ) {
        self.name = name
        self.text = text
        self.get = get
        self.put = put
    }

    // The runtime makes a key path when its literal is evaluated. With the paths of all keys made at the start, `render` takes 12 %
    // more instructions, so each path is made when its key is used.

    /// A key that always has a value. Its removal restores the value of the baseline.
    init(
        _ name: String,
        _ path: @autoclosure @escaping @Sendable () -> any WritableKeyPath<TransferSettings, Value> & Sendable,
        text: @escaping @Sendable (Value) -> String = { "\($0)" }
    ) {
        self.init(name, text: text, get: { $0[keyPath: path()] }) { $0[keyPath: path()] = $1 ?? $2[keyPath: path()] }
    }

    /// A key that has no value after its removal, even if the baseline has a value.
    init(
        _ name: String,
        _ path: @autoclosure @escaping @Sendable () -> any WritableKeyPath<TransferSettings, Value?> & Sendable,
        text: @escaping @Sendable (Value) -> String = { "\($0)" }
    ) {
        self.init(name, text: text, get: { $0[keyPath: path()] }) { settings, value, _ in
            settings[keyPath: path()] = value
        }
    }

    /// The value of the key in settings; nil if it has none, or if the key only writes.
    package func value(in settings: TransferSettings) -> Value? { get(settings) }

    /// The change that sets the key.
    package func to(_ value: Value) -> TransferChange {
        TransferChange(name: name, value: text(value)) { [put] in put(&$0, value, $1) }
    }

    /// The change that removes the key.
    package var removed: TransferChange {
        TransferChange(name: name, value: nil) { [put] in put(&$0, nil, $1) }
    }
}

/// A change of one key of ``TransferSettings``. The key may have a value of any type.
package struct TransferChange: Sendable {
    /// The key's name.
    package let name: String
    /// The value as text that may be shown; nil if the key is removed.
    package let value: String?

    /// Changes settings. If the key must have a value, its removal restores the value of the baseline.
    let apply: @Sendable (inout TransferSettings, _ baseline: TransferSettings) -> Void
}
