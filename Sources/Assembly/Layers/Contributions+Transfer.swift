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
            add(.followsRedirects, of: redirects, \.follow) { $0 }
            add(.maximumRedirects, of: redirects, \.max) { $0 }
            add(.redirectCredentials, of: redirects, \.credentials) { _ in .anyHost }
        }
        if let retry = layer.retry {
            add(.retryTimes, of: retry, \.times) { $0 }
            add(.retryStatuses, of: retry, \.statuses) { $0 }
            add(.retryMethods, of: retry, \.methods) { $0.compactMap { try? HTTPMethod($0.value) } }
            add(.retryDelay, of: retry, \.delay) { $0 }
        }
        if let tls = layer.tls {
            addFile(.authorities, of: tls, \.ca)
            addFile(.certificate, of: tls, \.certificate)
            addFile(.certificateKey, of: tls, \.key)
            add(.isInsecure, of: tls, \.insecure) { $0 }
            add(.minimumTLSVersion, of: tls, \.minimumVersion) { $0 }
        }
    }

    private mutating func addTimeouts(_ timeout: Setting<TimeoutLayer>?) {
        guard let timeout else { return }
        add(.firstByteTimeout, of: timeout, \.firstByte) { $0 }
        add(.totalTimeout, of: timeout, \.total) { $0 }
        guard timeout.value.value != nil else {
            // Without a word about timeouts the standard ones hold.
            add(TransferSetting.connectTimeout.to(Timeouts.standardConnect), at: timeout.place)
            add(TransferSetting.idleTimeout.to(Timeouts.standardIdle), at: timeout.place)
            return
        }
        add(.connectTimeout, of: timeout, \.connect) { $0 }
        add(.idleTimeout, of: timeout, \.idle) { $0 }
    }

    private mutating func addCachePolicy(_ setting: Setting<CachePolicy>?) {
        guard let setting else { return }
        let policy = setting.value.value ?? .useProtocolCachePolicy
        add(TransferSetting.cachePolicy.to(policy.foundation), at: setting.place)
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
    private mutating func add<Model, Value, Written>(
        _ key: TransferSetting<Value>, of setting: Setting<Model>, _ path: KeyPath<Model, Setting<Written>?>,
        as transform: (Written) -> Value
    ) {
        switch said(setting, path) {
        case .set(let value, let place): add(key.to(transform(value)), at: place)
        case .removed(let place): add(key.removed, at: place)
        case .silent: break
        }
    }

    /// A file, seen from the workspace's root.
    private mutating func addFile<Model>(
        _ key: TransferSetting<String>, of setting: Setting<Model>, _ path: KeyPath<Model, Setting<TextTemplate>?>
    ) {
        switch said(setting, path) {
        case .set(let template, let place):
            add([part(.setting(key.name), template.source)], at: place) { evaluation in
                switch evaluation.text(template) {
                case .failed: .failed
                case .absent: .absent
                case .value(let text):
                    evaluation.file(text, "for \(key.name)", at: place).map { path in { $0.setting(key, path) } }
                }
            }
        case .removed(let place): add(key.removed, at: place)
        case .silent: break
        }
    }

    private mutating func add(_ change: TransferChange, at place: Place) {
        add([part(change)], at: place) { $0.setting(change) }
    }

    /// What a change of one key does to its part of the request.
    func part(_ change: TransferChange) -> Contribution.Part {
        let subject = RequestSubject.setting(change.name)
        return change.value.map { part(subject, $0) } ?? removal(of: subject)
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
