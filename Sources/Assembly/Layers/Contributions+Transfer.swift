import Definitions
import Foundation
import RequestBuilding
import SourceText

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Contributions {
    /// Timeouts, cache, redirects, retries and TLS: each key of its own, merged by key.
    mutating func addTransfer(_ layer: RequestLayer) {
        addTimeouts(layer.timeout)
        addCachePolicy(layer.cachePolicy)
        if let redirects = layer.redirects {
            add(TransferOption.FollowRedirects.self, of: redirects, \.follow) { $0 }
            add(TransferOption.MaximumRedirects.self, of: redirects, \.max) { $0 }
            add(TransferOption.RedirectCredentials.self, of: redirects, \.credentials) { $0 }
        }
        if let retry = layer.retry {
            add(TransferOption.RetryTimes.self, of: retry, \.times) { $0 }
            add(TransferOption.RetryStatuses.self, of: retry, \.statuses) { $0.map(String.init) }
            add(TransferOption.RetryMethods.self, of: retry, \.methods) { $0.map(\.value) }
            add(TransferOption.RetryDelay.self, of: retry, \.delay) { $0 }
        }
        if let tls = layer.tls {
            addFile(TransferOption.CertificateAuthorities.self, of: tls, \.ca)
            addFile(TransferOption.ClientCertificate.self, of: tls, \.certificate)
            addFile(TransferOption.ClientKey.self, of: tls, \.key)
            add(TransferOption.Insecure.self, of: tls, \.insecure) { $0 }
            add(TransferOption.MinimumTLSVersion.self, of: tls, \.minimumVersion) { $0.rawValue }
        }
    }

    private mutating func addTimeouts(_ timeout: Setting<Timeouts>?) {
        guard let timeout else { return }
        add(TransferOption.FirstByteTimeout.self, of: timeout, \.firstByte) { $0 }
        add(TransferOption.TotalTimeout.self, of: timeout, \.total) { $0 }
        guard timeout.value.value != nil else {
            // Without a word about timeouts the standard ones hold.
            set(TransferOption.ConnectTimeout.self, Timeouts.standardConnect, at: timeout.place)
            set(TransferOption.IdleTimeout.self, Timeouts.standardIdle, at: timeout.place)
            return
        }
        add(TransferOption.ConnectTimeout.self, of: timeout, \.connect) { $0 }
        add(TransferOption.IdleTimeout.self, of: timeout, \.idle) { $0 }
    }

    private mutating func addCachePolicy(_ setting: Setting<CachePolicy>?) {
        guard let setting else { return }
        let policy = setting.value.value ?? .useProtocolCachePolicy
        add([part(.cachePolicy, policy.rawValue)], at: setting.place) { $0.cachePolicy(policy.foundation) }
        // Two policies are something that a server or proxy has to hear of.
        let directive: String? =
            switch policy {
            case .reloadIgnoringLocalAndRemoteCacheData: "no-cache"
            case .reloadRevalidatingCacheData: "max-age=0"
            default: nil
            }
        carry(\.cachePolicy, by: directive.map { _ in .header("Cache-Control") }, at: setting.place)
        if let directive {
            add([part(.header("Cache-Control"), directive)], at: setting.place) {
                $0.header("Cache-Control", directive)
            }
        }
    }
}

// MARK: - Keys

extension Contributions {
    /// One key of an object: set, taken back, or not mentioned. Where the object is taken back, so are all its keys.
    private mutating func add<Option: RequestOption, Model, Value>(
        _ option: Option.Type, of setting: Setting<Model>, _ key: KeyPath<Model, Setting<Value>?>,
        as transform: (Value) -> Option.Value
    ) {
        switch said(setting, key) {
        case .set(let value, let place): set(option, transform(value), at: place)
        case .removed(let place): remove(option, at: place)
        case .silent: break
        }
    }

    /// A file, seen from the workspace's root.
    private mutating func addFile<Option: TextOption, Model>(
        _ option: Option.Type, of setting: Setting<Model>, _ key: KeyPath<Model, Setting<TextTemplate>?>
    ) {
        switch said(setting, key) {
        case .set(let template, let place):
            add([part(.option(Option.name), template.source)], at: place) { evaluation in
                switch evaluation.text(template) {
                case .failed: .failed
                case .absent: .absent
                case .value(let text):
                    evaluation.file(text, "for \(Option.name)", at: place).map { path in
                        { $0.option(Option.self, path) }
                    }
                }
            }
        case .removed(let place): remove(option, at: place)
        case .silent: break
        }
    }

    private mutating func set<Option: RequestOption>(_ option: Option.Type, _ value: Option.Value, at place: Place) {
        add([part(.option(Option.name), Option.text(for: value))], at: place) { $0.option(Option.self, value) }
    }

    private mutating func remove<Option: RequestOption>(_ option: Option.Type, at place: Place) {
        add([removal(of: .option(Option.name))], at: place) { $0.option(Option.self, nil) }
    }

    private enum Said<Value> {
        case set(Value, Place)
        case removed(Place)
        case silent
    }

    private func said<Model, Value>(
        _ setting: Setting<Model>, _ key: KeyPath<Model, Setting<Value>?>
    ) -> Said<Value> {
        guard let model = setting.value.value else { return .removed(setting.place) }
        guard let said = model[keyPath: key] else { return .silent }
        return said.value.value.map { .set($0, said.place) } ?? .removed(said.place)
    }
}

extension CachePolicy {
    fileprivate var foundation: URLRequest.CachePolicy {
        switch self {
        case .useProtocolCachePolicy: .useProtocolCachePolicy
        case .reloadIgnoringLocalCacheData: .reloadIgnoringLocalCacheData
        case .reloadIgnoringLocalAndRemoteCacheData: .reloadIgnoringLocalAndRemoteCacheData
        case .returnCacheDataElseLoad: .returnCacheDataElseLoad
        case .returnCacheDataDontLoad: .returnCacheDataDontLoad
        case .reloadRevalidatingCacheData: .reloadRevalidatingCacheData
        }
    }
}
