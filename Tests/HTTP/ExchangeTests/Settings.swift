import Exchange
import RequestBuilding

extension TransferSettings {
    /// Makes settings that differ from the defaults only in these arguments.
    init(
        timeouts: Timeouts = .standard, tls: TLSSettings = TLSSettings(), version: ProtocolVersion? = nil,
        resolvedHosts: [ResolvedHost] = [], unixSocket: String? = nil, proxies: ProxySettings = ProxySettings(),
        decodesContent: Bool? = false
    ) {
        self.init()
        self.timeouts = timeouts
        self.tls = tls
        self.version = version
        self.resolvedHosts = resolvedHosts
        self.unixSocket = unixSocket
        self.proxies = proxies
        self.decodesContent = decodesContent
    }
}

/// A transport that sends all requests with the same settings.
struct SettledTransport: Transport {
    let settings: TransferSettings
    var transport = URLSessionTransport()

    init(_ settings: TransferSettings, over transport: URLSessionTransport = URLSessionTransport()) {
        self.settings = settings
        self.transport = transport
    }

    func send(_ request: PreparedRequest) async throws -> Response {
        var request = request
        request.transfer = settings
        return try await transport.with(DecodingMiddleware()).send(request)
    }
}
