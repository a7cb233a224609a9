import CommandLineKit
import Importing
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// Compares the requests of the written endpoints with those that the source states.
struct ImportProof {
    private let imported: ImportedWorkspace
    private let workspace: Workspace
    private let isExact: Bool
    private let context: Context

    init(_ imported: ImportedWorkspace, _ workspace: Workspace, isExact: Bool, _ context: Context) {
        self.isExact = isExact
        self.imported = imported
        self.workspace = workspace
        self.context = context
    }

    /// No server takes more of them, and each one that is set is compared with all others.
    private static let mostHeaders = 1_000

    /// A note for each part in which a request differs.
    func notes() -> [ImportNote] {
        guard imported.requests.contains(where: { $0.stated != nil }),
            case .found(let chain) = workspace.environment(imported.statedEnvironment).value
        else { return [] }
        let assembler = Assembler(world: world)
        let files = workspace.load(endpointFiles: workspace.endpointEntries().value)
        let endpoints = Dictionary(
            files.compactMap(\.value).flatMap(\.located).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let captures = endpoints.mapValues { endpoint in
            Dictionary(
                endpoint.definition.captures.map { ($0.name, OrderedJSON.string(StatedRequest.unknown)) },
                uniquingKeysWith: { first, _ in first })
        }
        return zip(imported.requests, imported.ids).flatMap { request, id -> [ImportNote] in
            guard let stated = request.stated, stated.headers.count <= Self.mostHeaders, let endpoint = endpoints[id]
            else { return [] }
            let (call, isWhole) = call(of: endpoint, with: captures, in: chain, stated)
            do throws(Failure) {
                let made = try assembler.assemble(call).request
                return RequestComparison(stated, made, isExact: isExact).differences.map {
                    ImportNote(
                        .approximated, "the endpoint sends something else than the source", $0, at: request.place)
                }
            } catch {
                // With a stand-in, a value that the caller gives may be all that is wrong.
                guard isWhole else { return [] }
                return [
                    ImportNote(
                        .toDo, "the endpoint can't be sent as it is", "\(id): \(error.message)", at: request.place)
                ]
            }
        }
    }

    /// A call with the values that the source gives, and whether it gives all of them.
    ///
    /// - Parameter captures: What endpoints capture, by their ids.
    private func call(
        of endpoint: LocatedEndpoint, with captures: [String: [String: OrderedJSON]], in chain: EnvironmentChain,
        _ stated: StatedRequest
    ) -> (call: Call, isWhole: Bool) {
        var arguments: [ParameterArgument] = []
        var isWhole = true
        let parameters = endpoint.parameters.map { parameter -> Named<Parameter> in
            guard parameter.value.defaultValue == nil,
                parameter.value.isRequired || stated.givenParams.contains(parameter.name)
            else { return parameter }
            if let example = parameter.value.example?.value {
                arguments.append(ParameterArgument(name: parameter.name, value: example))
                return parameter
            }
            isWhole = false
            arguments.append(ParameterArgument(name: parameter.name, value: .string(StatedRequest.unknown)))
            return Named(parameter.name, at: parameter.namePlace, Parameter())
        }
        var call = Call(workspace: workspace, endpoint: endpoint.taking(parameters), environment: chain)
        call.arguments = arguments
        call.readsBodyFiles = false
        for need in endpoint.needs {
            guard let id = need.value.endpoint?.value, let captured = captures[id] else { continue }
            isWhole = false
            call.captures[need.name] = captured
        }
        return (call, isWhole)
    }

    /// The world as it would be with the values of the source in its variables. It generates what the source leaves open.
    private var world: World {
        var values: [String: String] = [:]
        for secret in imported.secrets {
            values[secret.variable] = secret.value ?? StatedRequest.standIn(secret.variable)
        }
        let known = values
        var world = context.world
        world.variable = { known[$0] ?? StatedRequest.standIn($0) }
        // A note of its own tells of files that are missing.
        world.files.kind = { _ in .file }
        world.uuid = { StatedRequest.unknown }
        world.randomInt = { 0 }
        world.clock.date = { 0 }
        return world
    }
}
