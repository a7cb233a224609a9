import SourceText

/// `reqcli.json` in the root of a workspace: settings that apply where no flag overrides them.
package struct Settings: Sendable {
    package var environment: Located<String>?
    /// Whether `send` keeps its calls; nil where the file says nothing.
    package var history: Bool?

    package init() {}

    static let table = ObjectShape<Settings>(
        "settings", title: "reqcli.json", summary: "Settings that flags can override.",
        [
            Field("environment", .located(.name("an environment")), "The environment that requests are sent to.") {
                $0.environment = $1
            },
            Field("history", .boolean, "Whether `send` keeps its calls and their responses for `reqcli history`.") {
                $0.history = $1
            },
        ], initial: { _ in Settings() })
}
