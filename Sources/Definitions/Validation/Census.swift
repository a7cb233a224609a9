package import SourceText

/// Everything that a workspace defines, read once: what the rules of validation look things up in.
struct Census: Sendable {
    let workspace: Workspace
    let files: [EndpointFile]
    let endpoints: [LocatedEndpoint]
    let environments: [EnvironmentDefinition]
    let settings: Settings

    private let byID: [String: Int]
    let endpointIDs: [String]
    let environmentNames: Set<String>
    /// Of all environments together: which of them a request goes to is not known yet.
    let variables: Set<String>
    let secrets: Set<String>

    init(workspace: Workspace, files: [EndpointFile], environments: [EnvironmentDefinition], settings: Settings) {
        self.workspace = workspace
        self.files = files
        self.environments = environments
        self.settings = settings
        endpoints = files.flatMap(\.located)
        endpointIDs = endpoints.map(\.id)
        byID = Dictionary(endpointIDs.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        environmentNames = Set(environments.map(\.name))
        variables = Set(environments.flatMap { $0.variables.map(\.name) })
        secrets = Set(environments.flatMap { $0.secrets.map(\.name) })
    }

    func endpoint(_ id: String) -> LocatedEndpoint? { byID[id].map { endpoints[$0] } }
}

extension Diagnostic.Code {
    package static let endpointUnknown: Self = "endpoint.unknown"
    package static let parameterUnknown: Self = "param.unknown"
    package static let parameterUnused: Self = "param.unused"
    package static let valueUnresolved: Self = "value.unresolved"
    package static let secretUnknown: Self = "secret.unknown"
    package static let captureUnknown: Self = "capture.unknown"
    package static let variantUnknown: Self = "variant.unknown"
    package static let fileMissing: Self = "file.missing"
    package static let needsCycle: Self = "needs.cycle"
    package static let likeCycle: Self = "like.cycle"
    package static let variableCycle: Self = "variable.cycle"
    package static let cachePolicyUnsupported: Self = "cachePolicy.unsupported"
}
