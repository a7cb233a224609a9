import Foundation

/// A `console` block: commands after `$`, each followed by what it prints on a terminal.
///
/// A command goes on in the next line after a backslash at its end, behind `> `. It has to end with 0, unless it ends with a
/// comment such as `# exit 4`, or the next command shows `$?`. A line with `…` alone stands for any lines.
struct Transcript {
    struct Command {
        /// As they stand in the page, with `$ ` and `> `.
        var written: [String]
        var expected: [String]

        /// What the shell gets.
        var text: String { written.map { String($0.dropFirst(2)) }.joined(separator: "\n") }
        var status: Int32? { text.firstMatch(of: /# exit (\d+)$/).flatMap { Int32($0.1) } }
    }

    private(set) var commands: [Command] = []

    /// Nil if it doesn't begin with a command.
    init?(_ lines: some Sequence<String>) {
        for line in lines {
            if line.hasPrefix("$ ") {
                commands.append(Command(written: [line], expected: []))
                continue
            }
            guard var last = commands.popLast() else { return nil }
            if last.expected.isEmpty, last.text.hasSuffix("\\"), line.hasPrefix("> ") {
                last.written.append(line)
            } else {
                last.expected.append(line)
            }
            commands.append(last)
        }
        if commands.isEmpty { return nil }
    }

    /// The status that the command has to end with; nil if the next one shows it.
    func status(at index: Int) -> Int32? {
        if let status = commands[index].status { return status }
        return index + 1 < commands.count && commands[index + 1].text.contains("$?") ? nil : 0
    }
}

/// What a command printed, held against what a page says.
enum Printed {
    /// Whether the lines are those that are expected, but for what differs from run to run.
    static func matches(_ actual: [String], _ expected: [String]) -> Bool {
        matches(steady(actual)[...], steady(expected)[...])
    }

    private static func matches(_ actual: ArraySlice<String>, _ expected: ArraySlice<String>) -> Bool {
        guard let next = expected.first else { return actual.isEmpty }
        let rest = expected.dropFirst()
        if next == "…" {
            return (actual.startIndex...actual.endIndex).contains { matches(actual[$0...], rest) }
        }
        return actual.first == next && matches(actual.dropFirst(), rest)
    }

    /// The lines with what differs from run to run taken out: times, ids by chance, and which cases were the slowest.
    private static func steady(_ lines: [String]) -> [String] {
        var result: [String] = []
        var isInSlowest = false
        for line in lines {
            isInSlowest = line.hasPrefix("slowest: ") || (isInSlowest && !line.isEmpty)
            if isInSlowest {
                if line.hasPrefix("slowest: ") { result.append("slowest") }
                continue
            }
            result.append(
                line.replacing(/\ *\b\d+(\.\d+)?ms\b/, with: " 1ms")
                    .replacing(/duration_ms: \d+/, with: "duration_ms: 1")
                    .replacing(/[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/, with: "UUID")
                    .replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/, with: "TIME"))
        }
        return result
    }
}
