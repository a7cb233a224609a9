import ReqcliBasics
package import ReqcliText

/// A file below `endpoints/`, which contains a group of endpoints or a single endpoint.
package struct EndpointFile: Sendable {
    /// The file's path below `endpoints/`, with dots: `billing.invoice`.
    package let id: String
    package let source: SourceFile
    /// The group; nil if the file holds a single endpoint.
    package let group: Group?
    package let located: [LocatedEndpoint]

    var defaults: GroupDefaults? { group?.defaults }

    package struct Group: Sendable {
        package var summary: String?
        package var defaults: GroupDefaults?
        /// Empty after the endpoints are moved to `located`.
        fileprivate var endpoints: [Named<EndpointDefinition>] = []
    }
}

/// The defaults of a group's endpoints. Each endpoint may override them.
package struct GroupDefaults: Sendable {
    package var layer = RequestLayer()
    package var tags: [String]?
    package var parameters: [Named<Parameter>] = []
    package var needs: [Named<Need>] = []
    /// The environment's aliases that this group removes with `null`.
    package var removedNeeds: Set<String> = []
    package var expectation: Setting<Expectation>?
}

// MARK: - Tables

extension GroupDefaults {
    static let table = ObjectShape<GroupDefaults>(
        "defaults", title: "\"defaults\"",
        summary: "Defaults for the endpoints of a group. Each endpoint can override them.",
        RequestLayer.fields.map { field in field.lifted { outer, change in change(&outer.layer) } }
            + [
                Field("tags", .list(of: .text, expects: "a list of words"), "Tags to select the endpoints by.") {
                    $0.tags = $1
                },
                Field(
                    "params",
                    .dictionary(
                        of: Parameter.table.shape, keys: .name("a param"), expects: "an object of params by name"),
                    "Params that all endpoints of the group take."
                ) { $0.parameters = $1 },
                Field(
                    "needs",
                    .dictionary(of: .setting(.need), keys: .alias, expects: "an object of aliases and endpoint ids"),
                    "Endpoints to call first, by alias. null removes a need of the environment."
                ) { ($0.needs, $0.removedNeeds) = $1.split() },
                Field("expect", .setting(Expectation.table.shape), "The conditions that the responses must meet.") {
                    $0.expectation = $1
                },
            ], rules: RequestLayer.rules, initial: { _ in GroupDefaults() })
}

extension EndpointFile.Group {
    static let table = ObjectShape<EndpointFile.Group>(
        "group", title: "a group", summary: "Endpoints that belong together; their ids begin with the file's path.",
        [
            Field("description", .text, "What the group is about.") { $0.summary = $1 },
            Field("defaults", GroupDefaults.table.shape, "Defaults for the endpoints of the group.") {
                $0.defaults = $1
            },
            Field(
                "endpoints",
                .dictionary(
                    of: EndpointDefinition.table.shape, keys: .name("an endpoint"),
                    expects: "an object of endpoints by name"),
                required: true, "The endpoints of the group, by name."
            ) { $0.endpoints = $1 },
        ], initial: { _ in EndpointFile.Group() })
}

extension EndpointFile {
    static func decode(
        id: String, _ value: JSONValue, _ source: SourceFile, in environment: EnvironmentChain?,
        _ decoding: inout Decoding
    ) -> EndpointFile? {
        if value.kind == .object, value.isGroup {
            return Group.table.decode(value, &decoding).map { group in
                var group = group
                let located = group.endpoints.map {
                    LocatedEndpoint(
                        id: "\(id).\($0.name)", definition: $0.value, defaults: group.defaults, group: id, file: source,
                        environment: environment)
                }
                // Definitions are large. If they were kept twice, `list` of 10,000 endpoints would take 6 % more memory.
                group.endpoints = []
                return EndpointFile(id: id, source: source, group: group, located: located)
            }
        }
        return EndpointDefinition.table.decode(value, &decoding).map {
            let endpoint = LocatedEndpoint(
                id: id, definition: $0, defaults: nil, group: nil, file: source, environment: environment)
            return EndpointFile(id: id, source: source, group: nil, located: [endpoint])
        }
    }
}

extension JSONValue {
    /// Whether the file is meant as a group. A group has "endpoints" or "defaults", or it has neither path nor method and a key
    /// that may be a misspelled "endpoints".
    fileprivate var isGroup: Bool {
        if self["endpoints"] != nil || self["defaults"] != nil { return true }
        return self["path"] == nil && self["method"] == nil
            && members.contains { member in
                member.value.kind == .object && !NearNames.nearest(to: member.name, among: ["endpoints"]).isEmpty
            }
    }
}
