import ReqcliNetworking
import RequestBuilding

/// A loader of this library, for sessions that have it in their `protocolClasses`.
protocol SessionLoader: Sendable {
    func send(_ request: PreparedRequest, in session: URLSession) async throws -> Response
}

/// The differences between systems: on Linux, this library's loader sends the requests; on other systems, Foundation's own loader
/// does.
enum Platform {
    #if os(Linux)
    static var protocolClasses: [AnyClass]? { [LibcurlProtocol.self] }
    static func makeSession() -> URLSession { URLSession(configuration: .exchange) }
    static func loader(of session: URLSession, isOwn: Bool) -> (any SessionLoader)? {
        LibcurlLoader(of: session, lane: isOwn ? Lane(rest: Lane.standardRest) : nil)
    }
    /// The reason why no session can be made; nil if a session can be made.
    static var obstacle: String? { LibcurlLoader.obstacle }
    static func isPublicSuffix(_ domain: String) -> Bool? { LibcurlLoader.isPublicSuffix(domain) }
    #else
    static var protocolClasses: [AnyClass]? { nil }
    static func makeSession() -> URLSession { .withFoundationLoader() }
    static func loader(of session: URLSession, isOwn: Bool) -> (any SessionLoader)? { nil }
    static var obstacle: String? { nil }
    static func isPublicSuffix(_ domain: String) -> Bool? { nil }
    #endif
}
