import JSONRPC
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// Another name for something, in all files that name it, and of the files that have it as their name. A name that `validate` would refuse
/// is refused.
struct Rename {
    private struct Move {
        let old: String
        let new: String
    }

    private let document: AskedDocument
    private let symbol: Symbol
    private let range: Range<Int>
    private let name: String

    init(_ document: AskedDocument, at offset: Int) throws(RPCError) {
        self.document = document
        if let (symbol, range, key) = document.keyOfGroup(at: offset) {
            (self.symbol, self.range, name) = (symbol, range, key)
            return
        }
        guard let occurrence = document.occurrence(at: offset), let name = occurrence.symbol.writtenName,
            occurrence.isName
        else {
            throw RPCError(
                RPCError.requestFailed,
                "nothing here can be renamed; expected an endpoint, environment, param, variable, secret, capture, "
                    + "alias, step or variant")
        }
        (symbol, range, self.name) = (occurrence.symbol, occurrence.place.range, name)
    }

    /// The range of the name, and the name.
    var preparation: OrderedJSON {
        .object(["range": document.positions.json(range), "placeholder": .string(name)])
    }

    func edit(to newName: String) throws(RPCError) -> OrderedJSON {
        if newName == name { return .object(["changes": .object([OrderedJSON.Member]())]) }
        let all = document.workspace.occurrences
        let target = try target(of: newName)
        let taken = all.contains { $0.isDefinition && symbol.isTaken(by: $0.symbol, named: target.name) }
        if taken { throw refused("the name \"\(target.name)\" is taken") }
        if case .parameter(_, let owner) = symbol,
            document.workspace.reading.endpoint(owner)?.body(in: nil)?.isGraphQL == true
        {
            throw refused("a GraphQL operation may use the param as its variable")
        }
        let places = all.filter { $0.symbol == symbol && $0.isName }.map(\.place)
        if let other = places.first(where: { $0.file.text($0.range) != symbol.writtenName }) {
            throw refused("\(other.description) names it in another way")
        }
        let written = places.map { (place: $0, text: target.name) } + target.key
        let files = Dictionary(grouping: written, by: \.place.file.name)
        let moves = target.moves.sorted { $0.old < $1.old }
        if !moves.isEmpty, !document.client.renamesFiles { throw refused("this editor can't rename its file") }
        try verify(files, moves)
        let changes = files.sorted { $0.key < $1.key }.map { file, edits in
            (
                document.places.uri(file),
                OrderedJSON.array(
                    edits.map { .object(["range": document.places.range($0.place), "newText": .string($0.text)]) })
            )
        }
        if moves.isEmpty {
            return .object(["changes": .object(changes.map { OrderedJSON.Member($0.0, $0.1) })])
        }
        let edits = changes.map { uri, edits in
            OrderedJSON.object(["textDocument": .object(["uri": .string(uri), "version": .null]), "edits": edits])
        }
        let renames = moves.map { move in
            OrderedJSON.object([
                "kind": "rename", "oldUri": .string(document.places.uri(move.old)),
                "newUri": .string(document.places.uri(move.new)),
            ])
        }
        return .object(["documentChanges": .array(edits + renames)])
    }

    private func refused(_ reason: String) -> RPCError { RPCError(RPCError.requestFailed, reason) }

    // MARK: Names of files

    /// The new name as files write it, the key of a group with that name, and the files that get another name.
    private func target(
        of newName: String
    ) throws(RPCError) -> (name: String, key: [(place: Place, text: String)], moves: [Move]) {
        switch symbol {
        case .environment:
            guard Name.isValid(newName) else { throw refused("\"\(newName)\" can't be a name") }
            let old = document.workspace.occurrences.first { $0.symbol == symbol && $0.isDefinition }?.place.file.name
            guard let old else { throw refused("there is no environment \"\(name)\"") }
            return (newName, [], [Move(old: old, new: renamed(old, to: newName))])
        case .endpoint(let id):
            guard let endpoint = document.workspace.reading.endpoint(id) else {
                throw refused("there is no endpoint \"\(id)\"")
            }
            // In the file of the group, the endpoint's key is renamed, elsewhere its id.
            let prefix = endpoint.group.map { $0 + "." } ?? ""
            let newID = name == id ? newName : prefix + newName
            guard Name.isValidID(newID) else { throw refused("\"\(newName)\" can't be an id") }
            let snapshots = endpoint.renamed(document.workspace.reading.workspace.snapshotNames, as: newID)
            let moves = snapshots.map { Move(old: $0.old.path, new: $0.new.path) }
            if endpoint.group == nil {
                let path = "endpoints/" + newID.split(separator: ".").joined(separator: "/")
                return (newID, [], moves + [Move(old: endpoint.file.name, new: renamed(endpoint.file.name, to: path))])
            }
            let key = newID.dropFirst(prefix.count)
            guard newID.hasPrefix(prefix), Name.isValid(key) else {
                throw refused("expected an id of the same group: \(prefix)NAME")
            }
            guard let place = endpoint.keyPlace else {
                throw refused("\(endpoint.definition.place.description) names it in another way")
            }
            return (newID, [(place, String(key))], moves)
        default:
            guard Name.isValid(newName) else { throw refused("\"\(newName)\" can't be a name") }
            return (newName, [], [])
        }
    }

