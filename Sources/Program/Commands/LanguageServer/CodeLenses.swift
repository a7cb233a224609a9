import CommandLineKit
import Exporting
import ReqcliDefinitions
import ReqcliText

/// Command lines above endpoints and scenarios. The client runs them in its terminal, where params, policies and trust are asked for; the
/// server runs nothing. A client has only those lenses whose commands it names.
struct CodeLenses {
    /// The client's command that runs a command line: its first argument.
    static let running = "reqcli.run"
    /// The client's command that puts a text on the clipboard: its first argument.
    static let copying = "reqcli.copy"

    let document: AskedDocument

    var all: [OrderedJSON] {
        let reading = document.workspace.reading
        let endpoints = reading.allEndpoints.filter { $0.file.name == document.name }.flatMap { endpoint in
            [
                lens("Send", [SendCommand.spec.name] + ExampleCall(endpoint).words, endpoint.definition.place),
                lens("Check", [CheckCommand.spec.name, endpoint.id], endpoint.definition.place),
                lens("Explain", [ExplainCommand.spec.name] + ExampleCall(endpoint).words, endpoint.definition.place),
                copying(endpoint),
            ].compactMap(\.self)
        }
        let scenarios = reading.allScenarios.filter { $0.file.name == document.name }.map {
            lens("Run", [CheckCommand.spec.name, $0.id], $0.definition.place)
        }
        return endpoints + scenarios.compactMap(\.self)
    }

    private func lens(_ title: String, _ words: [String], _ place: Place) -> OrderedJSON? {
        guard document.client.commands.contains(Self.running) else { return nil }
        return .object([
            "range": range(place),
            "command": command(title, Self.running, ShellQuoting.line([Program.name] + words)),
        ])
    }

    private func range(_ place: Place) -> OrderedJSON {
        document.positions.json(place.range.lowerBound..<place.range.lowerBound)
    }

    private func command(_ title: String, _ name: String, _ text: String) -> OrderedJSON {
        .object(["title": .string(title), "command": .string(name), "arguments": [.string(text)]])
    }

    // MARK: Copy as curl

    /// A lens that has its command only when it is shown, because the command takes a request.
    private func copying(_ endpoint: LocatedEndpoint) -> OrderedJSON? {
        guard document.client.commands.contains(Self.copying) else { return nil }
        return .object([
            "range": range(endpoint.definition.place),
            "data": .object(["uri": .string(document.uri), "endpoint": .string(endpoint.id)]),
        ])
    }

    /// A lens with its command. A request that can't be made has none, and its title says so.
    func resolved(_ lens: JSONValue?) -> OrderedJSON {
        let range = lens?["range"].map { OrderedJSON($0) } ?? .null
        let endpoint = document.workspace.reading.endpoint(lens?["data"]?["endpoint"]?.string ?? "")
        let curl = endpoint.flatMap { try? document.workspace.requests(in: document.context)?.command(for: $0) }
        return .object([
            "range": range,
            "command": curl.map { command("Copy as curl", Self.copying, $0) }
                ?? .object(["title": "No curl command: the request has mistakes", "command": ""]),
        ])
    }
}
