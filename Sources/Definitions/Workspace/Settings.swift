import SourceText

/// `reqcli.json` in the root of a workspace: settings that apply where no flag overrides them.
package struct Settings: Sendable {
    package var environment: Located<String>?

    package init() {}

    static let table = ObjectShape<Settings>(
        "settings", title: "reqcli.json", summary: "What holds where no flag says otherwise.",
        [
            Field("environment", .located(.name("an environment")), "The environment that requests go to.") {
                $0.environment = $1
            }
        ], initial: { _ in Settings() })
}
