import Exchange
import Foundation
import RequestBuilding
import Synchronization

/// The network, opened when the first request goes out. The requests of a run share their connections.
final class NetworkTransport: Transport {
    private let network: Network
    private let loader: Loader
    private let opened = Mutex<(any Transport)?>(nil)

    init(_ network: Network, _ loader: Loader) {
        self.network = network
        self.loader = loader
    }

    func send(_ request: PreparedRequest) async throws -> Response {
        let transport = opened.withLock { opened in
            if let opened { return opened }
            let transport = network.transport(loader)
            opened = transport
            return transport
        }
        return try await transport.send(request)
    }

    /// Fails where the loader would ignore some of the TLS settings.
    func refuseWhatLoaderCannot(_ request: PreparedRequest) throws(TransportError) {
        var tls = request.transfer.tls
        if tls.minimumVersion == .tls12 { tls.minimumVersion = nil }
        guard loader == .foundation, request.url.scheme != "http", tls != TLSSettings() else { return }
        throw TransportError(
            .invalidRequest, target: request.url.host ?? "",
            detail: "Foundation's loader can't do what tls asks for, --loader curl can")
    }
}
