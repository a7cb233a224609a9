import ReqcliAssembly
import ReqcliText

/// Compares an endpoint in two environments. The result has the parts that differ, each with its place in a file.
struct Comparison {
    private struct Difference {
        typealias Side = (mark: String, value: String, origin: String)

        let part: String
        let sides: [Side]
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
            func sides(_ mark: String, _ sources: [Explanation.Source]) -> [Difference.Side] {
                sources.map {
                    (mark, TerminalText.harmless($0.value ?? ""), TerminalText.harmless($0.origin))
                }
            }
            return Difference(part: TerminalText.harmless(part), sides: sides("-", left) + sides("+", right))
        }
    }

    private static func standing(_ part: String, _ explanation: Explanation) -> [Explanation.Source] {
        explanation.rows.first { $0.part == part }?.standing ?? []
    }

    var text: [Styled] {
        guard !differences.isEmpty else { return [Styled("the same in \(names.0) and in \(names.1)")] }
        let width = min(differences.flatMap(\.sides).map { TerminalText.width(of: $0.value) }.max() ?? 0, 60)
        return [Styled("--- \(names.0)", .bold), Styled("+++ \(names.1)", .bold)]
            + differences.flatMap { difference in
                [Styled(difference.part, .bold)]
                    + difference.sides.map { side in
                        let value = TerminalText.padded(TerminalText.truncated(side.value, to: width), to: width)
                        return Styled("  \(side.mark) \(value)", side.mark == "-" ? .red : .green)
                            + Styled("  \(side.origin)", .dim)
                    }
            }
    }
}
