import Definitions
import Foundation
import SourceText
import TestSupport
import Testing

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

    @Test("an independent validator accepts the good files and rejects the broken ones", .enabled(if: Python.isReady))
    func independentValidator() throws {
        let folder = try TemporaryFolder()
        for kind in FormatSchema.allCases {
            try folder.write(kind.json.pretty, to: "\(kind.rawValue).schema.json")
        }
        let script = FilePath.join(FilePath.parent(Fixture.folder), "schemas/validate.py")
        let run = try Python.run([script, "--schemas", folder.path])
        #expect(run.status == 0, "\(run.output)")
    }
}

/// Python with the package `jsonschema`, if this machine has it; the tests that need it say so when it doesn't.
private enum Python {
    static let isReady = (try? run(["-c", "import jsonschema"]).status) == 0

    static func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
