import ReqcliDefinitions
import ReqcliNetworking
import ReqcliText
@_spi(Generated) import RequestBuilding

extension LayerMerge {
    /// Adds timeouts, cache policy, redirects, retries and TLS, which are merged key by key. The proxy is replaced as a whole.
    mutating func addTransfer(_ layer: RequestLayer) {
        for entry in layer.transferEntries { add(entry) }
        addCachePolicy(layer.cachePolicy)
        addProxy(layer.proxy)
        addProxyExceptions(layer.noProxy)
    }

    /// Adds the proxy. `null` means no proxy, not even the proxy in the usual environment variables.
    private mutating func addProxy(_ setting: Setting<ProxyTemplate>?) {
        guard let setting else { return }
        guard let proxy = setting.set else {
            return add(at: setting.place) { $0.setting(.proxy, ProxySettings("")) }
        }
        add(.setting(TransferSetting.proxy.name), proxy.written, at: setting.place) { builder, evaluation in
            proxy.resolve(&evaluation).map { builder.setting(.proxy, $0) }
        }
    }

    private mutating func addProxyExceptions(_ setting: Setting<[ValueTemplate]>?) {
        guard let setting else { return }
        let templates = setting.set ?? []
        let written = templates.map { ValueText.text(of: $0.source) }.joined(separator: ",")
        add(.setting(TransferSetting.noProxy.name), written, at: setting.place) { builder, evaluation in
            evaluation.texts(templates).map { builder.setting(.noProxy, $0.joined(separator: ",")) }
        }
    }

    private mutating func add(_ entry: TransferLayer.Entry) {
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

    private mutating func addCachePolicy(_ setting: Setting<CachePolicy>?) {
        guard let setting else { return }
        let policy = setting.set ?? .useProtocolCachePolicy
        add(at: setting.place) { $0.setting(.cachePolicy, policy.foundation) }
        // Two of the policies need a header for the server or a proxy.
        let directive: String? =
            switch policy {
            case .reloadIgnoringLocalAndRemoteCacheData: "no-cache"
            case .reloadRevalidatingCacheData: "max-age=0"
            default: nil
            }
        carry(\.cachePolicy, by: directive.map { _ in .header("Cache-Control") }, at: setting.place)
        if let directive { add(at: setting.place) { $0.header("Cache-Control", directive) } }
    }
}
