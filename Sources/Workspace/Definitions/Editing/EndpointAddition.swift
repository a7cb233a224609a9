package import ReqcliText

/// The new content of a file to which an endpoint was added. The file is not written yet.
package struct EndpointAddition: Sendable {
    /// The path relative to the workspace's root.
    package let path: String
    package let bytes: [UInt8]
    /// Whether the file exists already.
    package let isThere: Bool
}

extension Workspace {
    /// Adds an endpoint in the file or the folder where the workspace keeps the other endpoints of the group. If neither exists,
    /// the endpoint is added in a new file for the group. Every other byte of an existing file stays unchanged.
    package func addition(
        of id: String, _ definition: OrderedJSON, replacing mayReplace: Bool
    ) throws(EditProblem) -> EndpointAddition {
        let parts = id.split(separator: ".").map(String.init)
        let (group, name) = (parts.dropLast().joined(separator: "."), parts.last ?? id)
        let entries = entries(thatMayDefine: id).value
        if let own = entries.first(where: { $0.id == id }) {
            let (_, root) = try read(own)
            if root["endpoints"] != nil {
                throw EditProblem("\(shown(own.path)) is a group", hint: "name an endpoint in it, such as \(id).get")
            }
            guard mayReplace else { throw Self.taken(id, at: root.headPlace) }
            return newFile(own.path, definition, isThere: true)
        }
        if let file = entries.first(where: { $0.id == group }) {
            let (document, root) = try read(file)
            guard let endpoints = root["endpoints"], endpoints.kind == .object else {
                throw EditProblem(
                    "\(shown(file.path)) is the endpoint \(group), not a group", hint: "choose another id")
            }
            let isTaken = endpoints[name] != nil
            guard mayReplace || !isTaken else { throw Self.taken(id, at: endpoints.placeOfKey(name)) }
            let style = JSONStyle(of: document)
            let edits =
                isTaken
                ? endpoints.replacing(name, by: definition, style: style, spreading: 1)
                : endpoints.adding(name, definition, style: style, spreading: 1)
            return EndpointAddition(
                path: file.path, bytes: edits.applied(to: document.file.bytes), isThere: true)
        }
        let folder = (["endpoints"] + parts.dropLast()).joined(separator: "/")
        if files.kind(path(folder)) == .directory || group.isEmpty {
            return newFile("\(folder)/\(name).json", definition, isThere: false)
        }
        return newFile(
            "\(folder).json", .object(["endpoints": .object([OrderedJSON.Member(name, definition)])]), isThere: false)
    }

    /// Adds endpoints to the file of a group. If there is no such file, makes a file with these defaults. In an existing file,
    /// every other byte stays unchanged, including the defaults. If the file lacks some of these defaults, the missing defaults
    /// are written into the added endpoints.
    ///
    /// - Returns: The file, and a problem for each endpoint that already exists and may not be replaced.
    package func addition(
        of endpoints: [OrderedJSON.Member], to group: String, description: String? = nil,
        defaults: [OrderedJSON.Member],
        replacing mayReplace: Bool
    ) throws(EditProblem) -> (addition: EndpointAddition, taken: [EditProblem]) {
        let own = group + "."
        var others: [EditProblem] = []
        for id in endpoints.map({ own + $0.name }) {
            for entry in entries(thatMayDefine: id).value where entry.id == id {
                others.append(Self.taken(id, at: try read(entry).root.headPlace))
            }
        }
        guard let file = entries(thatMayDefine: own + "_").value.first(where: { $0.id == group }) else {
            var members = [OrderedJSON.Member("endpoints", .object(endpoints))]
            if !defaults.isEmpty { members.insert(OrderedJSON.Member("defaults", .object(defaults)), at: 0) }
            if let description { members.insert(OrderedJSON.Member("description", .string(description)), at: 0) }
            let path = (["endpoints"] + group.split(separator: ".").map(String.init)).joined(separator: "/") + ".json"
            return (newFile(path, .object(members), isThere: false), others)
        }
        let (document, root) = try read(file)
        guard let known = root["endpoints"], known.kind == .object else {
            throw EditProblem(
                "\(shown(file.path)) is the endpoint \(group), not a group", at: root.headPlace,
                hint: "choose another group with --into")
        }
        let inherited = root["defaults"].map { OrderedJSON($0) }
        let endpoints = endpoints.map { OrderedJSON.Member($0.name, $0.value.stating(defaults, beyond: inherited)) }
        let names = Dictionary(known.members.map { ($0.name, $0.key.place) }, uniquingKeysWith: { _, last in last })
        let taken =
            mayReplace
            ? []
            : endpoints.compactMap { endpoint in
                names[endpoint.name].map { Self.taken(own + endpoint.name, at: $0) }
            }
        let style = JSONStyle(of: document)
        let replaced = endpoints.filter { names[$0.name] != nil }.flatMap {
            known.replacing($0.name, by: $0.value, style: style, spreading: 1)
        }
        let added = endpoints.filter { names[$0.name] == nil }
        let edits = replaced + known.adding(added, style: style, spreading: 1)
        let bytes = edits.sorted { $0.range.lowerBound < $1.range.lowerBound }.applied(to: document.file.bytes)
        return (EndpointAddition(path: file.path, bytes: bytes, isThere: true), others + taken)
    }

