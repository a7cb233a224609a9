package import ReqcliNetworking

/// Foundation's cache policies, by Foundation's names.
package enum CachePolicy: String, CaseIterable, Sendable {
    case useProtocolCachePolicy
    case reloadIgnoringLocalCacheData
    case reloadIgnoringLocalAndRemoteCacheData
    case returnCacheDataElseLoad
    case returnCacheDataDontLoad
    case reloadRevalidatingCacheData

    package var foundation: URLRequest.CachePolicy {
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

extension URLRequest.CachePolicy {
    /// The name of the policy in Foundation.
    package var name: String {
        CachePolicy.allCases.first { $0.foundation == self }?.rawValue ?? "cache policy \(rawValue)"
    }
}
