import Exchange
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Network {
    package static let live = Network(
        transport: { options, loader in
            switch loader {
            case .curl: URLSessionTransport(options: options)
            case .foundation: URLSessionTransport(session: URLSession(configuration: .plain), options: options)
            }
        },
        elapsed: { ContinuousClock.Instant.start.duration(to: .now) },
        sleep: { try await Task.sleep(for: $0) })
}

extension ContinuousClock.Instant {
    /// When the program first asked for the time.
    fileprivate static let start = ContinuousClock.now
}

extension URLSessionConfiguration {
    /// Foundation's own loader, with nothing of its own added: no cache, no cookies, no stored credentials.
    fileprivate static var plain: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        return configuration
    }
}
