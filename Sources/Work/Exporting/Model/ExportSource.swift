package import ReqcliAssembly
package import ReqcliDefinitions

/// The endpoints to export, the environments in which they are sent, and access to the files that both refer to.
package struct ExportSource: Sendable {
    /// The name of the API, which is the name of the workspace's folder.
    package let title: String
    package let workspace: Workspace
    /// The selected endpoints in the order of their files.
    package let endpoints: [LocatedEndpoint]
    /// The environment that requests are made for.
    package let environment: EnvironmentChain
    /// Every environment that gets a separate server or file.
    package let environments: [EnvironmentChain]
    package let world: World
    /// The version of this program, for the header `User-Agent` of the requests.
    package let version: String
    package var options = ExportOptions()

    package init(
        title: String, workspace: Workspace, endpoints: [LocatedEndpoint], environment: EnvironmentChain,
        environments: [EnvironmentChain], world: World, version: String
    ) {
        self.title = title
        self.workspace = workspace
        self.endpoints = endpoints
        self.environment = environment
        self.environments = environments
        self.world = world
        self.version = version
    }
}

/// A choice of the user that only some formats need. Its type is in the folder of these formats.
package protocol ExportChoice: Sendable {
    /// The choice if the user makes none.
    static var standard: Self { get }
}

/// The choices of the user.
package struct ExportOptions: Sendable {
    /// The folder of the exported files. Paths in the exported files are relative to this folder. Nil for the workspace's root.
    package var folder: String?
    private var choices: [ObjectIdentifier: any ExportChoice] = [:]

    package subscript<Choice: ExportChoice>(type: Choice.Type) -> Choice {
        get { choices[ObjectIdentifier(type)] as? Choice ?? .standard }
        set { choices[ObjectIdentifier(type)] = newValue }
    }
}
