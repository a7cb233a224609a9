package import ReqcliText
@_spi(Generated) package import RequestBuilding

/// Transfer settings of a layer: the keys of one of the objects `timeout`, `redirects`, `retry` and `tls`, or the settings that
/// are keys of the layer itself.
package struct TransferLayer: Sendable {
    package private(set) var entries: [Entry] = []

    package struct Entry: Sendable {
        package let name: String
        package let change: Change
        package let place: Place

        /// The value as text; nil for a removed key and for a file.
        package var value: String? { if case .setting(let change) = change { change.value } else { nil } }
    }

    package enum Change: Sendable {
        case setting(TransferChange)
        /// A file, with its path relative to the workspace's root.
        case file(TransferSetting<String>, TextTemplate)
    }

    /// The paths of all files.
    var texts: [TextTemplate] { texts(unlessSaidBy: TransferLayer()) }

    /// The paths of the files that a later layer doesn't override, key by key.
    func texts(unlessSaidBy later: TransferLayer) -> [TextTemplate] {
        entries.compactMap { entry in
            guard case .file(_, let path) = entry.change, later[entry.name] == nil else { return nil }
            return path
        }
    }

    package subscript(_ name: String) -> Entry? { entries.first { $0.name == name } }

    /// Sets a key to the value in the file. `null` removes the key.
    mutating func set<Value>(_ key: TransferSetting<Value>, _ setting: Setting<Value>) {
        let change = setting.set.map { key.to($0) } ?? key.removed
        entries.append(Entry(name: key.name, change: .setting(change), place: setting.place))
    }

    mutating func setFile(_ key: TransferSetting<String>, _ setting: Setting<TextTemplate>) {
        let change: Change = setting.set.map { .file(key, $0) } ?? .setting(key.removed)
        entries.append(Entry(name: key.name, change: change, place: setting.place))
    }
}

extension RequestLayer {
    /// The entries of all objects and keys, in the order of the table. If a file has `null` in place of an object, each setting
    /// of this object gets an entry.
    package var transferEntries: [TransferLayer.Entry] {
        let objects = [
            (timeout, TransferRow.timeouts), (redirects, TransferRow.redirects), (retry, TransferRow.retry),
            (tls, TransferRow.tls),
        ]
        return objects.flatMap { setting, rows -> [TransferLayer.Entry] in
            guard let setting else { return [] }
            guard let layer = setting.set else {
                return rows.map {
                    TransferLayer.Entry(name: $0.name, change: .setting($0.whenNull), place: setting.place)
                }
            }
            return rows.compactMap { layer[$0.name] }
        } + transfer.entries
    }
}

// MARK: - Objects

extension TransferLayer {
    private static func object(
        _ name: String, title: String, summary: String, _ rows: @autoclosure @escaping @Sendable () -> [TransferRow]
    ) -> ObjectShape<TransferLayer> {
        ObjectShape(
            name, title: title, summary: summary, rows().compactMap(\.field), initial: { _ in TransferLayer() })
    }

    static let timeouts = object(
        "timeouts", title: "\"timeout\"", summary: "Time limits for the stages of an exchange; null means no limit.",
        TransferRow.timeouts)

    static let retry = object(
        "retry", title: "\"retry\"", summary: "When to send a request again.", TransferRow.retry)

    static let redirects = object(
        "redirects", title: "\"redirects\"", summary: "Whether and how to follow redirects.", TransferRow.redirects)

    static let tls = object(
        "tls", title: "\"tls\"",
        summary: "Certificates and versions for https. Paths are relative to the workspace's root.", TransferRow.tls)
}

extension Shape where Value == TransferLayer {
    /// A single duration limits the whole transfer.
    static let timeouts = object(TransferLayer.timeouts, or: .bound, expects: DurationText.example) {
        var layer = TransferLayer()
        layer.set(.totalTimeout, Setting($0, at: $1))
        return layer
    }
}
