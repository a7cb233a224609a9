import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import RequestBuilding
import TestSupport

@testable import Importing

/// The requests of the endpoints that an import writes into an empty workspace, beside those that the source sends.
struct SentRequests {
    private let imported: ImportedWorkspace
    private let statements: StatedSource
    private let workspace: Workspace

    init(_ format: any ImportFormat.Type, _ files: [SourceFile]) throws {
        let source = ImportSource(files)
        var notes: [ConversionNote] = []
        var api = try format.read(source, ImportOptions(), &notes)
        statements = try StatedSource(format, source, readAs: api)
        api.mend(isExact: false, &notes)
        var target = ImportTarget()
        target.environment = "development"
        imported = ImportPipeline.run(api, notes, into: target)
        let memory = MemoryFiles(["/w/reqcli.json": .text("{}")])
        let empty = Workspace(root: "/w", currentFolder: "/w", files: memory.fileSystem)
        let merge = try ImportMerge(imported, into: empty, replacing: false)
        let drafts = Dictionary(
            merge.files.map { (empty.path($0.path), $0.after) }, uniquingKeysWith: { _, last in last })
        workspace = Workspace(root: "/w", currentFolder: "/w", files: empty.files.with(drafts: drafts))
    }

    var notes: [ConversionNote] { imported.notes }

    /// How many requests the source states.
    var statedCount: Int { imported.requests.count { statements.request(at: $0.place) != nil } }

    /// The differences between the requests of the endpoints and those of the source.
    func differences() throws -> [String] {
        guard case .found(let chain) = workspace.environment(imported.firstEnvironment).value else { return [] }
        let files = workspace.load(endpointFiles: workspace.endpointEntries().value)
        let endpoints = Dictionary(
            files.compactMap(\.value).flatMap(\.located).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let captures = endpoints.mapValues { endpoint in
            Dictionary(
                endpoint.definition.captures.map { ($0.name, OrderedJSON.string(StatedRequest.unknown)) },
                uniquingKeysWith: { first, _ in first })
        }
        return try zip(imported.requests, imported.ids).flatMap { request, id -> [String] in
            guard let stated = statements.request(at: request.place), let endpoint = endpoints[id] else { return [] }
            let (call, isWhole) = call(of: endpoint, with: captures, in: chain, stated)
            do throws(Failure) {
                let made = try Assembler(world: world).assemble(call).request
                return RequestComparison(stated, made).differences
            } catch {
                // With a stand-in, a value that the caller gives may be all that is wrong.
                if isWhole { throw error }
                return []
            }
        }
    }

    /// A call with the values that the source gives, and whether it gives all of them.
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

    /// The world with the values of the source in its variables. It generates what the source leaves open.
    private var world: World {
        let values = Dictionary(
            imported.secrets.map { ($0.variable, $0.value ?? StatedRequest.standIn($0.variable)) },
            uniquingKeysWith: { first, _ in first })
        var world = World.unstubbed(MemoryFiles())
        world.variable = { values[$0] ?? StatedRequest.standIn($0) }
        world.files.kind = { _ in .file }
        world.uuid = { StatedRequest.unknown }
        world.randomInt = { 0 }
        world.clock.date = { 0 }
        return world
    }
}
