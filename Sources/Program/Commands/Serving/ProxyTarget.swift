import Calling
import CommandLineKit
import Foundation
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// The server that requests are passed on to, as an environment describes it.
///
/// A target has only the server's address, the way to it, and the policy. It has no credentials, so a program that calls the
/// stubs can't use credentials of the environment.
struct ProxyTarget: Sendable {
    /// The name of the environment.
    let environment: String
    /// The scheme, host and port.
    let origin: String
    /// The start of the server's paths: empty, or a path that begins with a slash and doesn't end with a slash.
    let basePath: String
    /// The base path under which this server serves the same endpoints. It comes from the environment of the stubs.
    let servedBasePath: String
    let transfer: TransferSettings
    /// The limits of the secrets of this environment and of the served one; none if there are no limits. A client may send such a secret
    /// itself.
    let origins: [SecretOrigins]
    private let policy: Policy?
    /// Whether the user has agreed with `--yes` to the methods that the policy asks about.
    private let isAgreed: Bool

    /// - Parameter served: The environment whose endpoints are served.
    init(
        _ environment: EnvironmentChain, of workspace: Workspace, servedAs served: EnvironmentChain, isAgreed: Bool,
        _ context: Context
    ) throws(Failure) {
        self.environment = environment.name
        self.isAgreed = isAgreed
        policy = environment.policy
        origins = [environment, served].compactMap { environment in
            let origins = SecretOrigins(environment)
            // Without programs, because serve runs none.
            let call = Call(
                workspace: workspace, endpoint: LocatedEndpoint(typed: "server", in: nil), environment: environment)
            origins?.noteSecretsAtHand(of: call, in: context.world)
            return origins
        }
        let request = try Self.request(environment, workspace, context)
        guard let scheme = request.url.scheme, let host = request.url.host(percentEncoded: true) else {
            throw Failure(
                .usage, code: .proxyUnusable,
                "the environment \(environment.name) has no server to pass requests on to",
                hint: "add \"baseURL\" to the environment")
        }
        origin = "\(scheme)://\(host.contains(":") ? "[\(host)]" : host)\(request.url.port.map { ":\($0)" } ?? "")"
        basePath = Self.basePath(of: request.url)
        // The endpoints are served under the base path of the served environment's server, or without a base path if that
        // environment has no server.
        let own = try? Self.request(served, workspace, context)
        servedBasePath = own.map { Self.basePath(of: $0.url) } ?? ""
        var transfer = TransferSettings()
        transfer.timeouts = request.transfer.timeouts
        transfer.tls = request.transfer.tls
        transfer.version = request.transfer.version
        transfer.proxies = request.transfer.proxies
        self.transfer = transfer.completed(by: context.usualTransfer)
    }

    /// The reason why a method is not passed on; nil if it is passed on.
    func objection(to method: String) -> Wording? {
        switch PolicyDecision(method: method, policy) {
        case .allowed: nil
        case .refused(let reason): "the environment \(own: environment) does not allow \(method): \(own: reason)"
        case .needsConfirmation:
            isAgreed
                ? nil
                : "the environment \(own: environment) asks before each \(method); serve passes it on only with --yes"
        }
    }

    // MARK: Paths

    /// The path at the other server.
    func path(for path: String) -> String { Self.moved(path, from: servedBasePath, to: basePath) ?? path }

    /// The path at this server; unchanged if no path of this server leads to it.
    func ownPath(for path: String) -> String { Self.moved(path, from: basePath, to: servedBasePath) ?? path }

    private static func moved(_ path: String, from start: String, to newStart: String) -> String? {
        guard start != newStart, path.hasPrefix(start) else { return nil }
        let rest = path.dropFirst(start.count)
        guard rest.isEmpty || rest.first == "/" else { return nil }
        let moved = newStart + rest
        return moved.isEmpty ? "/" : moved
    }

    private static func basePath(of url: URL) -> String {
        var path = url.path(percentEncoded: true)
        while path.hasSuffix("/") { path.removeLast() }
        return path
    }

    // MARK: The environment

    /// A request that has only the address of the environment.
    private static func request(
        _ environment: EnvironmentChain, _ workspace: Workspace, _ context: Context
    ) throws(Failure) -> PreparedRequest {
        var world = context.world
        world.run = { _, _, _ in .notStarted("serve runs no program of the workspace") }
        let call = Call(
            workspace: workspace, endpoint: LocatedEndpoint(typed: "server", in: nil), environment: environment.server)
        let assembled = try Assembler(world: world).assemble(call)
        guard assembled.secrets.isEmpty else {
            throw Failure(
                .usage, code: .proxyUnusable,
                "the server address of the environment \(environment.name) contains a secret",
                hint: "serve reads no secrets; name an environment with a plain address")
        }
        return assembled.request
    }
}

extension Diagnostic.Code {
    static let proxyUnusable: Self = "serve.passing"
}
