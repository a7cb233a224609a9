import Checking
import CommandLineKit
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// The scenarios that a command line selects; all if there is no selector. The files of scenarios are read only if a selector may
/// mean a scenario.
struct ScenarioSelection {
    private let selectors: [Selector]

    init(_ selectors: [Selector]) { self.selectors = selectors }

    /// The selected scenarios in the order of their files, with the problems of these files, and the selectors that selected a
    /// scenario.
    func scenarios(
        of workspace: Workspace
    ) throws(Failure) -> (listed: Diagnosed<[LocatedScenario]>, satisfied: [Selector]) {
        guard selectors.isEmpty || selectors.contains(where: \.mayBeScenario) else { return (Diagnosed([]), []) }
        let entries = workspace.scenarioEntries()
        let loaded = entries.value.map { workspace.load(scenarioFile: $0) }
        let all = loaded.compactMap(\.value)
        let problems =
            entries.diagnostics + loaded.flatMap(\.diagnostics) + workspace.clashes(entries.value, of: "scenario")
        if selectors.isEmpty { return (Diagnosed(all, problems), []) }
        let satisfied = selectors.filter { selector in all.contains { selector.names($0) } }
        if let unmatched = selectors.first(where: { $0.isScenario && !satisfied.contains($0) }) {
            if problems.contains(where: { $0.severity == .error }) { throw Failure(.broken, problems) }
            throw Failure(
                .usage, code: .selectionEmpty, "there is no scenario \"\(unmatched.text)\"",
                hint: NearNames.question(for: unmatched.text, among: all.map(\.id))
                    ?? "\"reqcli list\" lists the scenarios")
        }
        return (Diagnosed(all.filter { scenario in selectors.contains { $0.names(scenario) } }, problems), satisfied)
    }
}
