import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

/// The example files below `Tests/Fixtures`.
struct Fixture: Sendable, CustomTestStringConvertible {
    let kind: FormatSchema
    let path: String
    let bytes: [UInt8]

    var testDescription: String { path }

    var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    static let folder = "\(Repository.root)/Tests/Fixtures"

    /// All of one sort: `good` or `broken-shape`.
    static func all(_ sort: String) -> [Fixture] {
        FormatSchema.allCases.flatMap { kind -> [Fixture] in
            let folder = FilePath.join(folder, "\(sort)/\(kind.rawValue)")
            let names = (try? FileSystem.live.names(folder)) ?? []
            return names.map { name in
                let bytes = (try? FileSystem.live.read(FilePath.join(folder, name), 1 << 20)) ?? []
                return Fixture(kind: kind, path: "\(kind.rawValue)/\(name)", bytes: bytes)
            }
        }
    }

    func decoded() -> (model: String, diagnostics: [Diagnostic]) { Self.decode(bytes, as: kind) }

    /// What a file of this kind comes to, told without the places, which any edit shifts.
    static func decode(_ bytes: [UInt8], as kind: FormatSchema) -> (model: String, diagnostics: [Diagnostic]) {
        let path =
            switch kind {
            case .endpoint: "endpoints/a.json"
            case .environment: "environments/a.json"
            case .scenario: "scenarios/a.json"
            case .load: "loads/a.json"
            case .settings: "reqcli.json"
            }
        let files = MemoryFiles(["/work/\(path)": .bytes(bytes), "/work/endpoints": .folder])
        let workspace = Workspace(root: "/work", currentFolder: "/work", files: files.fileSystem)
        if let entry = workspace.endpointEntries().value.first {
            let loaded = workspace.load(endpointFile: entry)
            return (
                withoutPlaces(
                    loaded.value.map { "\($0.located.map(\.definition)) \(String(describing: $0.group))" } ?? "nothing"),
                loaded.diagnostics
            )
        }
        if let entry = workspace.environmentEntries().value.first {
            let loaded = workspace.load(environmentFile: entry)
            return (withoutPlaces(loaded.value.map { "\($0)" } ?? "nothing"), loaded.diagnostics)
        }
        if let entry = workspace.scenarioEntries().value.first {
            let loaded = workspace.load(scenarioFile: entry)
            return (withoutPlaces(loaded.value.map { "\($0.definition)" } ?? "nothing"), loaded.diagnostics)
        }
        if let entry = workspace.loadEntries().value.first {
            let loaded = workspace.load(loadFile: entry)
            return (withoutPlaces(loaded.value.map { "\($0.definition)" } ?? "nothing"), loaded.diagnostics)
        }
        let loaded = workspace.loadSettings()
        return (withoutPlaces("\(loaded.value)"), loaded.diagnostics)
    }

    private static func withoutPlaces(_ text: String) -> String {
        text.replacing(/Range\(\d+\.\.<\d+\)/, with: "")
    }
}
