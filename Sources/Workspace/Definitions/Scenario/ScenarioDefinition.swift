package import ReqcliText

/// A scenario as its file describes it: calls in the order of the file, and then calls that clean up.
package struct ScenarioDefinition: Sendable {
    package var summary: String?
    package var tags: [String] = []
    package var parameters: [Named<Parameter>] = []
    /// Whether each step sends the cookies that earlier steps received.
    package var keepsCookies = true
    package var steps: [ScenarioStep] = []
    package var cleanup: [ScenarioStep] = []
    package let place: Place

    /// The steps and the cleanup, in the order in which they run.
    package var all: [ScenarioStep] { steps + cleanup }

    static let table = ObjectShape<ScenarioDefinition>(
        "scenario", title: "a scenario", summary: "Calls in a fixed order, and calls that clean up after them.",
        [
            Field("description", .text, "What the scenario is about, in a sentence.") { $0.summary = $1 },
            Field("tags", .list(of: .text, expects: "a list of words"), "Tags to select the scenario by.") {
                $0.tags = $1
            },
            Field(
                "params",
                .dictionary(
                    of: Parameter.table.shape, keys: .name("a param"), expects: "an object of params by name"),
                "Values that a row of --data gives. Without a row, a required param gets its example."
            ) { $0.parameters = $1 },
            Field(
                "cookies", .boolean,
                "false: steps do not send the cookies that earlier steps received. By default, the scenario has a cookie jar."
            ) { $0.keepsCookies = $1 },
            Field(
                "steps", .list(of: ScenarioStep.table.shape, expects: "a list of steps", isNeverEmpty: true),
                required: true, "The calls, in this order. The first step that fails ends the scenario."
            ) { $0.steps = $1 },
            Field(
                "cleanup", .list(of: ScenarioStep.cleanupTable.shape, expects: "a list of steps"),
                "Calls that always run at the end, even if earlier calls failed."
            ) { $0.cleanup = $1 },
        ], initial: { ScenarioDefinition(place: $0.headPlace) })
}

/// A scenario with its id and its file. The type is a class, because a scenario never changes and is passed around often.
package final class LocatedScenario: Sendable {
    /// The beginning of every scenario's id. It distinguishes scenarios from endpoints.
    package static let prefix = "scenario:"

    /// The id, such as `scenario:checkout`.
    package let id: String
    package let definition: ScenarioDefinition
    package let file: SourceFile
    /// An endpoint that is never called. It has the scenario's params, because the templates of the steps are filled like
    /// templates of this endpoint.
    package let scope: LocatedEndpoint

    init(_ fileID: String, _ definition: ScenarioDefinition, _ file: SourceFile) {
        id = Self.prefix + fileID
        self.definition = definition
        self.file = file
        var scope = EndpointDefinition(place: definition.place)
        scope.summary = definition.summary
        scope.parameters = definition.parameters
        self.scope = LocatedEndpoint(id: id, definition: scope, defaults: nil, group: nil, file: file)
    }
}
