import Assembly
import TerminalText

/// The same endpoint in two environments: the parts that differ, each with its place.
struct Comparison {
    private struct Difference {
        let part: String
        let sides: [(mark: String, value: String, origin: String)]
    }

    private let names: (String, String)
    private let differences: [Difference]

    init(_ one: Explanation, _ other: Explanation) {
        names = (one.environment, other.environment)
        let parts =
            one.rows.map(\.part) + other.rows.map(\.part).filter { part in !one.rows.contains { $0.part == part } }
        differences = parts.compactMap { part in
            let left = Self.standing(part, one)
            let right = Self.standing(part, other)
            guard left.map(\.value) != right.map(\.value) else { return nil }
            return Difference(
                part: part,
                sides: left.map { ("-", $0.value ?? "", $0.origin) } + right.map { ("+", $0.value ?? "", $0.origin) })
        }
    }

    private static func standing(_ part: String, _ explanation: Explanation) -> [Explanation.Source] {
        explanation.rows.first { $0.part == part }?.standing ?? []
    }

    func text(inColour: Bool) -> String {
        guard !differences.isEmpty else { return "the same in \(names.0) and in \(names.1)\n" }
        let sides = differences.flatMap(\.sides)
        let width = min(sides.map { TerminalText.width(of: $0.value) }.max() ?? 0, 60)
        let head = Styled("--- \(names.0)\n+++ \(names.1)", .bold).rendered(inColour: inColour) + "\n"
        return head
            + differences.map { difference in
                let title = Styled(difference.part, .bold).rendered(inColour: inColour) + "\n"
                return title
                    + difference.sides.map { side in
                        let value = TerminalText.padded(
                            TerminalText.truncated(TerminalText.harmless(side.value), to: width), to: width)
                        let line =
                            Styled("  \(side.mark) \(value)", side.mark == "-" ? .red : .green)
                            + Styled("  \(side.origin)", .dim)
                        return line.rendered(inColour: inColour) + "\n"
                    }.joined()
            }.joined()
    }
}
