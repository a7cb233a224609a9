import Checking
import CommandLineKit
import Importing
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// The completions that a workspace offers for a word. Files that can't be read are skipped without a message.
struct WorkspaceCompletions {
    private let workspace: Workspace
    private let request: CompletionRequest

    /// Nil where there is no workspace.
    init?(_ context: Context, _ request: CompletionRequest) {
        guard let workspace = try? context.open(request.arguments, mayAsk: false) else { return nil }
        self.workspace = workspace
        self.request = request
    }

    /// The completions that need no workspace; nil for words of other kinds.
    static func answerAnywhere(_ request: CompletionRequest) -> CompletionAnswer? {
        switch request.kind {
        case .importSource:
            let isFirst = request.arguments.positionals.isEmpty
            return CompletionAnswer(
                isFirst ? ImportFormats.all.map { Candidate($0.name, $0.summary) } : [], paths: .files)
        case .bareForm where request.typed.utf8.allSatisfy { (0x41...0x5A).contains($0) }:
            return CompletionAnswer(HTTPMethod.standard.map { Candidate($0.token) })
        default: return nil
        }
    }

    var answer: CompletionAnswer {
        switch request.kind {
        case .bareForm: CompletionAnswer(endpoints.filter { $0.id.contains(".") }.map { candidate($0) })
        case .endpoint: CompletionAnswer(endpoints.map { candidate($0) })
        case .endpointOrFile: CompletionAnswer(endpoints.map { candidate($0) }, paths: .files)
        case .selector: CompletionAnswer(selectors)
        case .cases: CompletionAnswer(selectors + scenarios + scenarioTags)
        case .shown: CompletionAnswer(endpoints.map { candidate($0) } + scenarios + loads)
        case .loads:
            CompletionAnswer(
                loads.map { Candidate(String($0.text.dropFirst(LocatedLoad.prefix.count)), $0.summary) }
                    + endpoints.map { candidate($0) } + scenarios)
        case .listing:
            CompletionAnswer(
                [.init(ListCommand.environmentsWord, "The environments")] + selectors + scenarios + loads)
        case .history:
            CompletionAnswer(
                [.init(HistoryCommand.showWord, "One call"), .init(HistoryCommand.clearWord, "Remove the calls")]
                    + selectors)
        case .environment: CompletionAnswer(environments)
        case .environmentWord: CompletionAnswer([.init(EnvCommand.useWord, "Choose an environment")] + environments)
        case .parameter: parameters
        case .variant: CompletionAnswer(variants)
        case .report: reports
        default: .nothing
        }
    }

    private typealias Candidate = CompletionAnswer.Candidate

    // MARK: Endpoints

    private var files: [EndpointFile] {
        workspace.load(endpointFiles: workspace.endpointEntries().value).compactMap(\.value)
    }

    private var endpoints: [LocatedEndpoint] { files.flatMap(\.located) }

    /// - Parameter text: The word that is offered; nil for the endpoint's id.
    private func candidate(_ endpoint: LocatedEndpoint, offering text: String? = nil) -> Candidate {
        Candidate(text ?? endpoint.id, harmlessLine(endpoint.definition.summary ?? ""))
    }

    private var selectors: [Candidate] {
        let files = files
        let endpoints = files.flatMap(\.located)
        let groups = files.compactMap { file in
            if let group = file.group {
                Candidate(file.id, harmlessLine(group.summary ?? ""))
            } else {
                nil
            }
        }
        let tags = Set(endpoints.flatMap(\.tags)).sorted().map { Candidate(Selector.tagPrefix + $0) }
        return endpoints.map { candidate($0) } + groups + tags
    }

    // MARK: Scenarios

    private var locatedScenarios: [LocatedScenario] {
        workspace.scenarioEntries().value.compactMap { workspace.load(scenarioFile: $0).value }
    }

    private var scenarios: [Candidate] {
        locatedScenarios.map { Candidate($0.id, harmlessLine($0.definition.summary ?? "")) }
    }

