import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import RequestBuilding
import TestSupport
import Testing

/// One cell of the table: what an earlier layer says, what a later one says, and what becomes of it.
struct MergeCell: Sendable, CustomTestStringConvertible {
    enum Outcome: Sendable {
        case gives(Probe, String?)
        /// The file is broken.
        case refused
        /// No request can be made, for this reason.
        case fails(String)
    }

    let name: String
    let earlier: String
    let later: String
    /// Whether both layers are environments; else the later one is the endpoint.
    let isOfEnvironment: Bool
    let flags: [CommandLineOverride]
    let outcome: Outcome

    var testDescription: String { "\(name): \(later)\(flags.map(\.flag).joined())" }

    /// An environment and an endpoint.
    static func request(
        _ name: String, _ earlier: String, _ later: String, flags: [CommandLineOverride] = [], _ outcome: Outcome
    ) -> MergeCell {
        MergeCell(
            name: name, earlier: earlier, later: later, isOfEnvironment: false, flags: flags, outcome: outcome)
    }

    /// An endpoint, and what it says for one environment.
    static func overlay(_ name: String, _ earlier: String, _ later: String, _ outcome: Outcome) -> MergeCell {
        request(name, "ENDPOINT" + earlier, later, outcome)
    }

    /// An environment and another that extends it.
    static func environment(_ name: String, _ earlier: String, _ later: String, _ outcome: Outcome) -> MergeCell {
        MergeCell(name: name, earlier: earlier, later: later, isOfEnvironment: true, flags: [], outcome: outcome)
    }

    /// Two files' worth of layers on top of a server, `http://h`.
    var scenario: Scenario {
        func object(_ members: String, and others: String = "") -> String {
            "{" + [others, members].filter { !$0.isEmpty }.joined(separator: ", ") + "}"
        }
        var scenario: Scenario
        let root = #"{"scheme": "http", "host": "h"}"#
        if isOfEnvironment {
            scenario = Scenario(
                #"{"headers": {"X": "{{v}}"}, "params": {"v": {"type": "string", "required": false}}}"#,
                environment: object(later, and: #""extends": "base""#),
                bases: ["root": root, "base": object(earlier, and: #""extends": "root""#)])
            if name.hasPrefix("a variable") {
                scenario.files["endpoints/e.json"] = #"{"headers": {"X": "{{v}}"}}"#
            } else if name.hasPrefix("a secret") {
                scenario.files["endpoints/e.json"] = #"{"headers": {"X": "{{secret.s}}"}}"#
            }
        } else if earlier.hasPrefix("ENDPOINT") {
            scenario = Scenario(
                object(String(earlier.dropFirst(8))), environment: #"{"baseURL": "http://h/base"}"#,
                overlay: object(later))
        } else {
            scenario = Scenario(
                object(later), environment: object(earlier, and: #""extends": "root""#), bases: ["root": root])
        }
        scenario.overrides = flags
        scenario.files["ca.pem"] = "a"
        scenario.files["other.pem"] = "b"
        scenario.stub = { $0.stub(variables: ["ONE": "one", "TWO": "two"]) }
        return scenario
    }
}

@Suite("The merge table of docs/reference/merging.md")
struct MergeTableTests {
    @Test("A cell does what it says", arguments: MergeCell.all)
    func cell(_ cell: MergeCell) throws {
        let scenario = cell.scenario
        switch cell.outcome {
        case .gives(let probe, let expected): #expect(probe.read(try scenario.assembled()) == expected)
        case .refused: #expect(scenario.loadProblems().contains { $0.severity == .error })
        case .fails(let reason):
            #expect(scenario.loadProblems().map(\.shown) == [])
            #expect(try scenario.failure().definitions.map(\.message) == [reason])
        }
    }

    @Test("Every cell of the page has its test, and no test is about a cell that isn't there")
    func complete() throws {
        let cells = try MergeTable.cells()
        #expect(Set(cells).subtracting(MergeCell.all.map(\.name)) == [])
        #expect(Set(MergeCell.all.map(\.name)).subtracting(cells) == [])
        #expect(cells.count > 100)
    }
}
