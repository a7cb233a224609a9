import JSONRPC
import ReqcliDefinitions
import ReqcliText

/// A document that a request is about, with everything that answers need.
struct AskedDocument {
    let uri: String
    let path: String
    let bytes: [UInt8]
    let workspace: ServedWorkspace
    let client: ClientAbilities
    let context: Context

    /// The path from the workspace's root, which is also the name of the file in messages.
    var name: String { workspace.inside(path) }
    var kind: FormatSchema? { FormatSchema(path: name) }
    var positions: TextPositions { TextPositions(bytes, in: client.units) }
    var places: DocumentPlaces { DocumentPlaces(workspace: workspace, client: client) }

    var json: JSONDocument {
        JSONDocument.read(SourceFile(name: name, bytes: bytes), syntax: name.hasSuffix(".jsonc") ? .commented : .strict)
    }

    /// Whether the file is a group of endpoints.
    var isGroup: Bool {
        guard let root = json.root else { return false }
        return root["endpoints"] != nil || root["defaults"] != nil
    }

    /// The offset of the position in a request.
    func offset(_ params: JSONValue?) -> Int { positions.offset(of: params?["position"]) }

    /// The endpoint whose definition is around an offset. The defaults of a group are those of its first endpoint.
    func endpoint(at offset: Int) -> LocatedEndpoint? {
        let endpoints = workspace.reading.allEndpoints.filter { $0.file.name == name }
        return endpoints.first { $0.definition.place.range.contains(offset) } ?? endpoints.first
    }

    /// The smallest occurrence at an offset.
    func occurrence(at offset: Int) -> Occurrence? {
        workspace.reading.occurrences(in: name)
            .filter {
                $0.isName && $0.place.range.lowerBound <= offset && offset <= $0.place.range.upperBound
                    || !$0.isDefinition && $0.place.range.contains(offset)
            }
            .min { $0.place.range.count < $1.place.range.count }
    }
}

/// The table of the requests about a document.
struct DocumentMethods {
    /// The answer for a document outside any workspace.
    let empty: OrderedJSON
    let respond: (AskedDocument, JSONValue?) throws(RPCError) -> OrderedJSON

    init(
        empty: OrderedJSON = .null, _ respond: @escaping (AskedDocument, JSONValue?) throws(RPCError) -> OrderedJSON
    ) {
        self.empty = empty
        self.respond = respond
    }

    func answer(_ document: AskedDocument, _ params: JSONValue?) throws(RPCError) -> OrderedJSON {
        try respond(document, params)
    }

    static var all: [String: DocumentMethods] {
        [
            "textDocument/diagnostic": DocumentMethods(empty: .object(["kind": "full", "items": []])) { document, _ in
                let problems = document.workspace.problems(in: document.path)
                return .object([
                    "kind": "full", "items": .array(problems.map { document.places.json($0, in: document.uri) }),
                ])
            },
            "textDocument/completion": DocumentMethods { document, params in
                Completion(document, at: document.offset(params)).answer
            },
            "textDocument/hover": DocumentMethods { document, params in
                Hover(document, at: document.offset(params)).answer
            },
            "textDocument/definition": DocumentMethods { document, params in
                guard let symbol = document.occurrence(at: document.offset(params))?.symbol else { return .null }
                return .array(definitions(of: symbol, document))
            },
            "textDocument/references": DocumentMethods { document, params in
                guard let symbol = document.occurrence(at: document.offset(params))?.symbol else { return .null }
                let includes = params?["context"]?["includeDeclaration"]?.bool ?? true
                let found = document.workspace.occurrences.filter {
                    $0.symbol == symbol && (includes || !$0.isDefinition)
                }
                return .array(found.map { document.places.location($0.place) })
            },
            "textDocument/prepareRename": DocumentMethods { document, params throws(RPCError) in
                try Rename(document, at: document.offset(params)).preparation
            },
            "textDocument/rename": DocumentMethods { document, params throws(RPCError) in
                let name = params?["newName"]?.string ?? ""
                return try Rename(document, at: document.offset(params)).edit(to: name)
            },
            "textDocument/formatting": DocumentMethods { document, params in
                let options = params?["options"]
                let width = min(max(options?["tabSize"]?.number?.int ?? 2, 1), 16)
                let unit = options?["insertSpaces"]?.bool == false ? "\t" : String(repeating: " ", count: width)
                let positions = document.positions
                // A text with mistakes is left alone.
                guard let edits = JSONLayout(unit: unit).edits(of: document.json) else { return .null }
                return .array(
                    edits.map { edit in
                        .object([
                            "range": positions.json(edit.range),
                            "newText": .string(String(decoding: edit.bytes, as: UTF8.self)),
                        ])
                    })
            },
            "textDocument/codeAction": DocumentMethods { document, params in
                let (start, end) = (params?["range"]?["start"], params?["range"]?["end"])
                let offsets = [start, end].map(document.positions.offset(of:))
                return .array(CodeActions(document, in: min(offsets[0], offsets[1])..<max(offsets[0], offsets[1])).all)
            },
            "textDocument/codeLens": DocumentMethods { document, _ in .array(CodeLenses(document: document).all) },
            "codeLens/resolve": DocumentMethods { document, params in
                CodeLenses(document: document).resolved(params)
            },
            "textDocument/documentLink": DocumentMethods { document, _ in .array(NamedParts(document: document).links)
            },
            "textDocument/semanticTokens/full": DocumentMethods { document, _ in NamedParts(document: document).tokens
            },
            "textDocument/documentSymbol": DocumentMethods { document, _ in .array(DocumentSymbols(document).all) },
        ]
    }

    private static func definitions(of symbol: Symbol, _ document: AskedDocument) -> [OrderedJSON] {
        if case .file(let path) = symbol {
            let whole = FilePath.join(document.workspace.root, path)
            guard document.context.files.kind(whole) == .file else { return [] }
            return [document.places.location(Place(SourceFile(name: path, bytes: []), 0..<0))]
        }
        let found = document.workspace.occurrences.filter { $0.symbol == symbol && $0.isDefinition }
        return found.map { document.places.location($0.place) }
    }
}