    private var loads: [Candidate] {
        workspace.loadEntries().value.compactMap { workspace.load(loadFile: $0).value }.map {
            Candidate($0.id, harmlessLine($0.definition.summary ?? ""))
        }
    }

    /// The tags of scenarios that no endpoint has.
    private var scenarioTags: [Candidate] {
        Set(locatedScenarios.flatMap(\.definition.tags)).subtracting(endpoints.flatMap(\.tags)).sorted().map {
            Candidate(Selector.tagPrefix + $0)
        }
    }

    private var environments: [Candidate] {
        workspace.environmentEntries().value.map { entry in
            Candidate(entry.id, harmlessLine(workspace.load(environmentFile: entry).value?.summary ?? ""))
        }
    }

    // MARK: The endpoint on the line

    /// The endpoint with this id. Only the files that may define the endpoint are read.
    private func endpoint(_ id: String) -> LocatedEndpoint? {
        workspace.entries(thatMayDefine: id).value.lazy
            .compactMap { workspace.load(endpointFile: $0).value }
            .flatMap(\.located).first { $0.id == id }
    }

    private var endpointOnTheLine: LocatedEndpoint? {
        request.arguments.positionals.first.flatMap(endpoint)
    }

    private var parameters: CompletionAnswer {
        guard let endpoint = endpointOnTheLine else { return paths }
        if let name = request.assignedName {
            guard let parameter = endpoint.parameters[named: name] else { return .nothing }
            return parameter.kind == .file ? .files : CompletionAnswer(values(of: parameter))
        }
        let given = Set(request.arguments.positionals.dropFirst().map { $0.prefix { $0 != "=" } })
        return CompletionAnswer(
            endpoint.parameters.filter { !given.contains($0.name[...]) || $0.value.kind == .list }.map {
                Candidate($0.name + "=", harmlessLine($0.value.summary ?? ""))
            })
    }

    /// The paths after a method: of the endpoints with this method, as far as they have no placeholder.
    private var paths: CompletionAnswer {
        let words = request.arguments.positionals
        guard words.count == 1, request.assignedName == nil, TypedRequest.isMethod(words[0]) else { return .nothing }
        var known: Set<String> = []
        let found = endpoints.filter { $0.method == words[0].uppercased() }.compactMap { endpoint -> Candidate? in
            let path = String(endpoint.path(in: nil).prefix { $0 != "{" })
            guard path.hasPrefix("/"), path != "/", known.insert(path).inserted else { return nil }
            return candidate(endpoint, offering: path)
        }
        return CompletionAnswer(found)
    }

    private func values(of parameter: Parameter) -> [Candidate] {
        if let items = parameter.items {
            let examples = parameter.exampleValues.map { Candidate($0.plainText, "example") }
            return values(of: items).isEmpty ? examples : values(of: items)
        }
        if let allowed = parameter.allowed { return allowed.map { Candidate($0.value.plainText) } }
        if parameter.kind == .boolean { return [Candidate("true"), Candidate("false")] }
        return [(parameter.example, "example"), (parameter.defaultValue, "default")].compactMap { value, meaning in
            value.map { Candidate($0.value.plainText, meaning) }
        }
    }

    private var reports: CompletionAnswer {
        if request.assignedName != nil { return .files }
        return CompletionAnswer(ReportKind.allCases.map { Candidate($0.rawValue + "=") })
    }

    /// The variants of the endpoint on the line, or of the endpoint that the word names: `user.get=empty`.
    private var variants: [Candidate] {
        if let id = request.assignedName { return variants(of: endpoint(id)) }
        if let endpoint = endpointOnTheLine { return variants(of: endpoint) }
        return endpoints.filter { $0.definition.stubs != nil }.map { candidate($0, offering: $0.id + "=") }
    }

    private func variants(of endpoint: LocatedEndpoint?) -> [Candidate] {
        (endpoint?.definition.stubs?.variants ?? []).map { Candidate($0.name, harmlessLine($0.value.summary ?? "")) }
    }
}
