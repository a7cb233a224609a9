import Foundation
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

@testable import Checking

/// Dividing the cases among the parts of a run, by their ids and by recorded durations.
struct ShardTests {
    /// Ids of cases and the units that they belong to.
    private static func randomPlan(_ generator: inout SeededGenerator) -> (ids: [String], units: [String]) {
        var ids: [String] = []
        var units: [String] = []
        for endpoint in 0..<Int.random(in: 1...15, using: &generator) {
            let id = "group\(Int.random(in: 0...9, using: &generator)).e\(endpoint)"
            ids.append(id)
            units.append(id)
            for probe in 0..<Int.random(in: 0...2, using: &generator) {
                ids.append("\(id)/probe:p=\(probe)")
                units.append(id)
            }
        }
        return (ids, units)
    }

    private static func balance(_ durations: [String: Int]) throws -> Balance {
        let cases = durations.sorted { $0.key < $1.key }.map {
            #"{"id": "\#($0.key)", "verdict": "passed", "attempts": 1, "durationMs": \#($0.value)}"#
        }
        let text =
            #"{"format": "reqcli.check", "environment": "e", "cases": [\#(cases.joined(separator: ", "))]}"#
        return try Balance(SourceFile(name: "timings.json", text: text))
    }

    @Test("for 1 to 50 parts of random plans, every case is in one part, and units stay together")
    func everyCaseInOnePart() throws {
        var generator = SeededGenerator(seed: 24)
        let count = RandomInputs.count(100)
        for _ in 0..<count {
            let (ids, units) = Self.randomPlan(&generator)
            let known = ids.filter { _ in Bool.random(using: &generator) }
            let durations = Dictionary(
                uniqueKeysWithValues: known.map { ($0, Int.random(in: 0...5000, using: &generator)) })
            let balance = Bool.random(using: &generator) ? try Self.balance(durations) : nil
            for count in 1...50 {
                let parts = ShardAssignment(ids: ids, units: units, among: count, by: balance).parts
                #expect(parts.count == ids.count)
                #expect(parts.allSatisfy { (1...count).contains($0) })
                var owners: [String: Int] = [:]
                for (unit, part) in zip(units, parts) {
                    #expect(owners.updateValue(part, forKey: unit) ?? part == part)
                }
            }
        }
    }

    @Test("plans of all parts together have each case once, with or without timings", arguments: [false, true])
    func plans(_ isBalanced: Bool) throws {
        var generator = SeededGenerator(seed: 7)
        for index in 0..<15 {
            var files: [String: String] = [:]
            for endpoint in 0..<Int.random(in: 1...6, using: &generator) {
                files["endpoints/e\(endpoint).json"] = #"""
                    {"path": "/", "params": {"n": {"type": "integer", "minimum": 1, "default": 1}}, "query": {"n": "{{n}}"},
                     "expect": {"status": 200},
                     "checks": [{"name": "c", "expect": {"status": 200}}]}
                    """#
            }
            let catalogue = Catalogue(of: Workshop.workspace(files))
            let rows =
                index % 2 == 0
                ? nil
                : try Workshop.required(DataTable.read(SourceFile(name: "r.csv", text: "n\n1\n2\n")).value, "rows")
            var request = CheckPlan.Request(environment: "development", data: rows, probing: .safeMethods)
            let whole = try CheckPlan.make(request, from: catalogue)
            if isBalanced {
                request.balance = try Self.balance(["e0": 300, "e1/c": 20, "e2/probe:n=0": 7])
            }
            let count = index + 1
            var ids: [String] = []
            for part in 1...count {
                request.shard = Shard(index: part, of: count)
                let plan = try CheckPlan.make(request, from: catalogue)
                #expect(plan.selectedCount == whole.cases.count)
                // The case that probes change is in their part.
                let isWhole = plan.cases.allSatisfy { each in
                    each.probe == nil || plan.bases[each.endpoint.id]?.isSelected == true
                }
                #expect(isWhole)
                ids += plan.cases.map(\.id)
            }
            #expect(ids.sorted() == whole.cases.map(\.id).sorted())
        }
    }

    // MARK: Timings

    @Test("the parts of recorded timings take about the same time", arguments: [2, 3, 5, 10, 25, 50])
    func spread(_ count: Int) throws {
        // Durations as servers have them: most are short, a few are 50 times as long.
        var generator = SeededGenerator(seed: UInt64(count))
        var durations: [String: Int] = [:]
        for index in 0..<1000 {
            let isSlow = Int.random(in: 0..<20, using: &generator) == 0
            durations["e\(index)"] = Int.random(in: isSlow ? 500...2000 : 20...120, using: &generator)
        }
        let ids = durations.keys.sorted()
        let loads = try #require(
            ShardAssignment(ids: ids, units: ids, among: count, by: try Self.balance(durations)).loads)
        let spread = try #require(loads.max()) / #require(loads.min())
        #expect(spread <= 1.05, "\(spread)")
    }

    @Test("the longest case comes first, and cases that are not known weigh the median")
    func longestFirst() throws {
        let balance = try Self.balance(["a": 100, "b": 60, "c": 50, "d": 10])
        let ids = ["a", "b", "c", "d", "new"]
        let dealing = ShardAssignment(ids: ids, units: ids, among: 2, by: balance)
        // new weighs 55: a (100) | b (60), new (55) | … c to a's part, then d.
        #expect(dealing.parts == [1, 2, 1, 2, 2])
        #expect(dealing.loads == [.milliseconds(150), .milliseconds(125)])
    }

    @Test("without a duration, all cases count as equally long, and a plan says so")
    func foreignTimings() throws {
        let files = ["endpoints/a.json": #"{"path": "/", "expect": {"status": 200}}"#]
        var request = CheckPlan.Request(environment: "development", shard: Shard("1/2"))
        request.balance = try Self.balance(["other": 5])
        let plan = try CheckPlan.make(request, from: Catalogue(of: Workshop.workspace(files)))
        #expect(plan.cases.map(\.id) == ["a"])
        #expect(
            plan.warnings.map(\.message) == [
                "\"timings.json\" has no durations of these cases, so all cases count as equally long"
            ])
        #expect(PlanListing.text(plan).contains("planned: 1ms in this shard, 0ms to 1ms in all 2 shards\n"))
    }

    @Test("only a JSON report of check has timings", arguments: ["", "{}", "<testsuites/>", #"{"format": "x"}"#])
    func noTimings(_ text: String) {
        let failure = #expect(throws: Failure.self) { try Balance(SourceFile(name: "t", text: text)) }
        #expect(failure?.status == .usage)
        #expect(failure?.message.hasPrefix("\"t\" is not a JSON report of check: ") == true)
    }
}
