import ReqcliText
import RequestBuilding
import TestSupport
import Testing

@testable import ReqcliDefinitions

@Suite("The table of transfer settings")
struct TransferRowTests {
    private static let rows = TransferRow.transfer + TransferRow.connection

    /// Valid and invalid texts for each type of value.
    private static func samples(_ row: TransferRow) -> (valid: [String], invalid: [String]) {
        if !row.text.words.isEmpty { return (row.text.words, ["none", ""]) }
        return switch row.text.placeholder {
        case "BOOL": (["true", "false"], ["yes", ""])
        case "DURATION": (["250ms", "1.5s", "2s"], ["soon", "-1s"])
        case "N": (["0", "7"], ["-1", "101", "x", "1.5"])
        case "STATUS": (["429, 503", "any"], ["x", "429, x"])
        case "METHODS": (["GET, PUT"], [])
        default: ([], [])
        }
    }

    @Test("A setting's text is read as the value that it shows", arguments: rows.map(\.name))
    func texts(_ name: String) throws {
        let row = try #require(TransferRow.named(name))
        let samples = Self.samples(row)
        for text in samples.valid { #expect(try row.change([text]).value == text) }
        for text in samples.invalid { #expect(throws: SettingComplaint.self) { try row.change([text]) } }
    }

    @Test("A setting of files is read from the member that a saved endpoint has", arguments: rows.map(\.name))
    func members(_ name: String) throws {
        let row = try #require(TransferRow.named(name))
        for text in Self.samples(row).valid {
            guard let member = row.member(text) else { continue }
            let files = MemoryFiles([
                "endpoints/a.json": #"{"path": "/", "\#(member.name)": \#(member.value.compact)}"#
            ])
            let workspace = Workspace(root: "/work", currentFolder: "/work", files: files.fileSystem)
            let loaded = workspace.load(endpointFile: try #require(workspace.endpointEntries().value.first))
            #expect(loaded.diagnostics.isEmpty)
            let layer = loaded.value?.located.first?.definition.request.layer
            #expect(layer?.transferEntries.first { $0.name == name }?.value == text)
        }
    }

    @Test("Names and flags are unique")
    func names() {
        let flags = Self.rows.flatMap(\.flags).map(\.name)
        #expect(Set(flags).count == flags.count && Set(Self.rows.map(\.name)).count == Self.rows.count)
    }
}
