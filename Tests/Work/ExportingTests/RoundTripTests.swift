import Foundation
import TestSupport
import Testing
import ToolSupport

/// An OpenAPI export that is imported and exported again is the same file. Of other formats, `Tests/export/roundtrip.py` sees that an
/// import sends the same requests.
@Suite struct RoundTripTests {
    @Test("this repository's workspace comes back", arguments: ["development", "staging"])
    func ownWorkspace(environment: String) async throws {
        try await expectRoundTrip(of: Repository.root, copying: ["endpoints", "environments", "stubs"], environment)
    }

    @Test("a workspace with every kind of param, body, credentials, capture and variant comes back")
    func everyKind() async throws {
        try await expectRoundTrip(
            of: Repository.root + "/Tests/Fixtures/round-trip", copying: ["endpoints", "environments", "files"],
            "development")
    }

    private func expectRoundTrip(of source: String, copying folders: [String], _ environment: String) async throws {
        let place = try TemporaryFolder()
        let original = place.path + "/original/shop"
        let imported = place.path + "/imported/shop"
        for folder in [original, imported] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        for folder in folders {
            try FileManager.default.copyItem(atPath: "\(source)/\(folder)", toPath: "\(original)/\(folder)")
            if folder == "files" {
                try FileManager.default.copyItem(atPath: "\(source)/files", toPath: "\(imported)/files")
            }
        }
        let first = try await export(environment, from: original, to: place.path + "/first")
        try await run(["import", "openapi", "--into", ".", "\(place.path)/first/openapi.json"], in: imported)
        try await run(["validate"], in: imported)
        let second = try await export(environment, from: imported, to: place.path + "/second")
        #expect(first.keys.sorted() == second.keys.sorted())
        for (name, text) in first {
            let lines = zip(text.split(separator: "\n"), (second[name] ?? "").split(separator: "\n"))
            #expect(lines.first { $0 != $1 } == nil, "the first difference in \(name)")
            #expect(text == second[name], "\(name)")
        }
    }

    private func export(_ environment: String, from folder: String, to target: String) async throws -> [String: String]
    {
        try await run(["export", "openapi", "--env", environment, "-o", target + "/"], in: folder)
        let names = try FileManager.default.subpathsOfDirectory(atPath: target)
        var files: [String: String] = [:]
        for name in names {
            if let bytes = FileManager.default.contents(atPath: "\(target)/\(name)"), !bytes.isEmpty {
                files[name] = String(decoding: bytes, as: UTF8.self)
            }
        }
        return files
    }

    private func run(_ words: [String], in folder: String) async throws {
        let run = try await Tool.run(words, in: folder, variables: ["HOME": folder])
        try #require(run.status == 0, "\(words): \(run)")
    }
}
