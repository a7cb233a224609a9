package import ReqcliText

/// The JSON Schemas for the files that users write. Editors use these schemas.
package enum FormatSchema: String, CaseIterable, Sendable {
    case endpoint
    case environment
    case scenario
    case load
    case settings

    package var json: OrderedJSON {
        switch self {
        case .endpoint:
            ObjectSchema.jsonSchema(
                title: "reqcli endpoint file", if: "endpoints", then: EndpointFile.Group.table.description,
                else: EndpointDefinition.table.description)
        case .environment: EnvironmentDefinition.table.description.jsonSchema(title: "reqcli environment file")
        case .scenario: ScenarioDefinition.table.description.jsonSchema(title: "reqcli scenario file")
        case .load: LoadDefinition.table.description.jsonSchema(title: "reqcli load file")
        case .settings: Settings.table.description.jsonSchema(title: "reqcli.json")
        }
    }

    /// The objects at the top of a file of this kind, for the format reference.
    package var roots: [ObjectSchema] {
        switch self {
        case .endpoint: [EndpointFile.Group.table.description, EndpointDefinition.table.description]
        case .environment: [EnvironmentDefinition.table.description]
        case .scenario: [ScenarioDefinition.table.description]
        case .load: [LoadDefinition.table.description]
        case .settings: [Settings.table.description]
        }
    }
}
