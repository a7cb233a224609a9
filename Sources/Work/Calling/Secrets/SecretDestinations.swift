import Exchange
import Foundation
package import ReqcliAssembly
import ReqcliBasics
package import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// Computes where the requests of an environment go, without sending anything and without reading a secret.
package struct SecretDestinations: Sendable {
    package enum Target: Hashable, Sendable {
        case origin(String)
        /// Any origin, for this reason.
        case anywhere(String)

        package var phrase: String {
            switch self {
            case .origin(let origin): origin
            case .anywhere(let reason): "anywhere: \(reason)"
            }
        }
    }

    private let calls: OpenCalls
    private let assembler: Assembler
    private let environment: EnvironmentChain

    package init(_ workspace: Workspace, in environment: EnvironmentChain, _ world: World, version: String) {
        self.environment = environment
        let server = EnvironmentChain(
            name: environment.name,
            layers: environment.layers.map { definition in
                var definition = definition
                definition.layer = definition.layer.server
                definition.needs = []
                return definition
            })
        calls = OpenCalls(workspace, in: server, .whole, version: version)
        assembler = calls.assembler(world)
    }

    /// The places that receive a part of an endpoint's requests.
    package func targets(of part: SecretUse.Part, in endpoint: LocatedEndpoint) -> [Target] {
        part == .oauth2 ? tokenServers(of: endpoint) : servers(of: endpoint, isForProxy: part == .proxy)
    }

    private static let switched = Target.anywhere("a $switch decides")

    private func servers(of endpoint: LocatedEndpoint, isForProxy: Bool) -> [Target] {
        let layers = environment.layers.map(\.layer.server) + endpoint.server.layers(in: environment.name)
        let isChosen = layers.contains { layer in
            layer.port?.set?.hasSwitch == true || environment.hasSwitch(in: layer.placeholders)
        }
        if isChosen { return [Self.switched] }
        let (call, standIns) = calls.call(endpoint.server, endpoint.samples)
        let request: PreparedRequest
        do throws(Failure) { request = try assembler.assemble(call).request } catch {
            return [.anywhere(StandIn.shown(error.diagnostics.first?.message ?? ""))]
        }
        let proxy = request.proxyOrigin
        if isForProxy { return proxy.map { [Self.target($0)] } ?? [] }
        var targets = [Self.target(standIns.restored(request.url.absoluteString))]
        if let proxy, request.isReadByProxy { targets.append(Self.target(proxy)) }
        if request.transfer.redirects.credentials == .anyHost {
            targets.append(.anywhere("\"redirects\": {\"credentials\": \"anyHost\"}"))
        }
        return targets
    }

    private func tokenServers(of endpoint: LocatedEndpoint) -> [Target] {
        guard case .oauth2(let template)? = endpoint.auth(in: environment)?.set?.credentials else { return [] }
        let urls = [OAuthTemplate.Key.issuer, .tokenURL, .authorizationURL, .deviceURL].compactMap { template[$0] }
        if urls.contains(where: { $0.hasSwitch || environment.hasSwitch(in: $0.placeholders) }) {
            return [Self.switched]
        }
        let call = calls.call(endpoint.server, endpoint.samples).call
        func text(_ key: OAuthTemplate.Key) -> String? {
            guard let value = template[key] else { return nil }
            return (try? assembler.fill([value], for: call, needsAll: true))?.values.first??.plainText ?? "{{}}"
        }
        if let issuer = text(.issuer) {
            return [.anywhere("the metadata of \(StandIn.shown(issuer)) names the token endpoint")]
        }
        return [OAuthTemplate.Key.tokenURL, .authorizationURL, .deviceURL].compactMap(text).map(Self.target)
    }

    /// The origin of a URL, which may contain stand-ins.
    private static func target(_ url: String) -> Target {
        let start = url.firstRange(of: "://")?.upperBound
        let end = start.flatMap { url[$0...].firstIndex { "/?#".contains($0) } } ?? url.endIndex
        let open = StandIn.pieces(of: String(url[..<end])).compactMap(\.value)
        if let value = open.first {
            let what = if case .parameter = value { "a param" } else { "a value" }
            return .anywhere("\(what) decides, {{\(value.text)}}")
        }
        guard start != nil, let parsed = URL(string: url), parsed.host?.isEmpty == false else {
            return .anywhere("\(StandIn.shown(url).quoted) is not a URL")
        }
        return .origin(WebOrigin(parsed).text)
    }
}

extension PreparedRequest {
    /// The origin of the proxy that the request goes through; nil for none.
    var proxyOrigin: String? {
        transfer.proxy(for: url).flatMap { proxy in
            let whole = proxy.contains("://") ? proxy : "http://\(proxy)"
            return URL(string: whole).map { WebOrigin($0).text }
        }
    }

    /// Whether a proxy can read the request. A tunnel to an https server hides it.
    var isReadByProxy: Bool { url.scheme?.lowercased() != "https" }
}
