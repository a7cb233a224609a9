import Glibc
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

/// Whatever a file holds, it is read, decoded and validated to an end, and what is told about it can be shown.
@Suite struct DefinitionsFuzzTests {
    private static let count = RandomInputs.count(300)

    private static let samples: [(fixture: Fixture, value: OrderedJSON)] = Fixture.all("good").compactMap { fixture in
        JSONDocument.read(SourceFile(name: fixture.path, bytes: fixture.bytes)).root.map { (fixture, OrderedJSON($0)) }
    }

    @Test("files with something swapped, dropped, doubled or renamed in them")
    func structure() {
        for seed in 1...UInt64(Self.count) {
            let sample = Self.samples[Int(seed) % Self.samples.count]
            var mutator = StructuralMutator(seed: seed, samples: Self.samples.map(\.value))
            check(Array(mutator.mutant(of: sample.value).compact.utf8), as: sample.fixture.kind, seed: seed)
        }
    }

    @Test("files with bytes gone, doubled or replaced")
    func bytes() {
        for seed in 1...UInt64(Self.count) {
            let sample = Self.samples[Int(seed) % Self.samples.count]
            var generator = SeededGenerator(seed: seed)
            var bytes = sample.fixture.bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
                let at = Int.random(in: 0..<bytes.count, using: &generator)
                let end = min(bytes.count, at + Int.random(in: 0...8, using: &generator))
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: bytes.removeSubrange(at..<end)
                case 1: bytes.insert(contentsOf: bytes[at..<end], at: at)
                case 2: bytes[at] = UInt8.random(in: 0...255, using: &generator)
                case 3: bytes[at] = Array("{}[]:,\"\\".utf8).randomElement(using: &generator) ?? 0
                default: bytes.removeSubrange(at...)
                }
            }
            check(bytes, as: sample.fixture.kind, seed: seed)
        }
    }

    private func check(_ bytes: [UInt8], as kind: FormatSchema, seed: UInt64) {
        let path =
            switch kind {
            case .endpoint: "endpoints/a.json"
            case .environment: "environments/a.json"
            case .scenario: "scenarios/a.json"
            case .load: "loads/a.json"
            case .settings: "reqcli.json"
            }
        let files = MemoryFiles([
            "/work/\(path)": .bytes(bytes), "/work/endpoints/ping.json": .bytes(Array("{}".utf8)),
            "/work/environments/base.json": .bytes(Array(#"{"variables": {"tenant": 1}}"#.utf8)),
        ])
        let workspace = Workspace(root: "/work", currentFolder: "/work", files: files.fileSystem)
        let report = workspace.validate()
        for diagnostic in report.diagnostics {
            let places = [diagnostic.place].compactMap(\.self) + diagnostic.notes.map(\.place)
            let areInside = places.allSatisfy { 0 <= $0.range.lowerBound && $0.range.upperBound <= $0.file.bytes.count }
            #expect(areInside, "seed \(seed): \(diagnostic.message)")
            #expect(!diagnostic.message.isEmpty && !diagnostic.code.rawValue.isEmpty, "seed \(seed)")
        }
        // What can be shown is shown once: a file with a thousand problems would take long to draw.
        let rendered = DiagnosticRenderer().render(Array(report.diagnostics.prefix(5))).plain
        #expect(rendered.isEmpty == report.diagnostics.isEmpty, "seed \(seed)")
        let isBroken = report.diagnostics.contains { $0.severity == .error }
        let isRead = workspace.endpointEntries().value.allSatisfy { workspace.load(endpointFile: $0).value != nil }
        #expect(isRead || isBroken, "seed \(seed): a file without a value and without an error")
        if kind == .environment, case .missing = workspace.environment("a").value {
            Issue.record("seed \(seed): the environment is there")
        }
    }
}
