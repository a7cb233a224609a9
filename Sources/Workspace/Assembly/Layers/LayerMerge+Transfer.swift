import ReqcliDefinitions
import ReqcliText
@_spi(Generated) import RequestBuilding

extension LayerMerge {
    /// Adds a timeout, a rule for redirects or retries, or a part of TLS. They are merged key by key.
    mutating func add(_ entry: TransferLayer.Entry) {
        switch entry.change {
        case .setting(let change): add(at: entry.place) { $0.setting(change) }
        case .file(let key, let path): addFile(key, path, at: entry.place)
        }
    }

    /// Adds a file, with a path relative to the workspace's root.
    private mutating func addFile(_ key: TransferSetting<String>, _ template: TextTemplate, at place: Place) {
        add(.setting(key.name), template.source, at: place) { builder, evaluation in
            switch evaluation.text(template) {
            case .failed: .failed
            case .absent: .absent
            case .value(let text):
                evaluation.fileToSend(text, "for \(key.name)", from: template).map { builder.setting(key, $0) }
            }
        }
    }
}
