package import Exchange
import Foundation
import HTTPWire
package import ReqcliAssembly
import ReqcliBasics
package import ReqcliDefinitions
package import ReqcliText
package import RequestBuilding

/// The responses of one endpoint's variants. Each request gets the response of the variant that applies to it.
package struct EndpointStubs: Sendable {
    private let workspace: Workspace
    private let variants: EndpointVariants
    private let router: Router
    private let variables: [String: OrderedJSON]
    private let world: World
    /// The variant that the user has chosen by name.
    private let chosen: String?
    /// The variant that the environment names for all endpoints; nil for none.
    private let rest: String?
    /// The exit status of the program if a variant does not exist.
    private let unknownStatus: ExitStatus

    /// Nil if every request gets the same responses, because then no request has to be read.
    package init?(
        _ endpoint: LocatedEndpoint, of workspace: Workspace, in environment: EnvironmentChain, world: World,
        version: String, chosen: String?, rest: String?, ifUnknown status: ExitStatus
    ) throws(Failure) {
        let variants = EndpointVariants(endpoint, workspace.schemas)
        guard variants.isFilled || (chosen == nil && variants.hasConditions) else { return nil }
        self.workspace = workspace
        self.variants = variants
        self.world = world
        self.chosen = chosen
        self.rest = rest
        unknownStatus = status
        let maker = RequestPattern.Maker(workspace, in: environment, world: world, version: version)
        router = Router([try maker.assembledPattern(of: endpoint)], workspace.schemas)
        variables = maker.variables(of: endpoint)
    }

    /// The stub for a request.
    ///
    /// - Parameter turn: Takes the next turn of the variant with the given name and returns its number, from 0.
    package func stub(for request: PreparedRequest, turn: (String) -> Int) throws(Failure) -> Stub {
        let incoming = IncomingRequest(request, files: world.files)
        var reading = RequestReading.nothing
        if case .found(_, let found) = router.route(incoming) { reading = found }
        let name = chosen ?? variants.chosen(for: incoming, reading, rest: rest)
        guard let name else { throw noVariant(incoming, reading) }
        let script = try workspace.stubs(name, of: variants.endpoint, ifUnknown: unknownStatus)
        let number = turn(name)
        guard let stub = script.stub(number) else { throw noVariant(incoming, reading) }
        do throws(Filling.Unresolved) {
            return try stub.filled(
                Filling(
                    name: "\(variants.endpoint.id) \(name)", request: incoming, reading: reading,
                    parameters: Set(variants.endpoint.parameters.map(\.name)),
                    variables: variables, count: number + 1, world: world))
        } catch {
            throw Failure(
                .broken, code: .valueUnresolved, "the stub variant \(name) cannot be filled: \(error.message)",
                at: variants.endpoint.definition.stubs?.variants[named: name]?.place)
        }
    }

    /// The variant whose `when` a request meets; nil if it meets none.
    package func conditionalVariant(for request: PreparedRequest) -> String? {
        let incoming = IncomingRequest(request, files: world.files)
        guard case .found(_, let reading) = router.route(incoming) else { return nil }
        return variants.conditional(for: incoming, reading)
    }

    private func noVariant(_ request: IncomingRequest, _ reading: RequestReading) -> Failure {
        Failure(
            unknownStatus, code: .variantUnknown,
            "no stub variant of \(variants.endpoint.id) responds to this request: "
                + variants.objections(to: request, reading),
            at: variants.endpoint.definition.place,
            hint: "add a variant without \"when\", which responds to all other requests")
    }
}

extension Stub {
    /// The stub with its placeholders filled in, if it has any.
    func filled(_ filling: Filling) throws(Filling.Unresolved) -> Stub {
        guard isFilled else { return self }
        var stub = self
        var fields: [HeaderFields.Field] = []
        for field in headers {
            if let value = try filling.text(field.value, ofHeader: field.name) {
                fields.append(HeaderFields.Field(field.name, value))
            }
        }
        stub.headers = HeaderFields(fields)
        for field in fields where field.name.isSameHeader(as: "Content-Length") && field.value.byteCount == nil {
            throw Filling.Unresolved(message: "its Content-Length would be \(field.value.shortened.quoted)")
        }
        guard case .data(let data) = body, let text = String(validating: data, as: UTF8.self) else { return stub }
        if let type = headers["Content-Type"], type.contains("json"), let json = OrderedJSON(parsing: text) {
            stub.body = .data(Data((try filling.json(json)?.compact ?? "").utf8))
        } else {
            stub.body = .data(Data(try filling.wholeText(text).utf8))
        }
        return stub
    }
}

extension IncomingRequest {
    /// The largest body that is read. A server does not accept a larger one either.
    private static let largestBody = 16 << 20

    /// Converts a request that is about to be sent. If a file of its body is missing or too large, the file counts as empty.
    convenience init(_ request: PreparedRequest, files: FileSystem) {
        let body = (request.body?.pieces ?? []).flatMap { piece -> [UInt8] in
            switch piece {
            case .data(let data): Array(data)
            case .file(let path): (try? files.read(path, Self.largestBody)) ?? []
            }
        }
        self.init(
            method: request.method.token, path: request.url.path(percentEncoded: true),
            query: request.url.query(percentEncoded: true),
            headers: HeaderLines(request.headers.map { (name: $0.name, value: $0.value) }), body: body,
            authority: request.url.host.map { name in request.url.port.map { "\(name):\($0)" } ?? name
            })
    }
}
