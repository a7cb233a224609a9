package import ReqcliDefinitions
package import ReqcliText

/// Updates a workspace from a newer source. Parts that the user hasn't changed since the import follow the source; the user's
/// edits are kept.
package struct ImportUpdate {
    package private(set) var files: [ImportMerge.File] = []
    package private(set) var notes: [ConversionNote] = []
    /// The number of parts that the user and the source have changed differently.
    package private(set) var conflictCount = 0
    /// The endpoints that are new, removed or changed. An endpoint isn't included if only the defaults of its group have changed.
    package private(set) var changedIDs: [String] = []
    /// The record with which the next update compares.
    package private(set) var record: ImportRecord

    private let imported: ImportedWorkspace
    private let old: ImportRecord
    private let workspace: Workspace
    private let hash: (OrderedJSON) -> String
    private let search: CredentialSearch

    /// Compares a newer import with the workspace.
    ///
    /// - Parameters:
    ///   - takesNewServers: Whether requests may go to servers that no file names yet.
    ///   - hash: Hashes a value. The hash must not depend on the order of members.
    package init(
        _ imported: ImportedWorkspace, _ record: ImportRecord, in workspace: Workspace, takesNewServers: Bool,
        hash: @escaping (OrderedJSON) -> String
    ) throws(ImportProblem) {
        self.imported = imported
        old = record
        self.record = imported.record(like: record, hash)
        // Members that earlier imports added to an environment stay in the record.
        for (key, added) in old.groups where key.hasPrefix(ImportedWorkspace.environmentKey("")) {
            self.record.groups[key, default: UnitHashes()].hashes.merge(added.hashes) { new, _ in new }
        }
        self.workspace = workspace
        self.hash = hash
        search = CredentialSearch(secretVariables: imported.secretVariables)
        do throws(EditProblem) {
            try updateFiles()
            for environment in imported.environments { try update(environment) }
            try updateGroups()
            for single in imported.singles { try update(single.id, single.definition) }
            if !takesNewServers { try refuseNewServers() }
        } catch {
            throw ImportProblem(error.reason, at: error.place, hint: error.hint)
        }
    }

    /// Refuses the update if a request would go to a server that no file has named before. Requests may have credentials that the
    /// user has added anywhere in the workspace, and the newer source may come from another author.
    private func refuseNewServers() throws(EditProblem) {
        let paths =
            workspace.endpointEntries().value.map(\.path) + workspace.environmentEntries().value.map(\.path)
        var contents: [String: [UInt8]] = [:]
        for path in paths { contents[path] = try? workspace.files.read(workspace.path(path), Workspace.largestFile) }
        func texts() -> Set<String> {
            ServerTexts(
                contents.compactMap { path, bytes in
                    JSONDocument.read(
                        SourceFile(name: path, bytes: bytes), syntax: path.hasSuffix(".jsonc") ? .commented : .strict
                    ).root.map { OrderedJSON($0) }
                }
            ).all
        }
        let known = texts()
        for file in files where file.path.hasPrefix("endpoints/") || file.path.hasPrefix("environments/") {
            contents[file.path] = file.after
        }
        guard let new = texts().subtracting(known).min() else { return }
        throw EditProblem(
            "the source names a server that no file has named before: \(new)",
            hint: "check the server, and pass --new-servers to accept it")
    }

    private mutating func append(_ path: String, _ before: [UInt8]?, _ after: [UInt8]) {
        if before != after { files.append(ImportMerge.File(path: path, before: before, after: after)) }
    }

    private static let foreignGroup =
        "the source has a new group with the name of one of yours; its endpoints are left out"
    private static let bothChanged = "changed in your file and in the source; your version is kept"

    private mutating func conflict(_ subject: String, at place: Place?, _ message: String = bothChanged) {
        conflictCount += 1
        notes.append(ConversionNote(.toDo, message, subject, at: place))
    }

    /// Removes an endpoint from the record, because it isn't written.
    private mutating func leaveOut(_ id: String) { record.entries.removeAll { $0.id == id } }

    // MARK: Files

    private mutating func updateFiles() throws(EditProblem) {
        for file in imported.files {
            let before = try? workspace.files.read(workspace.path(file.path), Workspace.largestFile)
            let (base, own) = (old.files[file.path], before.map { hash(.bytes($0)) })
            let new = hash(.bytes(file.bytes))
            if new == base || new == own { continue }
            if own == base {
                append(file.path, before, file.bytes)
            } else {
                conflict(file.path, at: nil)
            }
        }
    }

    // MARK: Environments

    /// Adds members that the environment lacks, except members that an earlier import has added and the user has removed.
    private mutating func update(_ environment: ImportedWorkspace.WrittenEnvironment) throws(EditProblem) {
        let known = old.groups[ImportedWorkspace.environmentKey(environment.name)]?.hashes ?? [:]
        let members = environment.members.compactMap { member -> OrderedJSON.Member? in
            guard case .object(let inner) = member.value, ["variables", "secrets", "headers"].contains(member.name)
            else {
                return known[member.name] == nil ? member : nil
            }
            let new = inner.filter { known[UnitHashes.key([member.name, $0.name])] == nil }
            return new.isEmpty ? nil : OrderedJSON.Member(member.name, .object(new))
        }
        if members.isEmpty { return }
        let addition = try workspace.addition(of: members, toEnvironment: environment.name)
        let before =
            addition.isThere ? try? workspace.files.read(workspace.path(addition.path), Workspace.largestFile) : nil
        append(addition.path, before, addition.bytes)
    }

    // MARK: Groups

    private mutating func updateGroups() throws(EditProblem) {
        var groups = imported.groups
        // Adds groups that no longer have any endpoint in the source.
        let others = Set(old.entries.map { $0.id.group }).subtracting(groups.map(\.id) + [""])
        groups += others.sorted().map { ImportedGroup(id: $0, endpoints: [], places: []) }
        for group in groups {
            guard let known = try workspace.group(group.id) else {
                // The group is new, or the user has removed the file of the group with all its endpoints.
                let removed = Set(old.entries.map(\.id))
                let new = group.endpoints.filter { !removed.contains("\(group.id).\($0.name)") }
                if new.isEmpty { continue }
                let addition = try workspace.addition(
                    of: new, to: group.id, description: group.description, defaults: group.defaults, replacing: false
                ).addition
                changedIDs += new.map { "\(group.id).\($0.name)" }
                append(addition.path, nil, addition.bytes)
                continue
            }
            if old.groups[group.id] == nil, !old.entries.contains(where: { $0.id.group == group.id }) {
                // Keeps a group of the user's own unchanged, because the source's defaults would apply to its endpoints. The
                // group isn't recorded, so that the next update doesn't take it for an imported one.
                conflict("group \(group.id)", at: known.root.headPlace, Self.foreignGroup)
                record.groups[group.id] = nil
                for endpoint in group.endpoints { leaveOut("\(group.id).\(endpoint.name)") }
                continue
            }
            let target = try update(group, in: known)
            let edits = known.root.edits(to: target, style: JSONStyle(of: known.document))
            append(known.path, known.document.file.bytes, edits.applied(to: known.document.file.bytes))
        }
    }

    /// Updates an endpoint in a separate file. An endpoint that the user has removed stays removed.
    private mutating func update(_ id: String, _ new: OrderedJSON) throws(EditProblem) {
        let entry = old.entries.first { $0.id == id }
        guard let file = try workspace.file(ofEndpoint: id) else {
            if entry != nil { return }
            let addition = try workspace.addition(of: id, new, replacing: false)
            changedIDs.append(id)
            return append(addition.path, nil, addition.bytes)
        }
        guard let entry else {
            leaveOut(id)
            return conflict(id, at: file.root.headPlace)
        }
        let keepsServer = hasOwnCredential(entry.units, file.root)
        let target = merge(entry.units, file.root, new, id, at: file.root.headPlace, keepsServer).merged.definition
        if target != OrderedJSON(file.root) { changedIDs.append(id) }
        let edits = file.root.edits(to: target, style: JSONStyle(of: file.document))
        append(file.path, file.document.file.bytes, edits.applied(to: file.document.file.bytes))
    }

    private mutating func update(_ group: ImportedGroup, in known: GroupFile) throws(EditProblem) -> OrderedJSON {
        let root = known.root
        var members = OrderedJSON(root).objectMembers ?? []
        let entries = Dictionary(old.entries.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let merged = merge(
            old.groups[group.id] ?? UnitHashes(), root["defaults"], .object(group.defaults), "defaults of \(group.id)",
            at: root["defaults"]?.place ?? root.place, hasOwnCredential(group, in: root, entries))
        let defaults = merged.merged.definition
        members.replace("defaults", by: defaults.objectMembers?.isEmpty == true ? nil : defaults, before: "endpoints")
        let source = Dictionary(
            group.endpoints.map { ("\(group.id).\($0.name)", $0.value) }, uniquingKeysWith: { first, _ in first })
        var endpoints: [OrderedJSON.Member] = []
        var present: Set<String> = []
        for member in root["endpoints"].map({ Array($0.members) }) ?? [] {
            let id = "\(group.id).\(member.name)"
            present.insert(id)
            let own = OrderedJSON(member.value)
            guard let entry = entries[id] else {
                if source[id] != nil {
                    leaveOut(id)
                    conflict(id, at: member.key.place)
                }
                endpoints.append(OrderedJSON.Member(member.name, own))
                continue
            }
            guard let new = source[id] else {
                if keeps(entry, own, at: member.key.place) {
                    endpoints.append(OrderedJSON.Member(member.name, own))
                } else {
                    changedIDs.append(id)
                }
                continue
            }
            let endpoint = merge(
                entry.units, member.value, new, id, at: member.key.place, merged.isServerKept
            ).merged.definition
            if endpoint != own { changedIDs.append(id) }
            endpoints.append(OrderedJSON.Member(member.name, endpoint))
        }
        let existing = ExistingDefaults(known, imported)
        for endpoint in group.endpoints {
            let id = "\(group.id).\(endpoint.name)"
            // An endpoint that the user has removed stays removed.
            if !present.contains(id), entries[id] == nil {
                if merged.hasOldServer {
                    conflict(
                        id, at: root.headPlace, "a new endpoint is left out, since the old server of its group is kept")
                    leaveOut(id)
                    continue
                }
                let covered = try existing?.coveringOwnServer(of: endpoint.value) ?? endpoint.value
                endpoints.append(OrderedJSON.Member(endpoint.name, covered))
                changedIDs.append(id)
            }
        }
        members.replace("endpoints", by: .object(endpoints), before: nil)
        return .object(members)
    }

    /// Whether the user has written a credential into the file of the group. If so, the source must not choose another server for
    /// the group, since endpoints get the credentials and the server of the defaults.
    private func hasOwnCredential(
        _ group: ImportedGroup, in root: JSONValue, _ entries: [String: ImportRecord.Entry]
    ) -> Bool {
        hasOwnCredential(old.groups[group.id], root["defaults"])
            || root["endpoints"]?.members.contains { member in
                hasOwnCredential(entries["\(group.id).\(member.name)"]?.units, member.value)
            } ?? false
    }

    private func hasOwnCredential(_ base: UnitHashes?, _ own: JSONValue?) -> Bool {
        search.hasOwn(
            base ?? UnitHashes(), file: ImportUnits(own.map { OrderedJSON($0) } ?? .object([])), hash)
    }

    /// Merges the newer source into a definition, and reports conflicts.
    ///
    /// - Parameter keepsServer: Whether the source must not change where requests go.
    private mutating func merge(
        _ base: UnitHashes, _ own: JSONValue?, _ new: OrderedJSON, _ subject: String, at place: Place,
        _ keepsServer: Bool
    ) -> UnitMerge {
        let units = ImportUnits(own.map { OrderedJSON($0) } ?? .object([]))
        let merge = UnitMerge(base, file: units, source: ImportUnits(new), keepsServer: keepsServer, hash)
        let kept = "the source has a new server; your credentials would be sent to it, so the old server is kept"
        let reports = merge.conflicts.map { ($0, Self.bothChanged) } + merge.keptServers.map { ($0, kept) }
        for (path, message) in reports {
            conflict("\(subject): \(path.joined(separator: "."))", at: own?.place(ofUnit: path) ?? place, message)
        }
        return merge
    }

    /// Whether an endpoint is kept although it is no longer in the source.
    private mutating func keeps(_ entry: ImportRecord.Entry, _ own: OrderedJSON, at place: Place) -> Bool {
        let isEdited = UnitHashes(ImportUnits(own), hash) != entry.units
        let isNeeded =
            imported.groups.contains { group in
                group.endpoints.contains { $0.value.object("needs")?.contains { $0.value.mentions(entry.id) } == true }
            } || workspace.mentions(entry.id)
        if isEdited || isNeeded {
            notes.append(
                ConversionNote(
                    .toDo,
                    isEdited
                        ? "the endpoint is gone from the source, but is kept because you have edited it"
                        : "the endpoint is gone from the source, but is kept because the workspace still uses it",
                    entry.id, at: place))
        }
        return isEdited || isNeeded
    }
}

extension ExistingEnvironment {
    /// The environment without the members that an earlier import has added, so that the next import writes its files in the same
    /// way as the earlier import.
    package func without(_ record: ImportRecord, environment: String) -> ExistingEnvironment {
        var rest = self
        // The user may have moved a secret to an environment that the environment of the import extends.
        rest.importedSecrets = Set(secrets.keys.filter(record.wroteSecret))
        guard let added = record.groups[ImportedWorkspace.environmentKey(environment)]?.hashes else { return rest }
        if added["baseURL"] != nil { rest.baseURL = nil }
        if added["auth"] != nil { rest.hasAuth = false }
        // A variable that the source has written isn't the user's choice of a server.
        rest.variables = rest.variables.filter { added[UnitHashes.key(["variables", $0])] == nil }
        rest.chosenVariables.formIntersection(rest.variables)
        if added["redirects"] != nil { rest.keepsRedirects = false }
        rest.credentialHeaders.removeAll { added[UnitHashes.key(["headers", $0])] != nil }
        return rest
    }
}

extension JSONValue {
    /// The place of the key of a unit. If the unit is missing, the place of the nearest object that would contain the unit; nil
    /// if there is no such object.
    fileprivate func place(ofUnit path: ImportUnits.Path) -> Place? {
        var value = self
        var place: Place?
        for name in path {
            guard let member = value.members.first(where: { $0.name == name }) else { break }
            (value, place) = (member.value, member.key.place)
        }
        return place
    }
}

extension OrderedJSON {
    fileprivate func mentions(_ id: String) -> Bool {
        switch self {
        case .string(let text): text == id
        case .object(let members): members.contains { $0.value.mentions(id) }
        case .array(let elements): elements.contains { $0.mentions(id) }
        case .null, .bool, .number: false
        }
    }
}

extension [OrderedJSON.Member] {
    fileprivate mutating func replace(_ name: String, by value: OrderedJSON?, before other: String?) {
        let index = firstIndex { $0.name == name }
        guard let value else { return removeAll { $0.name == name } }
        if let index {
            self[index] = OrderedJSON.Member(name, value)
        } else {
            insert(OrderedJSON.Member(name, value), at: firstIndex { $0.name == other } ?? endIndex)
        }
    }
}

extension String {
    /// The group of an endpoint's id.
    fileprivate var group: String { split(separator: ".").dropLast().joined(separator: ".") }
}
