import CommandLineKit
import ReqcliDefinitions
import ReqcliText

/// Command lines above endpoints and scenarios. The client runs them in its terminal, where params, policies and trust are asked for; the
/// server runs nothing.
struct CodeLenses {
    /// The client's command that runs a command line: its first argument.
    static let command = "reqcli.run"

    let document: AskedDocument

    var all: [OrderedJSON] {
        guard document.client.runsCommands else { return [] }
        let reading = document.workspace.reading
        let endpoints = reading.allEndpoints.filter { $0.file.name == document.name }.flatMap { endpoint in
            [
                lens("Send", [SendCommand.spec.name] + ExampleCall(endpoint).words, endpoint.definition.place),
                lens("Check", [CheckCommand.spec.name, endpoint.id], endpoint.definition.place),
                lens("Explain", [ExplainCommand.spec.name] + ExampleCall(endpoint).words, endpoint.definition.place),
            ]
        }
        let scenarios = reading.allScenarios.filter { $0.file.name == document.name }.map {
            lens("Run", [CheckCommand.spec.name, $0.id], $0.definition.place)
        }
        return endpoints + scenarios
    }

    private func lens(_ title: String, _ words: [String], _ place: Place) -> OrderedJSON {
        let start = document.positions.json(place.range.lowerBound..<place.range.lowerBound)
        return .object([
            "range": start,
            "command": .object([
                "title": .string(title), "command": .string(Self.command),
                "arguments": [.string(ShellQuoting.line([Program.name] + words))],
            ]),
        ])
    }
}
