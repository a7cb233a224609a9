import Foundation
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// Makes the requests of endpoints. In these requests, a stand-in marks the place of each value that is left open. Secrets,
/// captures and generated values are always open; params and variables are open if the format wants it.
struct RequestMaker {
    private let source: ExportSource
    private let plain: EnvironmentChain
    private let calls: OpenCalls
    private let assembler: Assembler

    init(_ source: ExportSource, in chain: EnvironmentChain? = nil, _ mode: OpenCalls.Mode) {
        self.source = source
        plain = chain ?? source.environment
        calls = OpenCalls(source.workspace, in: plain, mode, version: source.version)
        assembler = calls.assembler(source.world)
    }

    /// The maximum length of a chain of requests that need each other. In practice, `validate` rejects longer chains.
    private static let mostNeeds = 32

    /// The request of an endpoint with the requests that it needs.
    ///
    /// - Parameter values: The values of params that a caller passes.
    func request(
        _ endpoint: LocatedEndpoint, with values: [String: OrderedJSON] = [:], depth: Int = 0
    ) throws(Failure) -> OpenRequest {
        let endpoint = endpoint.inside(plain)
        let samples = endpoint.samples.merging(values) { $1 }
        let (call, servers) = calls.call(endpoint, samples)
        let needs = endpoint.needs.compactMap { need in source.workspace.needed(by: need).map { (need, $0) } }
        let assembled = try assembler.assemble(call)
        var requests: [OpenRequest.Need] = []
        for (need, needed) in needs where depth < Self.mostNeeds {
            let filled = try assembler.fill(need.value.parameters.map(\.value), for: call, needsAll: true)
            let handed = zip(need.value.parameters, filled.values).compactMap { parameter, value in
                value.map { (parameter.name, $0.filling { value in samples.value(of: value) }) }
            }.filter { name, value in
                // Doesn't pass an open param to a param without a sample: the user would have to give one variable a value in
                // either case.
                calls.mode != .open || !value.isOpenParameter || needed.parameters[named: name]?.sample != nil
            }
            requests.append(
                OpenRequest.Need(
                    alias: need.name,
                    request: try request(
                        needed, with: Dictionary(handed, uniquingKeysWith: { $1 }), depth: depth + 1),
                    refreshOn: need.value.refreshOn, place: need.namePlace))
        }
        return OpenRequest(
            endpoint: endpoint, environment: call.environment, variables: plain.variables, assembled: assembled,
            servers: servers, call: call, needs: requests, values: samples)
    }

    /// The values of templates, with placeholders filled as in a request.
    func fill(_ templates: [ValueTemplate], for request: OpenRequest) -> [OrderedJSON?] {
        (try? assembler.fill(templates, for: request.call, needsAll: true))?.values
            ?? templates.map { _ in nil }
    }

    /// The scheme, host and path before the endpoints' paths, with the environment's own headers; nil without a server.
    func base() -> (url: String, headers: [(name: String, value: String)])? {
        let (call, servers) = calls.call(LocatedEndpoint(typed: "base", in: plain), [:])
        guard let assembled = try? assembler.assemble(call) else { return nil }
        let url = servers.restored(assembled.request.url.absoluteString).prefix { $0 != "?" }
        return (
            url.hasSuffix("/") ? String(url.dropLast()) : String(url),
            assembled.request.headers.map { ($0.name, $0.value) }
        )
    }
}

extension [String: OrderedJSON] {
    /// The value of an open param. A needed request gets this value unchanged.
    fileprivate func value(of open: OpenValue) -> OrderedJSON? {
        if case .parameter(let name) = open { self[name] } else { nil }
    }
}
