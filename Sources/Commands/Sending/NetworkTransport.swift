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

    /// Fails where the loader would leave something of the request out.
    func refuseWhatLoaderCannot(_ request: PreparedRequest) throws(TransportError) {
        guard loader == .foundation, let obstacle = Self.obstacle(to: request) else { return }
        throw TransportError(.invalidRequest, target: request.url.host ?? "", detail: obstacle)
    }

    /// Why Foundation's loader can't carry a request; nil if it can. It leaves out what it can't do, or reports something
    /// else.
    private static func obstacle(to request: PreparedRequest) -> String? {
        var tls = request.transfer.tls
        if tls.minimumVersion == .tls12 { tls.minimumVersion = nil }
        if request.url.scheme != "http", tls != TLSSettings() {
            return "Foundation's loader can't do what tls asks for, --loader curl can"
        }
        if request.method == .get || request.method == .head, let body = request.body, body != .data(Data()) {
            return "Foundation's loader sends no body with \(request.method.token), --loader curl does"
        }
        return nil
    }
}
