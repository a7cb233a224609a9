import Calling
import Checking
import ReqcliRedaction
import ReqcliText
import Shapes

/// The report as JSON. `docs/reference/drift.md` describes this format. A change that could break readers gets a new version.
extension DriftReport {
    private static let format = "reqcli.drift"
    private static let version = 1
    /// The maximum number of findings of one variant in the report.
    private static let mostFindings = 1000

    func json(wasInterrupted: Bool) -> OrderedJSON {
        .object([
            "format": .string(Self.format), "version": .int(Self.version), "environment": .string(environment),
            "strict": .bool(isStrict), "interrupted": .bool(wasInterrupted),
            "totals": .object([
                "compared": .int(comparedCount), "drifted": .int(driftedCount), "updated": .int(updatedCount),
                "notCompared": .int(leftOutCount), "unanswered": .int(unansweredCount),
            ]),
            "stubs": .array(rows.map(json)),
        ])
    }

    private func json(_ row: DriftRow) -> OrderedJSON {
        var comparison: DriftRow.Comparison?
        var reasons: [String] = []
        switch row.outcome {
        case .compared(let compared): comparison = compared
        case .notCompared(let reason): reasons = [reason]
        case .unanswered(let all): reasons = all
        }
        return .object([
            "id": .string(row.label), "endpoint": .string(row.endpoint), "variant": row.variant.map { .string($0) },
            "verdict": .string(verdict(row.outcome)),
            "reasons": reasons.isEmpty ? nil : .array(reasons.map { .string($0) }),
            "durationMs": row.duration.map { .int(TimeText.milliseconds($0)) },
            "count": comparison.map { .int($0.findings.count) },
            "findings": comparison.map { compared in
                .array(compared.findings.prefix(Self.mostFindings).map { json($0, compared, row.redactor) })
            },
        ])
    }

    private func verdict(_ outcome: DriftRow.Outcome) -> String {
        switch outcome {
        case .notCompared: "notCompared"
        case .unanswered: "unanswered"
        case .compared(let comparison):
            if hasDrifted(comparison) {
                comparison.left == nil ? "drifted" : "updatedInPart"
            } else {
                comparison.left == nil ? "same" : "updated"
            }
        }
    }

    private func json(
        _ finding: ShapeFinding, _ comparison: DriftRow.Comparison, _ redactor: Redactor
    ) -> OrderedJSON {
        let place = comparison.place(of: finding)
        let start = place?.start
        return .object([
            "kind": .string(finding.kind.rawValue), "path": .string(redactor.redact(finding.path)),
            "stub": finding.stub.map { .string($0) }, "response": finding.answer.map { .string($0) },
            "fails": .bool(isStrict || finding.kind.isBreaking), "file": place.map { .string($0.file.name) },
            "line": start.map { .int($0.line) }, "column": start.map { .int($0.column) },
        ])
    }
}
