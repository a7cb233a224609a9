import Rendering
import ReqcliDefinitions
import ReqcliText

/// A scenario: its params, a picture of its calls, and what each step adds to its endpoint.
struct HTMLScenario {
    let scenario: LocatedScenario
    let addresses: HTMLAddresses
    /// The endpoint with an id; nil if the workspace has none.
    let endpoint: (String) -> LocatedEndpoint?

    private var definition: ScenarioDefinition { scenario.definition }

    var html: String {
        let about = [addresses.place(definition.place)] + definition.tags.map { HTMLText.words("tag:\($0)") }
        let params = definition.parameters.map(\.row)
        let picture = SequencePicture(scenario, endpoint)
        let content = """
            \(HTMLText.words(definition.summary ?? "", "p"))
            <p class="about">\(about.joined(separator: " · "))</p>
            \(params.isEmpty ? "" : "<h3>Params</h3>\n" + HTMLText.rows(params))\
            <h3>Calls</h3>
            <div class="table" role="region" tabindex="0" aria-label="The calls as a picture">
            \(picture.svg)
            </div>
            \(steps(definition.steps))\
            \(definition.cleanup.isEmpty ? "" : "<h3>Cleanup</h3>\n" + steps(definition.cleanup))
            """
        return HTMLText.section(scenario.id, HTMLText.words(scenario.id), content)
    }

    private func steps(_ steps: [ScenarioStep]) -> String {
        let rows = steps.map { step in
            let details = step.details.joined(separator: "; ")
            return [Styled(step.label), Styled("\(step.endpoint?.value ?? "") \(details)")]
        }
        return HTMLText.rows(rows, addresses.linked)
    }
}
