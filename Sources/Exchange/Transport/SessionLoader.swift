import Foundation
import RequestBuilding

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A loader of this library's, for the sessions that have it among their `protocolClasses`.
protocol SessionLoader: Sendable {
    func send(_ request: PreparedRequest, in session: URLSession) async throws -> Response
}

/// What is different from system to system: Linux has a loader of ours, and elsewhere Foundation's own sends.
enum Platform {
    #if os(Linux)
        static var protocolClasses: [AnyClass]? { [LibcurlProtocol.self] }
        static func makeSession() -> URLSession { URLSession(configuration: .exchange) }
        static func loader(of session: URLSession) -> (any SessionLoader)? { LibcurlLoader(of: session) }
        /// Why no session can be made; nil if one can.
        static var obstacle: String? { LibcurlLoader.obstacle }
        static func isPublicSuffix(_ domain: String) -> Bool? { LibcurlLoader.isPublicSuffix(domain) }
    #else
        static var protocolClasses: [AnyClass]? { nil }
        static func makeSession() -> URLSession { .withFoundationLoader() }
        static func loader(of session: URLSession) -> (any SessionLoader)? { nil }
        static var obstacle: String? { nil }
        static func isPublicSuffix(_ domain: String) -> Bool? { nil }
    #endif
}
