#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

extension URLRequest.CachePolicy {
    private static let names: [(policy: URLRequest.CachePolicy, name: String)] = [
        (.useProtocolCachePolicy, "useProtocolCachePolicy"),
        (.reloadIgnoringLocalCacheData, "reloadIgnoringLocalCacheData"),
        (.reloadIgnoringLocalAndRemoteCacheData, "reloadIgnoringLocalAndRemoteCacheData"),
        (.returnCacheDataElseLoad, "returnCacheDataElseLoad"),
        (.returnCacheDataDontLoad, "returnCacheDataDontLoad"),
        (.reloadRevalidatingCacheData, "reloadRevalidatingCacheData"),
    ]

    /// The policy of Foundation's own name for it.
    package init?(named name: String) {
        guard let known = Self.names.first(where: { $0.name == name }) else { return nil }
        self = known.policy
    }

    /// Foundation's own name.
    package var name: String {
        Self.names.first { $0.policy == self }?.name ?? "cache policy \(rawValue)"
    }
}
