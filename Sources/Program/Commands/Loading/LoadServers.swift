import Exchange
import Foundation
import ReqcliAssembly
import ReqcliBasics
import ReqcliText
import RequestBuilding

/// The servers that the requests of a load go to. They are known before anything is sent, and no request may go to another one.
final class LoadServers: Sendable {
    private let known = Mutex<[String: Bool]>([:])
    private let announced = Mutex<Set<String>>([])

    /// The hosts as URLs name them.
    var names: [String] { known.withLock { $0.keys.sorted() } }

    /// Whether all servers are on this machine.
    var areLocal: Bool { known.withLock { $0.values.allSatisfy(\.self) } }

    /// The methods of all requests, those of logins included.
    var methods: Set<String> { announced.withLock(\.self) }

    /// Notes a request that will be sent.
    func announce(_ request: PreparedRequest) {
        announced.withLock { _ = $0.insert(request.method.token) }
        let (name, isLocal) = (request.serverName, request.isForThisMachine)
        known.withLock { $0[name] = isLocal && $0[name] ?? true }
    }

    /// The failure for a request to a server that the user has not agreed to; nil for any other request.
    func refusal(of request: PreparedRequest) -> Failure? {
        let name = request.serverName
        // A proxy or another address may apply to some requests only.
        let isKnown = known.withLock { known in known[name].map { !$0 || request.goesToItsHost } }
        if isKnown == true { return nil }
        return Failure(
            .refusedByPolicy, code: .policyRefused,
            "load sends nothing to \"\(name)\", because the endpoints don't name this server",
            hint: "don't follow redirects to other servers, and write the server into \"baseURL\" or the endpoint")
    }
}

extension PreparedRequest {
    /// The host as the URL names it, or the socket.
    fileprivate var serverName: String { transfer.unixSocket ?? url.host?.lowercased() ?? "" }

    /// Whether the request goes to a socket, or to the host that its URL names.
    fileprivate var goesToItsHost: Bool {
        transfer.unixSocket != nil
            || transfer.proxy(for: url) == nil && transfer.detours.isEmpty && transfer.resolvedHosts.isEmpty
    }

    /// Whether the request can only reach this machine. The host is what the URL says, because DNS could say something else later.
    fileprivate var isForThisMachine: Bool {
        if transfer.unixSocket != nil { return true }
        guard goesToItsHost else { return false }
        let host = serverName
        if host == "localhost" || host.hasSuffix(".localhost") || ["::1", "[::1]"].contains(host) { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
