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
            name: "check", title: "A failed check: what was expected, what was found, and where that stands",
            preparation: #"sed -i 's/"name": "Ada Lovelace", "mail_address"/"mail_address"/' endpoints/user.json"#,
            commands: ["reqcli check user breeds --stub"])
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
        try Self.expectCurrent(svg, name)
    }

    /// Records the picture if REQCLI_RECORD is 1, and compares it with its file.
    private static func expectCurrent(_ svg: String, _ name: String) throws {
        let path = "\(Page.root)/docs/images/\(name).svg"
        if ProcessInfo.processInfo.environment["REQCLI_RECORD"] == "1" {
            try svg.write(toFile: path, atomically: true, encoding: .utf8)
        }
        let isCurrent = try String(contentsOfFile: path, encoding: .utf8) == svg
        #expect(isCurrent, "run `make docs` and look at the picture")
    }

    /// The line with every duration replaced by the same one, and every date in a header, too.
    private static func withSteadyTimes(_ line: String) -> String {
        line.replacing(/\ {2,}(\d+ms|\d+\.\ds)/, with: "      3ms").replacing(/\ (\d+ms|\d+\.\ds)/, with: " 3ms")
            .replacing(/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/, with: "Mon, 01 Jun 2026 08:00:00 GMT")
    }

    // MARK: - The recording

    /// What the recording imports: a description of an endpoint that the shop in `examples/` doesn't have.
    private static let description = """
        openapi: 3.1.0
        info: { title: Deliveries, version: 1.0.0 }
        servers: [{ url: http://127.0.0.1:8080 }]
        paths:
          /deliveries/{order}:
            get:
              operationId: get
              parameters:
                - { name: order, in: path, required: true, schema: { type: integer }, example: 1001 }
              responses:
                "200":
                  description: Where the parcel is
                  content:
                    application/json:
                      schema:
                        type: object
                        required: [order, state, days]
                        properties: { order: { type: integer }, state: { type: string }, days: { type: integer } }
                      example: { order: 1001, state: on its way, days: 2 }

        """

    /// Starts the server of the recording: a shop whose deliveries differ from their description.
    ///
    /// The server has a Unix socket, because port 8080 of the machine may be in use.
    private static let server = #"""
        export REQCLI_HISTORY=0 SHOP_PASSWORD=a-password-of-ada
        cp -R '\#(Page.root)/examples/shop/.' . && cp -R . ../server
        (
            cd ../server && reqcli import delivery.yaml &&
                sed -i 's/"days": 2/"days": "2"/' endpoints/deliveries.json &&
                exec reqcli serve --unix-socket ../socket
        ) > ../log 2>&1 &
        server=$!
        trap 'kill $server' EXIT
        until [ -S ../socket ]; do kill -0 $server || exit; sleep 0.05; done
        reqcli() {
            case $1 in
            send | check) command reqcli "$@" --unix-socket ../socket ;;
            *) command reqcli "$@" ;;
            esac
        }
        """#

    /// The commands of the recording, and how long a reader needs for their output, in seconds.
    private static let scenes: [(command: String, isOnNewScreen: Bool, reading: Double)] = [
        ("reqcli import delivery.yaml", false, 1), ("reqcli send deliveries.get order=1001", false, 1.5),
        ("reqcli explain deliveries.get order=1001", true, 1.5), ("reqcli check deliveries", false, 4),
    ]

    @Test("The recording shows what the program prints; REQCLI_RECORD=1 redraws it")
    func recording() async throws {
        let columns = 80
        let steps =
            [.file("delivery.yaml", text: Self.description), .command(Self.server)]
            + Self.scenes.map { Session.Step.command($0.command) }
        let outcomes = try await Session.run(steps, in: .emptyFolder, columns: columns, isColoured: true).dropFirst(2)
        try #require(outcomes.map(\.status) == [0, 0, 0, 1])
        // The line about the login is left out, so that the last screen has room for explain and check.
        let scenes = zip(Self.scenes, outcomes).map { scene, outcome in
            TerminalRecording.Scene(
                command: scene.command,
                output: outcome.lines.filter { !$0.contains("needed: ") }.map(Self.withSteadyTimes),
                isOnNewScreen: scene.isOnNewScreen, reading: scene.reading)
        }
        let recording = TerminalRecording(
            title:
                "A description is imported, a request is sent and explained, and a check fails: \"2\" is not a number",
            columns: columns, scenes: scenes)
        #expect(recording.rows <= 25)
        #expect((7...9).contains(recording.action))
        #expect(recording.svg.utf8.count < 60_000)
        try Self.expectCurrent(recording.svg, "recording")
    }

    // MARK: - Pages

    @Test("The picture of a page is small; REQCLI_RECORD=1 takes it again in Chromium")
    func page() async throws {
        let path = "\(Page.root)/docs/images/apidoc.png"
        if ProcessInfo.processInfo.environment["REQCLI_RECORD"] == "1" {
            let commands = [
                "cp -R '\(Page.root)/examples/shop' shop && reqcli export html -C shop -o apidoc/",
                "node '\(Page.root)/Tests/browser/picture.mjs' \"file://$PWD/apidoc/orders.html#endpoint:orders.get\" '\(path)' 1100 800",
            ]
            let outcomes = try await Session.run(commands.map { .command($0) }, in: .emptyFolder)
            #expect(outcomes.map(\.status) == [0, 0], "\(outcomes)")
        }
        let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
        #expect((1...120_000).contains(size))
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
