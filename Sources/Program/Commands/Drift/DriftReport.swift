import Checking
import ReqcliJSONPath
import ReqcliRedaction
import ReqcliText
import Shapes

/// The result for one stub variant.
struct DriftRow {
    enum Outcome {
        case compared(Comparison)
        case notCompared(String)
        /// The call failed, so there is no response.
        case unanswered([String])
    }

    struct Comparison {
        let stub: JSONValue
        let file: StubBody.StubFile
        let rules: ShapeRules
        /// The shape of the server's responses: their members and types.
        let answer: JSONShape
        let findings: [ShapeFinding]
        /// The responses without their secrets.
        let values: [JSONValue]
        /// The findings that remain after the stub's file was updated; nil if the file was not updated.
        var left: [ShapeFinding]?
    }

    let endpoint: String
    /// The variant's name; nil for a call without a response, and for an endpoint that is not called.
    var variant: String?
    /// The name in messages: an endpoint with a variant, or a case.
    let label: String
    var outcome: Outcome
    let duration: Duration?
    var redactor = Redactor([])
}

/// The comparison of all variants, for a person and for programs.
struct DriftReport {
    let rows: [DriftRow]
    let environment: String
    let isStrict: Bool

    /// The maximum number of findings that are shown for one variant.
    private static let mostFindings = 100

    private var comparisons: [DriftRow.Comparison] {
        rows.compactMap { if case .compared(let comparison) = $0.outcome { comparison } else { nil } }
    }

    var comparedCount: Int { comparisons.count }
    var hasDrifted: Bool { driftedCount > 0 }
    var driftedCount: Int { comparisons.count(where: hasDrifted) }
    var updatedCount: Int { comparisons.count { $0.left != nil } }
    var unansweredCount: Int { rows.count { if case .unanswered = $0.outcome { true } else { false } } }
    var leftOutCount: Int { rows.count - comparedCount - unansweredCount }

    func hasDrifted(_ comparison: DriftRow.Comparison) -> Bool {
        (comparison.left ?? comparison.findings).contains { isStrict || $0.kind.isBreaking }
    }

    /// The report for a person.
    ///
    /// - Parameter width: The width of the terminal; nil if there is none.
    func lines(width: Int?) -> [Styled] {
        let longest = rows.filter { $0.duration != nil }.map { TerminalText.width(of: $0.shownLabel) }.max() ?? 0
        return rows.flatMap { lines($0, labelWidth: longest, width) } + ["", summary]
    }

    private func lines(_ row: DriftRow, labelWidth: Int, _ width: Int?) -> [Styled] {
        switch row.outcome {
        case .notCompared(let reason): return [Styled("- \(row.shownLabel)  not compared: \(reason)", .dim)]
        case .unanswered(let reasons):
            return [Styled("! ", .red) + Styled(row.shownLabel) + Styled("  no response", .red)]
                + reasons.map { Styled("    " + TerminalText.harmless($0)) }
        case .compared(let comparison):
            let style: Style = hasDrifted(comparison) ? .red : .green
            let time = TerminalText.padded(TimeText.short(row.duration ?? .zero), to: 7, .trailing)
            var line = Styled(hasDrifted(comparison) ? "✗ " : "✓ ", style)
            line += Styled(TerminalText.padded(row.shownLabel, to: labelWidth)) + Styled("  " + time, .dim)
            if hasDrifted(comparison) {
                line += Styled(comparison.left == nil ? "  drifted" : "  updated in part", style)
            } else if comparison.left != nil {
                line += Styled("  updated", style)
            }
            return [line] + findings(comparison, row.redactor, width)
        }
    }

    private func findings(_ comparison: DriftRow.Comparison, _ redactor: Redactor, _ width: Int?) -> [Styled] {
        var columns = Columns()
        for finding in comparison.findings.prefix(Self.mostFindings) {
            let style: Style = finding.kind.isBreaking || isStrict ? .red : .green
            let place = comparison.place(of: finding)?.description ?? ""
            columns.add(
                Styled(finding.kind.rawValue, style), Styled(TerminalText.harmless(redactor.redact(finding.path))),
                Styled(finding.words), Styled(TerminalText.harmless(place), .dim))
        }
        let more = comparison.findings.count - Self.mostFindings
        return columns.lines(indent: 4, width: width) + (more > 0 ? [Styled("    … and \(more) more")] : [])
    }

    private var summary: Styled {
        var counts = [
            Styled(driftedCount == 0 ? "none drifted" : "\(driftedCount) drifted", driftedCount == 0 ? .green : .red)
        ]
        if updatedCount > 0 { counts.append(Styled("\(updatedCount) updated")) }
        if unansweredCount > 0 { counts.append(Styled("\(unansweredCount) without a response", .red)) }
        if leftOutCount > 0 { counts.append(Styled("\(leftOutCount) not compared")) }
        let head = Styled("\(counted(comparisons.count, "stub")) compared (\(TerminalText.harmless(environment))): ")
        return head + counts.dropFirst().reduce(counts[0]) { $0 + Styled(", ") + $1 }
    }
}

extension DriftRow {
    fileprivate var shownLabel: String { TerminalText.harmless(label) }
}

extension DriftRow.Comparison {
    /// The place of a finding in the stub's file.
    func place(of finding: ShapeFinding) -> Place? { finding.place.map { Place(stub.place.file, $0) } }
}
