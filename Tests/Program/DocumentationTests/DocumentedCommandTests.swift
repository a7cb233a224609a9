import Foundation
import TestSupport
import Testing
import ToolSupport

/// Every command in the documentation is run and prints what the page shows.
@Suite struct DocumentedCommandTests {
    /// The number of blocks that tests cannot run. A new one must be counted here, so that none is overlooked.
    static let notRun = 10

    @Test("Every command prints what the page shows; REQCLI_RECORD=1 updates the page", arguments: Page.names)
    func commands(_ name: String) async throws {
        let page = try Page(named: name)
        let isRecording = ProcessInfo.processInfo.environment["REQCLI_RECORD"] == "1"
        var corrected = page.lines
        var ranBlocks = 0
        // Corrections run from the last block to the first, so that they do not move blocks still to come.
        for place in page.places.reversed() {
            let walk = try Walk(page, place)
            ranBlocks += walk.transcripts.count
            let outcomes = try await Session.run(walk.steps, in: place.kind)
            for (index, transcript) in walk.transcripts.enumerated().reversed() {
                let lines = check(transcript, of: page, outcomes: outcomes, tolerating: isRecording)
                corrected.replaceSubrange(page.blocks[walk.blocks[index]].range, with: lines)
            }
            try #require(outcomes.count == walk.steps.count, "\(name): the shell of line \(place.line) ended early")
            let validation = outcomes[outcomes.count - 2]
            #expect(
                validation.status == 0,
                "\(name), the files since line \(place.line): \(validation.lines.joined(separator: "\n"))")
            #expect(outcomes[outcomes.count - 1].lines == [], "\(name) leaves this behind")
        }
        #expect(ranBlocks == page.blocks.count { $0.language == "console" && $0.reasonNotToRun == nil })
        if isRecording, corrected != page.lines {
            try corrected.joined(separator: "\n").write(
                toFile: "\(Page.root)/\(name)", atomically: true, encoding: .utf8)
        }
    }

    /// The lines that the block should contain.
    private func check(
        _ located: Walk.Located, of page: Page, outcomes: [Session.Outcome], tolerating isRecording: Bool
    ) -> [String] {
        var lines: [String] = []
        for (index, command) in located.transcript.commands.enumerated() {
            let place = "\(page.path):\(located.line): \(command.text)"
            guard outcomes.indices.contains(located.firstStep + index) else {
                Issue.record("\(place)\nthe shell ended before")
                return lines + located.transcript.commands[index...].flatMap { $0.written + $0.expected }
            }
            let outcome = outcomes[located.firstStep + index]
            let status = located.transcript.status(at: index) ?? outcome.status
            #expect(outcome.status == status, "\(place)\n\(outcome.lines.joined(separator: "\n"))")
            let matches = Printed.matches(outcome.lines, command.expected)
            #expect(
                matches || isRecording,
                """
                \(place)
                printed:
                \(outcome.lines.joined(separator: "\n"))
                the page says:
                \(command.expected.joined(separator: "\n"))
                """)
            lines += command.written + (matches ? command.expected : outcome.lines)
        }
        return lines
    }

    @Test("Every code block is of a kind that is tested, and every block with a command is run")
    func kinds() throws {
        var notRun = 0
        for name in Page.names {
            let page = try Page(named: name)
            for block in page.blocks {
                let place = Comment(rawValue: "\(name):\(block.number)")
                let lines = page.lines[block.range]
                if block.reasonNotToRun != nil { notRun += 1 }
                switch block.language {
                case "console":
                    #expect(Transcript(lines) != nil, place)
                    #expect(block.place != nil || block.reasonNotToRun != nil, place)
                case "sh":
                    // A file, or calls of make, which tests cannot run inside themselves.
                    let isKnown = lines.allSatisfy(Makefile.has)
                    #expect(block.file != nil || block.reasonNotToRun != nil || isKnown, place)
                case "json", "yaml": break
                case "swift":
                    // Tests/serve runs those about the server.
                    #expect(block.file != nil || ["README.md", "docs/how-to/serve-tests.md"].contains(name), place)
                case "python", "js", "nginx", "caddy", "lua", "elisp", "toml":
                    #expect(name.hasPrefix("docs/how-to/"), place)
                case "text", "csv", "html", "http", "ndjson", "graphql", "pem", "hurl":
                    let commands = lines.filter { $0.hasPrefix("$ ") || $0.hasPrefix("reqcli ") || $0.hasPrefix("> ") }
                    #expect(commands.isEmpty || block.file != nil, place)
                default: Issue.record("\(name):\(block.number): no test looks after \"\(block.language)\"")
                }
            }
            // The parser must find every fence.
            let fences = page.lines.count { $0.contains("```") }
            #expect(fences == 2 * page.blocks.count, Comment(rawValue: name))
        }
        #expect(notRun == Self.notRun)
    }
}

extension Page {
    fileprivate var places: [Place] {
        blocks.compactMap(\.place).reduce(into: []) { places, place in
            if places.last != place { places.append(place) }
        }
    }
}

/// The steps at one place of a page, in order.
private struct Walk {
    struct Located {
        let transcript: Transcript
        let line: Int
        let firstStep: Int
    }

    var steps: [Session.Step] = []
    var transcripts: [Located] = []
    /// The block that each transcript comes from.
    var blocks: [Int] = []

    init(_ page: Page, _ place: Page.Place) throws {
        for (index, block) in page.blocks.enumerated() where block.place == place && block.reasonNotToRun == nil {
            if block.language == "console", let transcript = Transcript(page.lines[block.range]) {
                transcripts.append(Located(transcript: transcript, line: block.number, firstStep: steps.count))
                blocks.append(index)
                steps += transcript.commands.map { .command($0.text) }
            } else if let file = block.file, block.language != "yaml" || block.target == nil {
                steps.append(.file(file, text: page.text(of: block)))
            }
        }
        // The assembled files are valid, and none of their parts is left in the wrong place.
        steps.append(.command("[ ! -d endpoints ] || reqcli validate"))
        steps.append(.command(Session.leftovers(in: place.kind)))
    }
}

/// The make targets of this repository.
private enum Makefile {
    private static let text = (try? String(contentsOfFile: Page.root + "/Makefile", encoding: .utf8)) ?? ""

    /// Whether a line calls make with an existing target.
    static func has(_ line: String) -> Bool {
        guard let target = line.wholeMatch(of: /make ([a-z]+)( [A-Z]+=\S+)*/)?.1 else { return false }
        return text.contains("\n\(target):")
    }
}
