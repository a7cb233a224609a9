import Foundation
import Testing

/// The pictures in the documentation show what the program prints.
@Suite struct PictureTests {
    struct Picture: Sendable {
        let name: String
        let title: String
        /// A command that runs first and is not shown.
        var preparation = "true"
        let commands: [String]
    }

    static let pictures = [
        Picture(
            name: "tour",
            title: "A request is sent, explained part by part, and printed as a command for curl",
            commands: [
                "reqcli send user.get --env offline", "reqcli explain user.feed userID=123 -H 'Accept: text/plain'",
                "reqcli render user.feed userID=123",
            ]),
        Picture(
            name: "check", title: "A failed check: what was expected, what was found, and where that stands",
            preparation: #"sed -i 's/"name": "Ada Lovelace", "mail_address"/"mail_address"/' endpoints/user.json"#,
            commands: ["reqcli check user breeds --stub"]),
    ]

    @Test("A picture shows what the program prints; REQCLI_RECORD=1 redraws it", arguments: pictures.map(\.name))
    func picture(_ name: String) async throws {
        let picture = try #require(Self.pictures.first { $0.name == name })
        let steps = ([picture.preparation] + picture.commands).map { Session.Step.command($0) }
        let outcomes = try await Session.run(steps, in: .repository, isColoured: true).dropFirst()
        #expect(outcomes.count == picture.commands.count)
        var lines: [String] = []
        for (command, outcome) in zip(picture.commands, outcomes) {
            lines += (lines.isEmpty ? [] : [""]) + ["\u{1B}[2m$\u{1B}[0m \u{1B}[1m\(command)\u{1B}[0m"]
            lines += outcome.lines.filter { !$0.contains("slowest: ") }.map(Self.withSteadyTimes)
        }
        let svg = TerminalPicture(title: picture.title, lines: lines, columns: 88).svg
        let path = "\(Page.root)/docs/images/\(name).svg"
        if ProcessInfo.processInfo.environment["REQCLI_RECORD"] == "1" {
            try svg.write(toFile: path, atomically: true, encoding: .utf8)
        }
        let isCurrent = try String(contentsOfFile: path, encoding: .utf8) == svg
        #expect(isCurrent, "run `make docs` and look at the picture")
    }

    /// The line with every duration replaced by the same one.
    private static func withSteadyTimes(_ line: String) -> String {
        line.replacing(/\ {2,}\d+ms/, with: "      3ms").replacing(/\ \d+ms/, with: " 3ms")
    }

    @Test("Escape codes become colours, and each text keeps its column")
    func runs() {
        let runs = TerminalPicture.runs(of: "  a \u{1B}[1;32mb c\u{1B}[0m  \u{1B}[2md")
        #expect(
            runs == [
                .init(column: 2, text: "a", classes: []), .init(column: 4, text: "b c", classes: ["bold", "green"]),
                .init(column: 9, text: "d", classes: ["dim"]),
            ])
    }
}
