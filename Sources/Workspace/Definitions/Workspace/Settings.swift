import ReqcliText

/// `reqcli.json` in the root of a workspace: settings that apply where no flag overrides them.
package struct Settings: Sendable {
    package var environment: Located<String>?
    /// Whether `send` keeps its calls; nil if the file doesn't say.
    package var history: Bool?

    /// Whether a value must have the `format` that a schema names.
    package var assertsFormats = true

    package init() {}

    static let table = ObjectShape<Settings>(
        "settings", title: "reqcli.json", summary: "Settings that flags can override.",
        [
            Field("environment", .located(.name("an environment")), "The environment that requests are sent to.") {
                $0.environment = $1
            },
            Field(
                "history", .boolean,
                "true: `send` keeps its calls and their responses for `reqcli history`; false: it keeps none. Without this key, it keeps calls at a terminal, without responses."
            ) {
                $0.history = $1
            },
            Field("schemas", schemasTable.shape, "How JSON Schemas are read.") { $0.assertsFormats = $1 },
        ], initial: { _ in Settings() })

    private static let schemasTable = ObjectShape<Bool>(
        "schemas", title: "\"schemas\"", summary: "How JSON Schemas are read.",
        [
            Field(
                "formats", Shape<FormatUse>.word, required: true,
                "Whether \"format\" is checked (\"assert\", the default) or only informs (\"annotate\")."
            ) { $0 = $1 == .assert }
        ], initial: { _ in true })
}

private enum FormatUse: String, CaseIterable, Sendable {
    case assert
    case annotate
}
