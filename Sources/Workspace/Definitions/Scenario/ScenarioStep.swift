package import ReqcliText

/// One call of a scenario.
package struct ScenarioStep: Sendable {
    /// The name, which is optional for a step of the cleanup.
    package var name: Located<String>?
    package var endpoint: Located<String>?
    package var parameters: [Named<ValueTemplate>] = []
    package var expectation: Expectation?
    package var captures: [Named<Capture>] = []
    /// The conditions for running the step. If one of the conditions is not met, the step is skipped.
    package var conditions: [StepCondition] = []
    package var poll: StepPoll?
    /// The steps that give the captures for the endpoint's `needs`, by alias.
    package var needs: [Named<Located<String>>] = []
    package let place: Place

    private var list: StepLoop.List?
    private var item: Located<String>?
    private var mayBeEmpty = false

    init(place: Place) { self.place = place }

    /// The loop, if the endpoint is called once for each element of a list.
    package var loop: StepLoop? { list.map { StepLoop(list: $0, item: item, mayBeEmpty: mayBeEmpty) } }

    /// The name of the step or, without a name, the id of the endpoint.
    package var label: String { name?.value ?? endpoint?.value ?? "" }

    /// All expectations in the step.
    var expectations: [Expectation] {
        [expectation, poll?.until, poll?.giveUp].compactMap(\.self) + conditions.map(\.expectation)
    }

    /// The templates that are filled with values of the scenario or, in a loop, also with the current element.
    package var templates: [ValueTemplate] {
        parameters.map(\.value) + conditions.compactMap(\.value)
    }

    static let table = table("step", title: "a step", "One call of a scenario.", isNamed: true)
    static let cleanupTable = table(
        "cleanupStep", title: "a step of \"cleanup\"", "One cleanup call after a scenario.", isNamed: false)

    private static func table(
        _ name: String, title: String, _ summary: String, isNamed: Bool
    ) -> ObjectShape<ScenarioStep> {
        ObjectShape<ScenarioStep>(
            name, title: title, summary: summary,
            [
                Field(
                    "name", .located(.stepName), required: isNamed,
                    "The name, for reports and for {{name.capture}} in later steps."
                ) { $0.name = $1 },
                Field("endpoint", .located(.endpointID), required: true, "The id of the endpoint to call.") {
                    $0.endpoint = $1
                },
                Field(
                    "with",
                    .dictionary(of: .anyValue, keys: .name("a param"), expects: "an object of params and values"),
                    "The params for the endpoint. Their values can use params, variables and earlier captures."
                ) { $0.parameters = $1 },
                Field(
                    "expect", Expectation.table.shape,
                    "The conditions that the response must meet, in place of the endpoint's. Without conditions, the status must be 2xx."
                ) { $0.expectation = $1 },
                Field(
                    "capture",
                    .dictionary(
                        of: Capture.table.shape, keys: .name("a capture"), expects: "an object of captures by name"),
                    "Values taken from the response, in addition to the endpoint's."
                ) { $0.captures = $1 },
                Field("if", StepCondition.list, "Conditions on values. If they are not met, the step is skipped.") {
                    $0.conditions = $1
                },
                Field(
                    "forEach", StepLoop.shape,
                    "Calls the endpoint once for each element of a list. The list can be written here, captured earlier, or read from a .csv or .json file."
                ) { $0.list = $1 },
                Field("as", .located(.stepName), "The name of the current element, \"item\" by default.") {
                    $0.item = $1
                },
                Field("orNone", .boolean, "true: the list may be empty. By default, an empty list fails.") {
                    $0.mayBeEmpty = $1
                },
                Field("poll", StepPoll.table.shape, "Calls the endpoint repeatedly until conditions are met.") {
                    $0.poll = $1
                },
                Field(
                    "needs",
                    .dictionary(
                        of: .located(.stepName), keys: .alias, expects: "an object of aliases and names of steps"),
                    "For each alias, the earlier step whose captures are used for this need."
                ) { $0.needs = $1 },
            ],
            rules: [.needs("as", "forEach"), .needs("orNone", "forEach")],
            initial: { ScenarioStep(place: $0.headPlace) })
    }
}

