/// One key of ``TransferSettings`` that operators set and take away.
///
/// It knows its name in a list of operators, how a value reads there, and where the value goes:
///
/// ```swift
/// builder.setting(.followsRedirects, false).removingSetting(.totalTimeout)
/// ```
public struct TransferSetting<Value: Sendable>: Sendable {
    /// The name, such as "timeout.total".
    public let name: String

    private let text: @Sendable (Value) -> String
    /// Puts a value into settings. Nil takes it away; then the baseline's value holds again.
    private let put: @Sendable (inout TransferSettings, Value?, TransferSettings) -> Void

    init(
        _ name: String, text: @escaping @Sendable (Value) -> String,
        put: @escaping @Sendable (inout TransferSettings, Value?, TransferSettings) -> Void
    ) {
        self.name = name
        self.text = text
        self.put = put
    }

    /// A key that always has a value.
    init(
        _ name: String, _ path: any WritableKeyPath<TransferSettings, Value> & Sendable,
        text: @escaping @Sendable (Value) -> String = { "\($0)" }
    ) {
        self.init(name, text: text) { $0[keyPath: path] = $1 ?? $2[keyPath: path] }
    }

    /// A key without a value where it is taken away, whatever the baseline says.
    init(
        _ name: String, _ path: any WritableKeyPath<TransferSettings, Value?> & Sendable,
        text: @escaping @Sendable (Value) -> String = { "\($0)" }
    ) {
        self.init(name, text: text) { settings, value, _ in settings[keyPath: path] = value }
    }

    /// Sets the key.
    package func to(_ value: Value) -> TransferChange {
        TransferChange(name: name, value: text(value)) { [put] in put(&$0, value, $1) }
    }

    /// Takes the key away.
    package var removed: TransferChange {
        TransferChange(name: name, value: nil) { [put] in put(&$0, nil, $1) }
    }
}

/// A key of ``TransferSettings`` with its new value, whatever type that has.
package struct TransferChange: Sendable {
    /// The key's name.
    package let name: String
    /// The value as text that may be shown; nil where the key is taken away.
    package let value: String?

    /// Changes settings. What a removal brings back is in the baseline.
    let apply: @Sendable (inout TransferSettings, _ baseline: TransferSettings) -> Void
}
