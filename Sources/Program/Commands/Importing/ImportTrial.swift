import CommandLineKit
import Importing
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// Assembles each written endpoint once, with the values from the source, to find endpoints that can't be sent.
struct ImportTrial {
    private let imported: ImportedWorkspace
    private let workspace: Workspace
    private let context: Context

    init(_ imported: ImportedWorkspace, in workspace: Workspace, _ context: Context) {
        self.imported = imported
        self.workspace = workspace
        self.context = context
    }

    struct Result {
        /// A note for each endpoint that can't be sent without changes.
        var notes: [ConversionNote] = []
        /// The endpoints whose params all have examples.
        var calls: [(id: String, arguments: [ParameterArgument])] = []
        /// An endpoint that can be sent, with the examples of its params: one that only reads, with few params.
        var example: (id: String, arguments: [ParameterArgument])?
    }

    func run() -> Result {
        var result = Result()
        guard case .found(let chain) = workspace.environment(imported.firstEnvironment).value else { return result }
        let assembler = Assembler(world: world)
        let workspace = workspace.inside(chain)
        let files = workspace.load(endpointFiles: workspace.endpointEntries().value)
        let endpoints = Dictionary(
            files.compactMap(\.value).flatMap(\.located).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var cost = Int.max
        /// The names of what each needed endpoint captures, read once: many endpoints may need the same one.
        var captures: [String: Set<String>] = [:]
        var incomplete: ConversionNote?
        for (request, id) in zip(imported.requests, imported.ids) {
            guard let endpoint = endpoints[id] else { continue }
            // Skips endpoints that need values which the source lacks: the caller gives these values.
            guard let arguments = Self.arguments(of: endpoint) else {
                let names = endpoint.parameters.filter { $0.value.lacksValue }.map(\.name).joined(separator: ", ")
                incomplete =
                    incomplete
                    ?? ConversionNote(
                        .toDo, "every request needs values that the source doesn't have", "\(id): \(names)",
                        at: request.place)
                continue
            }
            result.calls.append((id, arguments))
            var call = Call(workspace: workspace, endpoint: endpoint, environment: chain)
            call.arguments = arguments
            call.readsBodyFiles = false
            for need in endpoint.needs {
                let id = need.value.endpoint?.value ?? need.name
                if captures[id] == nil { captures[id] = Set(endpoints[id]?.definition.captures.map(\.name) ?? []) }
                call.awaited.captures[need.name] = captures[id]
            }
            do throws(Failure) {
                _ = try assembler.rehearse(call)
                guard endpoint.needs.isEmpty else { continue }
                let own = arguments.count + (HTTPMethod.isSafe(request.method) ? 0 : 1000)
                if own < cost { (cost, result.example) = (own, (id, arguments)) }
            } catch {
                result.notes.append(
                    ConversionNote(
                        .toDo, "the endpoint can't be sent as it is", "\(id): \(error.message)", at: request.place))
            }
        }
        if result.example == nil, result.notes.isEmpty, let incomplete { result.notes.append(incomplete) }
        return result
    }

    /// The examples of required params; nil if a required param has no example.
    private static func arguments(of endpoint: LocatedEndpoint) -> [ParameterArgument]? {
        var arguments: [ParameterArgument] = []
        for parameter in endpoint.parameters where parameter.value.defaultValue == nil && parameter.value.isRequired {
            guard let example = parameter.value.example?.value else { return nil }
            arguments.append(ParameterArgument(name: parameter.name, value: example))
        }
        return arguments
    }

    /// A copy of the world for the trial. Each variable has a value, no program runs for a secret, and all files count as
    /// existing, because missing files get separate notes.
    private var world: World {
        let given = imported.secrets.compactMap { secret in secret.value.map { (secret.variable, $0) } }
        let values = Dictionary(given, uniquingKeysWith: { first, _ in first })
        var world = context.world
        world.variable = { values[$0] ?? "value-of-\($0)" }
        world.files.kind = { _ in .file }
        world.run = { _, _, _ in .printed(Array("value-of-a-program".utf8)) }
        let permits = world.permits
        world.permits = { request, workspace in
            if case .program = request { .granted } else { permits(request, workspace) }
        }
        return world
    }
}

extension Parameter {
    /// Whether a caller must give a value, and there is no example of one.
    fileprivate var lacksValue: Bool { defaultValue == nil && isRequired && example == nil }
}
