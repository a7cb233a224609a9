import Foundation
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

@testable import Importing

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

    @Test("files with different bytes have different hashes, also where their bytes are no text")
    func hashesOfBytes() {
        let files: [[UInt8]] = [[], [0x61], [0xFF], [0xFE], [0x61, 0xFF], [0x61, 0xC3], [0xEF, 0xBF, 0xBD]]
        let hashes = files.map { bytes in
            var imported = Passes.run([], target: ImportTarget())
            imported.files = [ImportedFile(path: "a", bytes: bytes)]
            return imported.record(like: ImportRecord(format: "x", sources: [], options: []), Self.hash).files["a"]
        }
        #expect(Set(hashes).count == files.count)
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
        return try ImportUpdate(
            imported(source, ids: ids), record, in: workspace, takesNewServers: false, hash: Self.hash)
    }

    @Test(
        "a first variant that is new becomes the default, unless the file's first one is the user's own",
        arguments: [
            (["422"], ["422"], ["standard", "422"], "standard"), (["422"], ["422"], ["422", "standard"], nil),
            (["422"], ["mine", "422"], ["standard", "422"], nil), ([], [], ["standard", "422"], nil),
            (["a"], ["a"], ["a", "b"], nil),
        ] as [([String], [String], [String], String?)])
    func defaultVariant(_ base: [String], _ file: [String], _ source: [String], _ expected: String?) {
        func units(_ names: [String]) -> ImportUnits {
            let variants = OrderedJSON.object(names.map { OrderedJSON.Member($0, .object(["text": .string($0)])) })
            return ImportUnits(names.isEmpty ? .object([]) : .object(["stubs": .object(["variants": variants])]))
        }
        let merge = UnitMerge(
            UnitHashes(units(base), Self.hash), file: units(file), source: units(source), keepsServer: false, Self.hash)
        #expect(merge.merged[["stubs", "default"]] == expected.map { .string($0) })
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

    // MARK: By chance

    private static let rounds = RandomInputs.count(400)

    @Test("Whatever both sides change, no edit is lost, and a second update writes nothing")
    func randomEdits() throws {
        var random = SeededGenerator(seed: 22)
        let path = "/work/endpoints/shop/users.json"
        for round in 0..<Self.rounds {
            let tests = UpdateTests()
            var source = Self.start
            if Bool.random(using: &random) { source["create"]?["Accept"] = "text/plain" }
            let record = try tests.firstRecord(source)
            let imported = try tests.units(of: path)
            for _ in 0..<Int.random(in: 0...3, using: &random) { try tests.editByChance(path, &random) }
            let own = try tests.units(of: path)
            for _ in 0..<Int.random(in: 0...3, using: &random) { Self.change(&source, round, &random) }

            let update = try tests.update(source, record)
            try tests.write(update.files)
            let result = try tests.units(of: path)
            for unit in Set(own.keys).union(imported.keys) where own[unit] != imported[unit] {
                #expect(result[unit] == own[unit], "round \(round): the edit of \(unit) is lost")
            }
            let again = try tests.update(source, update.record)
            #expect(again.files.isEmpty && again.conflictCount == 0, "round \(round): \(again.files.map(\.path))")
            // What nobody has edited is as if it had been imported now.
            if own == imported {
                let ids = Dictionary(record.entries.map { ($0.key, $0.id) }, uniquingKeysWith: { first, _ in first })
                let group = try #require(tests.imported(source, ids: ids).groups.first)
                let wanted = OrderedJSON.object([
                    "defaults": .object(group.defaults), "endpoints": .object(group.endpoints),
                ])
                #expect(result == wanted.units, "round \(round)")
            }
        }
    }

    private func units(of path: String) throws -> [String: String] {
        let text = try #require(files.texts[path])
        return OrderedJSON(try #require(JSONDocument.read(SourceFile(name: "a", text: text)).root)).units
    }

    /// An edit of the user: a unit that is changed, added or removed, or an endpoint.
    private func editByChance(_ path: String, _ random: inout SeededGenerator) throws {
        let text = try #require(files.texts[path])
        let root = OrderedJSON(try #require(JSONDocument.read(SourceFile(name: "a", text: text)).root))
        let names = root.member("endpoints")?.objectMembers?.map(\.name) ?? []
        guard let name = names.randomElement(using: &random) else { return }
        let value = OrderedJSON.string("edit \(Int.random(in: 0...9, using: &random))")
        let edits: [(path: [String], value: OrderedJSON?)] = [
            (["endpoints", name, "description"], value), (["endpoints", name, "description"], nil),
            (["endpoints", name, "headers", "Accept"], value), (["endpoints", name, "headers", "X-Own"], value),
            (["endpoints", name, "query", "page"], nil), (["endpoints", name, "query", "page"], value),
            (["endpoints", name], nil), (["endpoints", "own"], .object(["path": "/own"])),
            (["defaults", "headers", "Accept"], value), (["defaults"], nil), (["defaults", "timeout"], "5s"),
        ]
        guard let edit = edits.randomElement(using: &random) else { return }
        let edited = root.setting(edit.path[...], edit.value) ?? root
        try files.write(.text(edited.pretty), at: path)
    }

    private static func change(_ source: inout Source, _ round: Int, _ random: inout SeededGenerator) {
        guard let name = source.keys.sorted().randomElement(using: &random) else { return }
        switch Int.random(in: 0...6, using: &random) {
        case 0 where source.count > 1: source[name] = nil
        case 1: source[name]?["description"] = .string("new \(round)")
        case 2: source[name]?["Accept"] = nil
        case 3: source[name]?["Accept"] = "text/html"
        case 4: source[name]?["page"] = 9
        case 5: for name in source.keys { source[name]?["Accept"] = "a/b" }
        default: source["other\(Int.random(in: 0...2, using: &random))"] = ["page": 4]
        }
    }

    // MARK: A file of its own

    @Test("An endpoint in a file of its own follows the source, and keeps the user's edits")
    func single() throws {
        func imported(_ description: String, page: OrderedJSON) -> ImportedWorkspace {
            var target = ImportTarget()
            target.id = "list"
            var request = Passes.request("GET", "http://h/users")
            request.description = description
            request.query = .items([OrderedJSON.Member("page", page)])
            return Passes.run([request], target: target)
        }
        let first = imported("all", page: 1)
        try write(ImportMerge(first, into: workspace, replacing: false).files)
        let record = first.record(like: ImportRecord(format: "x", sources: ["a"], options: []), Self.hash)
        #expect(record.entries.map(\.id) == ["list"])
        let path = "/work/endpoints/list.json"
        try files.write(.text(try #require(files.texts[path]).replacing(#""all""#, with: #""mine""#)), at: path)

        let update = try ImportUpdate(
            imported("new", page: 2), record, in: workspace, takesNewServers: false, hash: Self.hash)
        try write(update.files)
        let text = try #require(files.texts[path])
        #expect(text.contains("mine") && text.contains(#""page": 2"#))
        #expect(update.notes.map(\.detail) == ["list: description"])
        let again = try ImportUpdate(
            imported("new", page: 2), update.record, in: workspace, takesNewServers: false, hash: Self.hash)
        #expect(again.files.isEmpty && again.conflictCount == 0)
        // What the user has removed stays removed.
        files.remove(path)
        let removed = try ImportUpdate(
            imported("newer", page: 3), record, in: workspace, takesNewServers: false, hash: Self.hash)
        #expect(!removed.files.contains { $0.path.hasPrefix("endpoints/") })
    }
}

extension OrderedJSON {
    fileprivate func member(_ name: String) -> OrderedJSON? { objectMembers?.first { $0.name == name }?.value }

    /// The parts of a group's file that updates treat by themselves, by their paths.
    fileprivate var units: [String: String] {
        var units: [String: String] = [:]
        var scopes = [("defaults", member("defaults") ?? .object([]))]
        for endpoint in member("endpoints")?.objectMembers ?? [] { scopes.append((endpoint.name, endpoint.value)) }
        for (scope, value) in scopes {
            for member in value.objectMembers ?? [] {
                if ["headers", "query"].contains(member.name), case .object(let inner) = member.value {
                    for item in inner { units["\(scope)/\(member.name)/\(item.name)"] = item.value.compact }
                } else {
                    units["\(scope)/\(member.name)"] = member.value.compact
                }
            }
        }
        return units
    }

    /// The value with a member set, or removed with objects that are empty then.
    fileprivate func setting(_ path: ArraySlice<String>, _ value: OrderedJSON?) -> OrderedJSON? {
        guard let name = path.first else { return value }
        guard case .object(var members) = self else { return self }
        let index = members.firstIndex { $0.name == name }
        let old = index.map { members[$0].value } ?? .object([])
        let new = index == nil && value == nil ? nil : old.setting(path.dropFirst(), value)
        if let index, let new {
            members[index] = Member(name, new)
        } else if let index {
            members.remove(at: index)
        } else if let new {
            members.append(Member(name, new))
        }
        return .object(members)
    }
}