    /// The path of a file with another name, or another path from the root, and the same ending.
    private func renamed(_ file: String, to name: String) -> String {
        let ending = file.hasSuffix(".jsonc") ? ".jsonc" : ".json"
        return (name.contains("/") ? name : FilePath.join(FilePath.parent(file), name)) + ending
    }

    /// Refuses a name with which the files have problems that they don't have now.
    private func verify(_ files: [String: [(place: Place, text: String)]], _ moves: [Move]) throws(RPCError) {
        let root = document.workspace.root
        var drafts: [String: [UInt8]] = [:]
        for (file, places) in files {
            let sorted = places.sorted { $0.place.range.lowerBound < $1.place.range.lowerBound }
            guard let first = sorted.first else { continue }
            drafts[FilePath.join(root, file)] = sorted.map { TextEdit($0.place.range, $0.text) }
                .applied(to: first.place.file.bytes)
        }
        let shown = document.workspace.files
        for move in moves {
            let (old, new) = (FilePath.join(root, move.old), FilePath.join(root, move.new))
            if shown.kind(new) != nil { throw refused("there is a file \(move.new)") }
            do throws(FileProblem) {
                if let changed = drafts[old] {
                    drafts[new] = changed
                } else {
                    drafts[new] = try shown.read(old, Workspace.largestFile)
                }
            } catch {
                throw refused("cannot read \(move.old): \(error.reason)")
            }
            drafts[old] = nil
        }
        func problems(_ reading: WorkspaceReading) -> [Diagnostic] {
            reading.validate(judging: Assembler.certainProblems).diagnostics
        }
        let before = problems(document.workspace.reading)
        let changed = Workspace(
            root: root, currentFolder: root,
            files: shown.with(drafts: drafts, without: Set(moves.map { FilePath.join(root, $0.old) })))
        let after = problems(WorkspaceReading(changed, withLoads: true))
        guard after.count > before.count else { return }
        let known = Set(before.map { "\($0.code.rawValue) \($0.message)" })
        let new = after.first { !known.contains("\($0.code.rawValue) \($0.message)") }
        throw refused(
            new.map { "then \($0.fileName ?? "the workspace") would have the problem: \($0.message)" }
                ?? "then there would be more problems")
    }
}

extension AskedDocument {
    /// The endpoint of a group whose key is at an offset, the range of the key, and the key.
    fileprivate func keyOfGroup(at offset: Int) -> (Symbol, Range<Int>, String)? {
        guard isGroup, let location = json.location(at: offset), location.role == .key,
            location.path == [.key("endpoints")]
        else { return nil }
        return workspace.reading.allEndpoints.lazy.filter { $0.file.name == name }
            .compactMap { endpoint in
                guard let range = endpoint.keyPlace?.range, let group = endpoint.group,
                    location.token.contains(range.lowerBound)
                else { return nil }
                return (.endpoint(endpoint.id), range, String(endpoint.id.dropFirst(group.count + 1)))
            }
            .first
    }
}

extension LocatedEndpoint {
    /// The place of the key in the file of its group, without quotes; nil without a group, or if the key is written with escapes.
    fileprivate var keyPlace: Place? {
        guard let group else { return nil }
        let key = id.dropFirst(group.count + 1)
        let document = JSONDocument.read(file, syntax: file.name.hasSuffix(".jsonc") ? .commented : .strict)
        let member = document.root?["endpoints"]?.members.first { $0.name == key }
        let range = member.map { JSONValue.innerRange(of: $0.key.range, in: file.bytes) }
        return range.flatMap { file.text($0) == key ? Place(file, $0) : nil }
    }
}

extension Symbol {
    /// The name as it is written in files; nil for a file.
    fileprivate var writtenName: String? {
        switch self {
        case .file: nil
        case .endpoint(let name), .environment(let name), .variable(let name), .secret(let name): name
        case .parameter(let name, _), .capture(let name, _), .alias(let name, _), .step(let name, _),
            .variant(let name, _):
            name
        }
    }

    /// Whether another symbol has the name already, where the two could be confused. A placeholder means a param or a variable by the
    /// same words.
    fileprivate func isTaken(by other: Symbol, named name: String) -> Bool {
        guard other.writtenName == name else { return false }
        switch (self, other) {
        case (.parameter, .variable), (.variable, .parameter), (.variable, .variable), (.secret, .secret),
            (.endpoint, .endpoint), (.environment, .environment):
            return true
        case (.parameter(_, let owner), .parameter(_, let second)): return owner == second
        case (.capture(_, let owner), .capture(_, let second)), (.step(_, let owner), .step(_, let second)),
            (.variant(_, let owner), .variant(_, let second)):
            return owner == second
        case (.alias, .alias): return true
        default: return false
        }
    }
}
