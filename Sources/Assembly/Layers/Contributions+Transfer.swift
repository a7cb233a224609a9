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
        if let setting = layer.cachePolicy {
            add(
                [part(.cachePolicy, setting.value.value?.rawValue ?? CachePolicy.useProtocolCachePolicy.rawValue)],
                at: setting.place
            ) {
                builder, _ in
                builder.cachePolicy((setting.value.value ?? .useProtocolCachePolicy).foundation)
            }
            addCacheControl(setting)
        }
        if let setting = layer.redirects {
            let value = setting.value.value
            option(TransferOption.FollowRedirects.self, value.map(\.follow), setting.place)
            option(TransferOption.MaximumRedirects.self, value.map(\.max), setting.place)
        }
        if let setting = layer.retry {
            let value = setting.value.value
            option(TransferOption.RetryTimes.self, value.map { $0.times }, setting.place)
            option(TransferOption.RetryStatuses.self, value.map { $0.statuses?.map(String.init) }, setting.place)
            option(TransferOption.RetryMethods.self, value.map { $0.methods?.map(\.value) }, setting.place)
            option(TransferOption.RetryDelay.self, value.map(\.delay), setting.place)
        }
        addTLS(layer.tls)
    }

    private mutating func addTimeouts(_ setting: Setting<Timeouts>?) {
        guard let setting else { return }
        guard let timeouts = setting.value.value else {
            // Without a word about timeouts the standard ones hold.
            let standard = Timeouts.standard
            option(TransferOption.ConnectTimeout.self, .some(standard.connect), setting.place)
            option(TransferOption.FirstByteTimeout.self, nil, setting.place)
            option(TransferOption.IdleTimeout.self, .some(standard.idle), setting.place)
            option(TransferOption.TotalTimeout.self, nil, setting.place)
            return
        }
        option(TransferOption.ConnectTimeout.self, .some(timeouts.connect), setting.place)
        option(TransferOption.FirstByteTimeout.self, .some(timeouts.firstByte), setting.place)
        option(TransferOption.IdleTimeout.self, .some(timeouts.idle), setting.place)
        option(TransferOption.TotalTimeout.self, .some(timeouts.total), setting.place)
    }

    /// The two policies that a server or proxy has to hear of say so in a header; a header that is written out wins.
    private mutating func addCacheControl(_ setting: Setting<CachePolicy>) {
        let directive: String? =
            switch setting.value.value {
            case .reloadIgnoringLocalAndRemoteCacheData: "no-cache"
            case .reloadRevalidatingCacheData: "max-age=0"
            default: nil
            }
        guard let directive else { return }
        add([part(.header("Cache-Control"), directive)], at: setting.place) { builder, _ in
            builder.header("Cache-Control", directive)
        }
    }

    private mutating func addTLS(_ setting: Setting<TLS>?) {
        guard let setting else { return }
        let tls = setting.value.value
        path(TransferOption.CertificateAuthorities.self, tls.map(\.ca), setting.place)
        path(TransferOption.ClientCertificate.self, tls.map(\.certificate), setting.place)
        path(TransferOption.ClientKey.self, tls.map(\.key), setting.place)
        option(TransferOption.Insecure.self, tls.map(\.insecure), setting.place)
        option(TransferOption.MinimumTLSVersion.self, tls.map { $0.minimumVersion?.rawValue }, setting.place)
    }

    /// A key's value: nil inside where the layer is silent about it, nil outside where the layer takes all of it back.
    private mutating func option<Option: RequestOption>(_ type: Option.Type, _ value: Option.Value??, _ place: Place) {
        switch value {
        case .some(.some(let value)):
            add([part(.option(Option.name), Option.text(for: value))], at: place) { builder, _ in
                builder.option(Option.self, value)
            }
        case .some(.none): break
        case .none:
            add([part(.option(Option.name), nil)], at: place) { builder, _ in builder.option(Option.self, nil) }
        }
    }

    /// A file, seen from the workspace's root.
    private mutating func path<Option: TextOption>(_ type: Option.Type, _ template: TextTemplate??, _ place: Place) {
        switch template {
        case .some(.some(let template)):
            add([part(.option(Option.name), template.source)], at: template.place) { builder, evaluation in
                guard case .value(let path) = evaluation.text(template) else { return nil }
                return builder.option(Option.self, evaluation.filePath(path))
            }
        case .some(.none): break
        case .none:
            add([part(.option(Option.name), nil)], at: place) { builder, _ in builder.option(Option.self, nil) }
        }
    }
}

extension CachePolicy {
    var foundation: URLRequest.CachePolicy {
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

extension RequestBuilder {
    func digest(user: String, password: String) -> RequestBuilder {
        option(
            TransferOption.DigestAccount.self,
            PercentEncoding.queryComponent(user) + ":" + PercentEncoding.queryComponent(password))
    }

    func removingDigest() -> RequestBuilder { option(TransferOption.DigestAccount.self, nil) }
}
