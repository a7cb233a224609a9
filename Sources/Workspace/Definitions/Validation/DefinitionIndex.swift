package import ReqcliText

/// Everything that a workspace defines, read once, for the rules of the validation.
final class DefinitionIndex: Sendable {
    let workspace: Workspace
    /// The endpoint files to validate. Files with broken JSON are not included, because keys that seem missing may be
    /// in the broken part.
    let files: [EndpointFile]
    /// The endpoints of the files to validate.
    let endpoints: [LocatedEndpoint]
    /// The endpoints of all files with valid JSON, validated or not.
    let soundEndpoints: [LocatedEndpoint]
    /// The endpoints of all files, including files with broken JSON.
    let allEndpoints: [LocatedEndpoint]
    /// The environments to validate.
    let environments: [EnvironmentDefinition]
    let environmentEntries: [Workspace.Entry]
    /// The scenarios to validate.
    let scenarios: [LocatedScenario]
    let scenarioEntries: [Workspace.Entry]
    let loads: [LocatedLoad]
    let loadEntries: [Workspace.Entry]
    /// Each environment with everything it extends, except the environments that extend too many others.
    let chains: [EnvironmentChain]
    /// The problems of environments that extend too many others.
    let chainProblems: [Diagnostic]
    let settings: Settings
    /// The run whose files are validated; nil to validate all files.
    private let run: Run?

    let endpointIDs: NameIndex
    let environmentNames: NameIndex
    /// The variables of all environments, because the environment of a request is not known here.
    let variables: NameIndex
    let secrets: NameIndex
    /// Whether every environment could be read. If not, a name that seems missing may be in an unreadable environment.
    let knowsAllEnvironments: Bool

    private let byID: [String: LocatedEndpoint]
    private let brokenFiles: Set<String>
    private let knowsAllFiles: Bool

    /// - Parameter run: The run whose files are validated. Names are looked up in all files.
    init(_ reading: WorkspaceReading, of run: Run? = nil) {
        func isJudged(_ file: String) -> Bool { run?.files.contains(file) ?? true }
        self.run = run
        workspace = reading.workspace
        settings = isJudged(workspace.shown(Workspace.settingsFile)) ? reading.settings : Settings()
        let endpointFiles = reading.endpointFiles
        let sound = endpointFiles.filter(\.isSound).compactMap(\.value)
        files = sound.filter { isJudged($0.source.name) }
        endpoints = files.flatMap(\.located)
        soundEndpoints = sound.flatMap(\.located)
        allEndpoints = endpointFiles.flatMap { $0.value?.located ?? [] }
        byID = Dictionary(soundEndpoints.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        brokenFiles = Set(endpointFiles.filter { !$0.isSound }.map(\.entry.id))
        knowsAllFiles = reading.hasListedEverything
        endpointIDs = NameIndex(allEndpoints.map(\.id))

        let allEnvironments = reading.environmentFiles.compactMap(\.value)
        environments = allEnvironments.filter { isJudged($0.place.file.name) }
        (chains, chainProblems) = ExtendsWalk.chains(of: environments)
        scenarios = reading.scenarioFiles.filter(\.isSound).compactMap(\.value).filter { isJudged($0.file.name) }
        scenarioEntries = reading.scenarioFiles.map(\.entry)
        loads = reading.loadFiles.filter(\.isSound).compactMap(\.value)
        loadEntries = reading.loadFiles.map(\.entry)
        let environmentEntries = reading.environmentFiles.map(\.entry)
        self.environmentEntries = environmentEntries
        environmentNames = NameIndex(environmentEntries.map(\.id))
        variables = NameIndex(allEnvironments.flatMap(\.declaredVariables))
        secrets = NameIndex(allEnvironments.flatMap(\.declaredSecrets))
        knowsAllEnvironments = reading.hasListedEverything && reading.environmentFiles.allSatisfy(\.isSound)
    }

    /// The elements that a closure returns for the layers of all files to validate.
    func flatMapLayers<Element>(_ transform: (RequestLayer) -> [Element]) -> [Element] {
        environments.flatMap { transform($0.layer) }
            + files.flatMap { file in file.defaults.map { transform($0.layer) } ?? [] }
            + endpoints.flatMap { endpoint in endpoint.definition.flatMapLayers { transform($0.layer) } }
    }

    /// The files that a run reads, and the endpoints whose requests are assembled before the run begins.
    struct Run {
        let files: Set<String>
        let assembled: Set<String>
        let environment: String
    }

    /// Whether the whole workspace is validated, and not only the files of a run.
    var isOfWorkspace: Bool { run == nil }

    /// The layer of an endpoint that the run assembles: the name of the environment, or "" if the endpoint has no part for it.
    /// Nil if the run doesn't assemble the endpoint.
    func assembledLayer(of endpoint: LocatedEndpoint) -> String? {
        guard let run, run.assembled.contains(endpoint.id) else { return nil }
        return endpoint.definition.environments[named: run.environment] == nil ? "" : run.environment
    }

    enum Finding {
        case found(LocatedEndpoint)
        /// The endpoint may be in a file that cannot be read.
        case uncertain
        case missing
    }

    func endpoint(_ id: String) -> Finding {
        if let endpoint = byID[id] { return .found(endpoint) }
        let group = id.lastIndex(of: ".").map { String(id[..<$0]) }
        let mayBeThere = !knowsAllFiles || brokenFiles.contains(id) || group.map(brokenFiles.contains) == true
        return mayBeThere ? .uncertain : .missing
    }

    /// Whether every endpoint could be read. If not, a name that seems missing may be in an unreadable file.
    var knowsAllEndpoints: Bool { knowsAllFiles && brokenFiles.isEmpty }
}

extension Diagnostic.Code {
    package static let endpointUnknown: Self = "endpoint.unknown"
    package static let scenarioUnknown: Self = "scenario.unknown"
    package static let parameterUnknown: Self = "param.unknown"
    package static let parameterMissing: Self = "param.missing"
    package static let parameterInvalid: Self = "param.invalid"
    package static let parameterUnused: Self = "param.unused"
    package static let valueUnresolved: Self = "value.unresolved"
    package static let valueSize: Self = "value.size"
    package static let secretUnknown: Self = "secret.unknown"
    package static let captureUnknown: Self = "capture.unknown"
    package static let captureTooLate: Self = "capture.tooLate"
    package static let variantUnknown: Self = "variant.unknown"
    /// The code for an exchange without a response: no response was received, or a stub simulates this.
    package static let noAnswer: Self = "exchange.failed"
    /// This machine had no descriptor, local port or memory left for a connection.
    package static let exhausted: Self = "exchange.exhausted"
    package static let fileMissing: Self = "file.missing"
    package static let snapshotClash: Self = "snapshot.clash"
    package static let snapshotUnused: Self = "snapshot.unused"
    package static let needsCycle: Self = "needs.cycle"
    package static let needsDepth: Self = "needs.depth"
    package static let needsCount: Self = "needs.count"
    package static let likeCycle: Self = "like.cycle"
    package static let sequenceLength: Self = "sequence.length"
    package static let variableCycle: Self = "variable.cycle"
    package static let variableDepth: Self = "variable.depth"
    package static let cachePolicyUnsupported: Self = "cachePolicy.unsupported"
    package static let credentialsToAnyHost: Self = "redirects.credentials"
}
