import JSONRPC
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// Another name for something, in all files that name it. A name that `validate` would refuse is refused.
struct Rename {
    private let document: AskedDocument
    private let symbol: Symbol
    private let range: Range<Int>
    private let name: String

    init(_ document: AskedDocument, at offset: Int) throws(RPCError) {
        guard let occurrence = document.occurrence(at: offset), let name = occurrence.symbol.writtenName,
            occurrence.isName
        else {
            throw RPCError(
                RPCError.requestFailed,
                "nothing here can be renamed; expected a param, variable, secret, capture, alias, step or variant")
        }
        (self.document, symbol, range, self.name) = (document, occurrence.symbol, occurrence.place.range, name)
    }

    /// The range of the name, and the name.
    var preparation: OrderedJSON {
        .object(["range": document.positions.json(range), "placeholder": .string(name)])
    }

    func edit(to newName: String) throws(RPCError) -> OrderedJSON {
        if newName == name { return .object(["changes": .object([OrderedJSON.Member]())]) }
        guard Name.isValid(newName) else { throw refused("\"\(newName)\" can't be a name") }
        let all = document.workspace.occurrences
        let taken = all.contains { $0.isDefinition && symbol.isTaken(by: $0.symbol, named: newName) }
        if taken { throw refused("the name \"\(newName)\" is taken") }
        if case .parameter(_, let owner) = symbol,
            document.workspace.reading.endpoint(owner)?.body(in: nil)?.isGraphQL == true
        {
            throw refused("a GraphQL operation may use the param as its variable")
        }
        let places = all.filter { $0.symbol == symbol && $0.isName }.map(\.place)
        guard places.allSatisfy({ $0.file.text($0.range) == name }) else {
            throw refused("a file writes the name with escapes")
        }
        let files = Dictionary(grouping: places, by: \.file.name)
        try verify(files, newName)
        let changes = files.sorted { $0.key < $1.key }.map { file, places in
            OrderedJSON.Member(
                document.places.uri(file),
                .array(
                    places.map { .object(["range": document.places.range($0), "newText": .string(newName)]) }))
        }
        return .object(["changes": .object(changes)])
    }

    private func refused(_ reason: String) -> RPCError { RPCError(RPCError.requestFailed, reason) }

    /// Refuses a name with which the files have problems that they don't have now.
    private func verify(_ files: [String: [Place]], _ newName: String) throws(RPCError) {
        var drafts: [String: [UInt8]] = [:]
        for (file, places) in files {
            let edits = places.sorted { $0.range.lowerBound < $1.range.lowerBound }.map { TextEdit($0.range, newName) }
            guard let first = places.first else { continue }
            drafts[FilePath.join(document.workspace.root, file)] = edits.applied(to: first.file.bytes)
        }
        let reading = document.workspace.reading
        func problems(_ reading: WorkspaceReading) -> [Diagnostic] {
            reading.validate(judging: Assembler.certainProblems).diagnostics
        }
        let before = problems(reading).count
        let changed = Workspace(
            root: document.workspace.root, currentFolder: document.workspace.root,
            files: document.workspace.files.with(drafts: drafts))
        let after = problems(WorkspaceReading(changed, withLoads: true))
        guard after.count > before else { return }
        let known = Set(problems(reading).map { "\($0.code.rawValue) \($0.message)" })
        let new = after.first { !known.contains("\($0.code.rawValue) \($0.message)") }
        throw refused(
            new.map { "then \($0.fileName ?? "the workspace") would have the problem: \($0.message)" }
                ?? "then there would be more problems")
    }
}

extension Symbol {
    /// The name as it is written in files; nil for what is named by a path.
    fileprivate var writtenName: String? {
        switch self {
        case .endpoint, .environment, .file: nil
        case .variable(let name), .secret(let name): name
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
        case (.parameter, .variable), (.variable, .parameter), (.variable, .variable), (.secret, .secret): return true
        case (.parameter(_, let owner), .parameter(_, let second)): return owner == second
        case (.capture(_, let owner), .capture(_, let second)), (.step(_, let owner), .step(_, let second)),
            (.variant(_, let owner), .variant(_, let second)):
            return owner == second
        case (.alias, .alias): return true
        default: return false
        }
    }
}