/// A condition on a value. If it is not met, the step is skipped.
package struct StepCondition: Sendable {
    package var value: ValueTemplate?
    var matchers = Matchers()
    let place: Place

    /// The condition, written as an expectation for a response whose body is the value.
    package var expectation: Expectation {
        var expectation = Expectation.empty(at: place)
        expectation.json = [Named("$", at: place, matchers)]
        return expectation
    }

    /// The operators of `expect.json`, except `exists`, because a missing value is an error here.
    private static let operations = Matcher.Operation.allCases.filter { $0 != .exists && $0 != .empty }

    private static let table = ObjectShape<StepCondition>(
        "if", title: "\"if\"", summary: "Conditions on a value, which must all be met.",
        [Field("value", .anyValue, required: true, "The value, such as \"{{pay.points}}\".") { $0.value = $1 }]
            + Matchers.fields("if", operations).map { field in
                field.lifted { outer, change in change(&outer.matchers) }
            },
        rules: [Matchers.rule(operations)], initial: { StepCondition(place: $0.headPlace) })

    fileprivate static let list = Shape<[StepCondition]>.oneOrMore(table.shape, isNeverEmpty: true)
}

/// A loop, which calls a step once for each element of a list.
package struct StepLoop: Sendable {
    package enum List: Sendable {
        case values(ValueTemplate)
        /// A table, by its path below the workspace's root.
        case file(Located<String>)
    }

    package static let mostElements = 1000

    package let list: List
    private let namedItem: Located<String>?
    /// Whether the list may be empty.
    package let mayBeEmpty: Bool

    init(list: List, item: Located<String>?, mayBeEmpty: Bool) {
        (self.list, namedItem, self.mayBeEmpty) = (list, item, mayBeEmpty)
    }

    /// The name by which templates refer to an element.
    package var item: String { namedItem?.value ?? "item" }

    package var place: Place {
        switch list {
        case .values(let values): values.place
        case .file(let path): path.place
        }
    }

    var itemPlace: Place { namedItem?.place ?? place }

    private static let endings = [".csv", ".json", ".ndjson", ".jsonl"]

    fileprivate static let shape = Shape<List>(
        expects: "a list, a placeholder for one, or the path of a .csv or .json file",
        schema: .either([.list(.template), .text(pattern: #"^(\{\{[^}]*\}\}|[^{]*\.(csv|json|ndjson|jsonl))$"#)])
    ) { value, decoding in
        if value.kind == .array { return ValueTemplate.decode(value, .anything, &decoding).map { .values($0) } }
        if value.kind == .string {
            guard let template = TextTemplate.decode(value, &decoding) else { return nil }
            if template.onlyPlaceholder != nil { return .values(.text(template)) }
            if let path = template.literal, endings.contains(where: path.hasSuffix) {
                return .file(Located(path, at: value.place))
            }
        }
        decoding.mismatch(value, expects: "a list, a placeholder for one, or the path of a .csv or .json file")
        return nil
    }
}

/// The rules for calling a step repeatedly: how often, and until when.
package struct StepPoll: Sendable {
    package var until: Expectation?
    /// The conditions that end the calls at once, because `until` can no longer be met.
    package var giveUp: Expectation?
    package var every = Duration.seconds(1)
    package var within = Duration.seconds(30)

    static let table = ObjectShape<StepPoll>(
        "poll", title: "\"poll\"", summary: "Calls the endpoint repeatedly.",
        [
            Field("until", Expectation.table.shape, required: true, "The conditions that end the repetition.") {
                $0.until = $1
            },
            Field(
                "giveUp", Expectation.table.shape, "Conditions that end the repetition at once and make the step fail."
            ) {
                $0.giveUp = $1
            },
            Field("every", .bound, "The wait between two calls, 1 s by default.") { $0.every = $1 },
            Field("within", .bound, "The time after which no further call is made, 30 s by default.") {
                $0.within = $1
            },
        ], initial: { _ in StepPoll() })
}

extension Shape where Value == String {
    /// The name of a step, or of an element. Placeholders can begin with this name, as with an alias.
    fileprivate static let stepName = text.checked(
        expects: "the name of a step", schema: .text(pattern: #"^(?!secret$)[A-Za-z0-9_-]+$"#)
    ) { name, _ in
        if name == "secret" {
            return Complaint(
                .nameInvalid, "\"secret\" can't be the name of a step: {{secret.…}} means a secret",
                hint: "choose another name")
        }
        return Name.isValid(name) ? nil : Complaint(.nameInvalid, Name.complaint(name, "a step"), hint: Name.advice)
    }
}
