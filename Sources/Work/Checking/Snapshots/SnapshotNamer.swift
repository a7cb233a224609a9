import ReqcliDefinitions
import ReqcliText

/// Gives each row of a case the name of its snapshot.
struct SnapshotNamer {
    private let selected: Planner.Selected
    private let ofCase: SnapshotName?
    private var counts: [SnapshotName: Int] = [:]

    init(_ selected: Planner.Selected) {
        self.selected = selected
        ofCase =
            selected.expectation.snapshot == nil
            ? nil : SnapshotName(endpoint: selected.endpoint.id, check: selected.check?.name?.value)
    }

    /// The name of the snapshot for a row; nil for a case without a snapshot. A secret does not become part of a name.
    mutating func name(_ row: DataRow?) -> SnapshotName? {
        guard let ofCase, let row else { return ofCase }
        let values = selected.endpoint.parameters.filter { !$0.value.isSecret }.compactMap { parameter in
            row.given(to: parameter).map { (name: parameter.name, value: $0.shown) }
        }
        let name = ofCase.row(values)
        counts[name, default: 0] += 1
        return ofCase.row(values, number: counts[name] ?? 1)
    }
}
