package import ReqcliText

/// The durations of cases in an earlier run, by which `--balance` distributes the cases of this run to the shards.
package struct Balance: Sendable, Equatable {
    /// The name of the report, for messages.
    package let name: String
    /// The durations in milliseconds, at least 1, by the ids of the cases, as reports write them. Cases that sent no request are
    /// missing.
    private let durations: [String: Int]

    /// Reads the JSON report of an earlier run.
    ///
    /// - Throws: A failure if the file is not a JSON report of check.
    package init(_ file: SourceFile) throws(Failure) {
        let run: RunResult
        do throws(UnreadableReport) {
            run = try RunResult(reading: file)
        } catch {
            throw Failure(
                .usage, code: .earlierReportInvalid,
                "\"\(file.name)\" is not a JSON report of check: \(error.reason)",
                hint: "write a report with \"reqcli check --report json=\(file.name)\", or merge the parts of a run")
        }
        self.init(run, name: file.name)
    }

    package init(_ run: RunResult, name: String) {
        self.name = name
        durations = Dictionary(
            run.cases.filter { $0.outcome.attempts > 0 }.map {
                (EarlierRun.written($0.id), max(1, TimeText.milliseconds($0.outcome.duration)))
            }, uniquingKeysWith: max)
    }

    /// Whether the duration of a case is known.
    func knows(_ id: String) -> Bool { durations[EarlierRun.written(id)] != nil }

    /// The durations of cases, in milliseconds. A case whose duration is not known gets the median of the others.
    func weights(of ids: [String]) -> [Int] {
        let known = ids.map { durations[EarlierRun.written($0)] }
        let sorted = known.compactMap(\.self).sorted()
        let median = sorted.isEmpty ? 1 : (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
        return known.map { $0 ?? median }
    }
}

/// The part of a run to which each case is assigned.
///
/// Cases of one unit stay together, for example a case and its probes.
struct ShardAssignment {
    /// The part of each case, from 1, in the order of the cases.
    let parts: [Int]
    /// The expected total duration of each part; nil without `--balance`.
    let loads: [Duration]?

    /// Assigns the units to parts.
    ///
    /// - Parameter units: The name of the unit of each case.
    init(ids: [String], units: [String], among count: Int, by balance: Balance?) {
        guard let balance else {
            parts = units.map { Shard.part(of: $0, among: count) }
            loads = nil
            return
        }
        var weights: [String: Int] = [:]
        for (unit, weight) in zip(units, balance.weights(of: ids)) { weights[unit, default: 0] += weight }
        // Assign the longest unit first, always to the part with the least load. Ties are broken by name, so that all machines
        // get the same result.
        let order = weights.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        var loads = PartLoads(count)
        var owners: [String: Int] = [:]
        for (unit, weight) in order { owners[unit] = loads.add(weight) }
        parts = units.map { owners[$0] ?? 1 }
        self.loads = loads.all.map { .milliseconds($0) }
    }
}

/// The load of each part, as a heap with the least loaded part at its top.
private struct PartLoads {
    private var heap: [(load: Int, part: Int)]

    init(_ count: Int) { heap = (1...count).map { (0, $0) } }

    /// The loads in the order of the parts.
    var all: [Int] { heap.sorted { $0.part < $1.part }.map(\.load) }

    /// Adds the weight to the part with the least load, and returns the number of the part. If several parts have the least load,
    /// the first one is used.
    mutating func add(_ weight: Int) -> Int {
        let part = heap[0].part
        heap[0].load += weight
        var index = 0
        while true {
            let children = [2 * index + 1, 2 * index + 2].filter { $0 < heap.count }
            guard let least = children.min(by: { heap[$0] < heap[$1] }), heap[least] < heap[index] else { return part }
            heap.swapAt(index, least)
            index = least
        }
    }
}