    private static func taken(_ id: String, at place: Place) -> EditProblem {
        EditProblem(
            "\(id) already exists", at: place,
            hint: "pass --force to replace it (your edits in it are lost), or choose another id")
    }

    func read(_ entry: Entry) throws(EditProblem) -> (JSONDocument, root: JSONValue) {
        let name = shown(entry.path)
        do throws(FileProblem) {
            let bytes = try files.read(path(entry.path), Self.largestFile)
            let document = JSONDocument.read(SourceFile(name: name, bytes: bytes), syntax: entry.syntax)
            if let root = document.validRoot, root.kind == .object { return (document, root) }
        } catch {
            throw EditProblem("cannot read \(name): \(error.reason)")
        }
        throw EditProblem("\(name) is not a file of endpoints", hint: "run \"reqcli validate\"")
    }

    /// A file for an endpoint, a group or an environment, formatted as if written by hand. The file gets a `$schema` if the
    /// workspace contains the schema.
    func newFile(_ path: String, _ content: OrderedJSON, isThere: Bool) -> EndpointAddition {
        var members: [OrderedJSON.Member] = []
        let kind = path.hasPrefix("environments/") ? "environment" : "endpoint"
        let schema = "schema/\(kind).schema.json"
        if files.kind(self.path(schema)) == .file {
            let steps = String(repeating: "../", count: path.split(separator: "/").count - 1)
            members.append(OrderedJSON.Member("$schema", .string(steps + schema)))
        }
        if case .object(let others) = content { members += others }
        var style = JSONStyle()
        style.keepsObjectsShort = true
        let isGroup = members.contains { $0.name == "endpoints" }
        let text = style.text(of: .object(members), outer: "", column: 0, spreading: isGroup ? 3 : 1)
        return EndpointAddition(path: path, bytes: Array((text + "\n").utf8), isThere: isThere)
    }
}

extension OrderedJSON {
    /// The endpoint with these defaults added to it, except the defaults that its group already has.
    fileprivate func stating(_ defaults: [Member], beyond inherited: OrderedJSON?) -> OrderedJSON {
        guard case .object(var members) = self else { return self }
        for value in defaults where inherited?[value.name] != value.value {
            if let index = members.firstIndex(where: { $0.name == value.name }) {
                // Headers and query items are merged. If a name is in the defaults and in the endpoint, the endpoint's own value
                // wins.
                guard case .object(let own) = members[index].value, case .object(let others) = value.value else {
                    continue
                }
                let known = Set(own.map { $0.name.lowercased() })
                let missing = others.filter { !known.contains($0.name.lowercased()) }
                members[index] = Member(value.name, .object(missing + own))
            } else {
                let rank = Self.rank(value.name)
                members.insert(value, at: members.firstIndex { Self.rank($0.name) > rank } ?? members.count)
            }
        }
        return .object(members)
    }

    private subscript(name: String) -> OrderedJSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The usual position of a key in an endpoint.
    private static func rank(_ key: String) -> Int {
        let order = ["description", "tags", "method", "baseURL", "path", "params", "query", "headers", "auth"]
        let last = ["body", "needs", "capture", "expect", "stubs"]
        return order.firstIndex(of: key) ?? (last.firstIndex(of: key).map { $0 + 100 } ?? order.count)
    }
}
