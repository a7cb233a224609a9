import Foundation
import Rendering
package import ReqcliAssembly
import ReqcliBasics
package import ReqcliDefinitions
package import ReqcliText
import RequestBuilding

/// The requests of endpoints as examples, in each environment: with the values that the files give, and with a stand-in for each
/// value that isn't known, such as a secret.
package struct FilledRequests {
    struct Example {
        let environment: String
        /// The curl command, or the reason why there is none. It reads values that aren't known from variables of the shell.
        let command: Result<String, Failure>
    }

    private let environments: [(chain: EnvironmentChain, maker: RequestMaker, placeholders: [Placeholder])]

    package init(_ source: ExportSource) {
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
        environments.map { chain, maker, shared in
            let command = Result { () throws(Failure) in
                let placeholders = (endpoint.definition.placeholders + (endpoint.defaults?.placeholders ?? []))
                return Self.command(
                    try Self.request(endpoint, maker), chain, placeholders.map(\.value) + shared)
            }
            return Example(environment: chain.name, command: command)
        }
    }

    /// The curl command in the first environment.
    package func command(for endpoint: LocatedEndpoint) throws(Failure) -> String? {
        try examples(for: endpoint).first?.command.get()
    }

    /// Where the parts of the request in the first environment come from. A value that isn't known is shown as `<secret.token>`.
    package func explanation(of endpoint: LocatedEndpoint) throws(Failure) -> Explanation? {
        guard let (_, maker, _) = environments.first else { return nil }
        return Explanation(try Self.request(endpoint, maker).assembled).showing { text in
            StandIn.replacing(in: text) { "<\($0.text)>" }
        }
    }

    /// The request alone: those that it needs have examples of their own.
    private static func request(_ endpoint: LocatedEndpoint, _ maker: RequestMaker) throws(Failure) -> OpenRequest {
        // A required param without a value stays open.
        let unknown = endpoint.parameters.filter { $0.value.isRequired && $0.value.sample == nil }.map { parameter in
            (parameter.name, OrderedJSON.string(StandIn.text(for: .parameter(parameter.name))))
        }
        return try maker.request(
            endpoint, with: Dictionary(unknown, uniquingKeysWith: { first, _ in first }), depth: .max)
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
