package import ReqcliText

/// The record of an import, kept in `imports/NAME.json` for updates. The record contains the origin of each endpoint and a hash
/// of each part that is updated separately. No values are included.
package struct ImportRecord: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package let id: String
        /// The key that identifies the request in the source: its operationId, or its method and path.
        package let key: String
        package var units: UnitHashes
    }

    package var format: String
    package var sources: [String]
    /// The options of the import, as words of the command line.
    package var options: [String]
    package var entries: [Entry] = []
    /// The hashes of the defaults of groups, by the id of the group.
    package var groups: [String: UnitHashes] = [:]
    /// The hashes of the files for schemas and stubs, by path.
    package var files: [String: String] = [:]

    package init(format: String, sources: [String], options: [String]) {
        self.format = format
        self.sources = sources
        self.options = options
    }

    package static let folder = "imports"
    /// The version of the file format. The version is raised when reqcli can't read older files any more.
    private static let version = "1"

    package var json: OrderedJSON {
        func hashes(_ hashes: [String: String]) -> OrderedJSON {
            .object(hashes.sorted { $0.key < $1.key }.map { OrderedJSON.Member($0.key, .string($0.value)) })
        }
        return .object([
            "version": .number(Self.version), "format": .string(format),
            "sources": .array(sources.map { .string($0) }), "options": .array(options.map { .string($0) }),
            "endpoints": .object(
                entries.sorted { $0.id < $1.id }.map { entry in
                    OrderedJSON.Member(
                        entry.id, .object(["source": .string(entry.key), "units": hashes(entry.units.hashes)]))
                }),
            "groups": .object(
                groups.sorted { $0.key < $1.key }.map { OrderedJSON.Member($0.key, hashes($0.value.hashes)) }),
            "files": hashes(files),
        ])
    }

    /// Nil for a file that reqcli can't have written.
    package init?(_ root: JSONValue) {
        func texts(_ value: JSONValue?) -> [String] { value?.elements.compactMap(\.string) ?? [] }
        func hashes(_ value: JSONValue?) -> [String: String] {
            var hashes: [String: String] = [:]
            guard let value else { return hashes }
            for member in value.members { hashes[member.name] = member.value.string }
            return hashes
        }
        guard root["version"]?.text == Self.version, let format = root["format"]?.string else { return nil }
        self.init(format: format, sources: texts(root["sources"]), options: texts(root["options"]))
        if let endpoints = root["endpoints"] {
            for member in endpoints.members {
                entries.append(
                    Entry(
                        id: member.name, key: member.value["source"]?.string ?? "",
                        units: UnitHashes(hashes(member.value["units"]))))
            }
        }
        if let known = root["groups"] {
            for member in known.members { groups[member.name] = UnitHashes(hashes(member.value)) }
        }
        files = hashes(root["files"])
    }
}
