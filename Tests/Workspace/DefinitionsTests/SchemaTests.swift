import Foundation
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing
import ToolSupport

/// The JSON Schemas say what the decoder does.
@Suite struct SchemaTests {
    @Test("the decoder rejects every fixture whose shape is broken", arguments: Fixture.all("broken-shape"))
    func isRejected(_ fixture: Fixture) {
        let errors = fixture.decoded().diagnostics.filter { $0.severity == .error }
        #expect(!errors.isEmpty)
        #expect(errors.allSatisfy { $0.place != nil })
    }

    @Test("there are fixtures to try")
    func thereAreFixtures() {
        #expect(Fixture.all("broken-shape").count > 150)
        #expect(Fixture.all("good").count > 10)
    }

    @Test(
        "an independent validator accepts the good files and rejects the broken ones", .enabled { await Python.isReady }
    )
    func independentValidator() async throws {
        let folder = try folderOfSchemas()
        let run = try await Python.run([Self.script, "--schemas", folder.path])
        #expect(run.status == 0, "\(run.output)")
    }

    @Test(
        "what the decoder accepts, the schemas accept: tried on files changed at random",
        .enabled { await Python.isReady })
    func acceptsWhatIsDecoded() async throws {
        let folder = try folderOfSchemas()
        let fixtures = Fixture.all("good").filter { $0.kind != .settings }
        let values = fixtures.compactMap {
            JSONDocument.read(SourceFile(name: $0.path, bytes: $0.bytes)).root.map { OrderedJSON($0) }
        }
        var accepted = 0
        for seed in 1...UInt64(400) {
            let index = Int(seed) % fixtures.count
            var mutator = StructuralMutator(seed: seed, samples: values)
            let mutant = mutator.mutant(of: values[index], changes: 1...1).compact
            guard Fixture.decode(Array(mutant.utf8), as: fixtures[index].kind).diagnostics.isEmpty else { continue }
            accepted += 1
            try folder.write("accept/\(fixtures[index].kind.rawValue)/\(seed).json", mutant)
        }
        #expect(accepted > 50)
        let run = try await Python.run([Self.script, "--schemas", folder.path, "--accept", folder.path("accept")])
        #expect(run.status == 0, "\(run.output)")
    }

    private static let script = FilePath.join(FilePath.parent(Fixture.folder), "schemas/validate.py")

    private func folderOfSchemas() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for kind in FormatSchema.allCases {
            try folder.write("\(kind.rawValue).schema.json", kind.json.pretty)
        }
        return folder
    }
}

/// Python with the package `jsonschema`, if this machine has it; the tests that need it say so when it doesn't.
private enum Python {
    static var isReady: Bool { get async { (try? await run(["-c", "import jsonschema"]).status) == 0 } }

    static func run(_ arguments: [String]) async throws -> ToolRun {
        try await Tool.run(arguments, variables: ProcessInfo.processInfo.environment, program: ["python3"])
    }
}
