import Definitions
import Importing
import SourceText
import TestSupport
import Testing

@Suite("Updating an import")
struct UpdateTests {
    /// The source as a list of endpoints, each with some units.
    typealias Source = [String: [String: OrderedJSON]]

    static let start: Source = [
        "list": ["description": "all", "page": 1, "Accept": "text/plain"],
        "get": ["description": "one", "page": 2, "Accept": "text/plain"],
        "create": ["description": "new", "page": 3],
    ]

    private let files = MemoryFiles(root: "/work", ["environments/development.json": #"{ "baseURL": "http://h" }"#])

    private var workspace: Workspace {
        Workspace(root: "/work", currentFolder: "/work", files: files.fileSystem)
    }

    private func imported(_ source: Source, ids: [String: String]? = nil) -> ImportedWorkspace {
        var target = ImportTarget()
        target.group = "shop"
        var existing = ExistingEnvironment()
        existing.baseURL = "http://h"
        target.existing = existing
        target.earlierIDs = ids
        let requests = source.sorted { $0.key < $1.key }.map { name, units in
            var request = Passes.request("GET", "http://h/users/\(name)")
            request.key = name
            for (unit, value) in units.sorted(by: { $0.key < $1.key }) {
                switch unit {
                case "description": if case .string(let text) = value { request.description = text }
                case "page": request.query = .items([OrderedJSON.Member("page", value)])
                default: request.headers.append(OrderedJSON.Member(unit, value))
                }
            }
            return request
        }
        return Passes.run(requests, target: target)
    }

    private static func hash(_ value: OrderedJSON) -> String { String(StableHash.of(value.compact), radix: 16) }

    private func write(_ set: [ImportMerge.File]) throws {
        for file in set { try files.write(.bytes(file.after), at: "/work/\(file.path)") }
    }

    /// Imports for the first time.
    private func firstRecord(_ source: Source) throws -> ImportRecord {
        let imported = imported(source)
        let merge = try ImportMerge(imported, into: workspace, replacing: false)
        try write(merge.files)
        return imported.record(like: ImportRecord(format: "x", sources: ["a"], options: []), Self.hash)
    }

    private func update(_ source: Source, _ record: ImportRecord) throws -> ImportUpdate {
        let ids = Dictionary(record.entries.map { ($0.key, $0.id) }, uniquingKeysWith: { first, _ in first })
        return try ImportUpdate(imported(source, ids: ids), record, in: workspace, hash: Self.hash)
    }

    @Test("An update without a change writes nothing")
    func unchanged() throws {
        let record = try firstRecord(Self.start)
        let update = try update(Self.start, record)
        #expect(update.files.isEmpty && update.record == record && update.conflictCount == 0)
        #expect(ImportRecord(try #require(JSONDocument.writing(record.json, name: "r").root)) == record)
    }

    @Test("What is as imported follows the source, edits stay, and only a unit that both change is a conflict")
    func threeWay() throws {
        let record = try firstRecord(Self.start)
        let path = "/work/endpoints/shop/users.json"
        let edited = try #require(files.texts[path]).replacing(#""all""#, with: #""everybody""#)
            .replacing(#""page": 2"#, with: #""page": 20"#)
        try files.write(.text(edited), at: path)
        var source = Self.start
        source["list"]?["description"] = "all of them"
        source["list"]?["page"] = 9
        source["create"] = nil
        source["remove"] = ["description": "gone"]
        let update = try update(source, record)
        try write(update.files)
        #expect(update.conflictCount == 1)
        #expect(update.notes.map(\.detail) == ["shop.users.list: description"])
        let text = try #require(files.texts[path])
        #expect(text.contains("everybody") && text.contains(#""page": 9"#) && text.contains(#""page": 20"#))
        #expect(!text.contains("create") && text.contains("remove"))
        // A conflict is reported once.
        let again = try self.update(source, update.record)
        #expect(again.files.isEmpty && again.conflictCount == 0)
    }

    @Test("Whatever both sides change, no edit is lost, and a second update writes nothing")
    func randomEdits() throws {
        var random = SeededGenerator(seed: 22)
        for round in 0..<300 {
            let files = UpdateTests()
            var source = Self.start
            let record = try files.firstRecord(source)
            let path = "/work/endpoints/shop/users.json"
            let root = try #require(JSONDocument.read(SourceFile(name: "a", text: files.files.texts[path] ?? "")).root)
            // The user's edits: descriptions and pages of some endpoints.
            var own = OrderedJSON(root)
            var marks: [String] = []
            for name in ["list", "get", "create"] where Bool.random(using: &random) {
                let mark = "edit-\(round)-\(name)"
                marks.append(mark)
                own = own.setting(
                    ["endpoints", name, Bool.random(using: &random) ? "description" : "x-note"], .string(mark))
            }
            try files.files.write(.text(own.pretty), at: path)
            for name in source.keys.sorted() where Bool.random(using: &random) {
                switch Int.random(in: 0...3, using: &random) {
                case 0: source[name] = nil
                case 1: source[name]?["description"] = .string("new \(round)")
                case 2: source[name]?["Accept"] = nil
                default: source["other\(round)"] = ["page": 4]
                }
            }
            let update = try files.update(source, record)
            try files.write(update.files)
            let text = files.files.texts[path] ?? ""
            for mark in marks { #expect(text.contains(mark), "round \(round): \(mark) is lost") }
            let again = try files.update(source, update.record)
            #expect(again.files.isEmpty && again.conflictCount == 0, "round \(round): \(again.files.map(\.path))")
        }
    }
}

extension OrderedJSON {
    fileprivate func setting(_ path: ArraySlice<String>, _ value: OrderedJSON) -> OrderedJSON {
        guard let name = path.first else { return value }
        guard case .object(var members) = self else { return self }
        if let index = members.firstIndex(where: { $0.name == name }) {
            members[index] = Member(name, members[index].value.setting(path.dropFirst(), value))
        } else {
            members.append(Member(name, OrderedJSON.object([]).setting(path.dropFirst(), value)))
        }
        return .object(members)
    }
}
