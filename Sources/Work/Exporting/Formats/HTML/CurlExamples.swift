import Foundation
import Rendering
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// The curl commands of endpoints, one for each environment. A command reads each value that isn't known, such as a secret, from
/// a variable of the shell.
struct CurlExamples {
    struct Example {
        let environment: String
        /// The command, or the reason why there is none.
        let command: Result<String, Failure>
    }

    private let environments: [(chain: EnvironmentChain, maker: RequestMaker, placeholders: [Placeholder])]

    init(_ source: ExportSource) {
        // Paths in commands are relative to the root, wherever the export runs. Files that only exist elsewhere are named, too.
        let workspace = source.workspace
        let (root, files) = (workspace.root, source.world.files)
        var world = source.world
        world.files.kind = { files.kind(FilePath.join(root, $0)) ?? .file }
        world.files.read = { path, limit throws(FileProblem) in try files.read(FilePath.join(root, path), limit) }
        let rooted = ExportSource(
            title: source.title,
            workspace: Workspace(root: root, currentFolder: root, files: workspace.files),
            endpoints: source.endpoints, environment: source.environment, environments: source.environments,
            world: world, version: source.version)
        environments = source.environments.map { chain in
            (
                chain, RequestMaker(rooted, in: chain, .filled),
                chain.layers.flatMap(\.placeholders).map(\.value)
            )
        }
    }

    func examples(for endpoint: LocatedEndpoint) -> [Example] {
        // A required param without a value is a variable of the shell.
        let unknown = endpoint.parameters.filter { $0.value.isRequired && $0.value.sample == nil }.map { parameter in
            (parameter.name, OrderedJSON.string(StandIn.text(for: .parameter(parameter.name))))
        }
        let given = Dictionary(unknown, uniquingKeysWith: { first, _ in first })
        return environments.map { chain, maker, shared in
            let command = Result { () throws(Failure) in
                // The requests that this one needs have examples of their own.
                let request = try maker.request(endpoint, with: given, depth: .max)
                let placeholders = (endpoint.definition.placeholders + (endpoint.defaults?.placeholders ?? []))
                return Self.command(request, chain, placeholders.map(\.value) + shared)
            }
            return Example(environment: chain.name, command: command)
        }
    }

    private static func command(
        _ request: OpenRequest, _ chain: EnvironmentChain, _ placeholders: [Placeholder]
    ) -> String {
        var input = RenderingInput(
            request: request.assembled.requestWithoutDefaults(keepingHeaders: false),
            defaults: WireDefaults(userAgent: nil, accept: nil),
            secrets: variables(for: placeholders, request, chain),
            files: BodyFiles(size: { _ in 0 }, contents: { _ in nil }))
        if let url = URL(string: request.url) { input.request.url = url }
        return StandIn.shown(CurlFormat(isExact: false).render(input).command)
    }

    /// The values that a command reads from variables of the shell.
    private static func variables(
        for placeholders: [Placeholder], _ request: OpenRequest, _ chain: EnvironmentChain
    ) -> [RenderedSecret] {
        var named: [(value: OpenValue, variable: String)] = []
        var others: [OpenValue] = []
        for placeholder in placeholders {
            switch placeholder {
            case .processVariable(let name): named.append((.processVariable(name), name))
            case .secret(let name): named.append((.secret(name), chain.variable(ofSecret: name)))
            case .capture(let alias, let name): others.append(.capture(alias: alias, name: name))
            case .name(let name): others.append(.parameter(name))
            case .generated(let generated): others.append(.generated(generated))
            // The command shows what functions make as it is written, because the shell lacks them.
            case .computed: break
            }
        }
        var names = UniqueNames(Set(named.map(\.variable)), separator: "_")
        for value in Set(others).sorted(by: { $0.text < $1.text }) {
            if case .generated = value {
                named.append((value, ""))
            } else {
                let word = value.text.replacing(".", with: "_")
                named.append((value, names.take(VariableNames.environment(word))))
            }
        }
        return named.map { value, variable in
            RenderedSecret(
                name: value.text, value: StandIn.text(for: value),
                source: variable.isEmpty ? .unknown : .environment(variable), label: value.text)
        }
    }
}

extension EnvironmentChain {
    /// The variable of the shell from which commands read a secret.
    func variable(ofSecret name: String) -> String {
        if case .processVariable(let variable)? = secret(name)?.set { return variable.value }
        return VariableNames.environment(name)
    }
}
