import ReqcliText

/// The abilities of the editor, which it names in `initialize`.
struct ClientAbilities: Sendable {
    /// The units in which positions count columns.
    var units = TextPositions.Units.utf16
    /// Whether the client asks for the problems of open documents.
    var pulls = false
    /// Whether the client asks for the problems again after a request of the server (`workspace/diagnostic/refresh`).
    var refreshesDiagnostics = false
    var showsMarkdown = false
    /// Whether the client renames files that a change of names renames.
    var renamesFiles = false
    /// The client's commands for lenses.
    var commands: Set<String> = []

    init() {}

    init(_ params: JSONValue?) {
        let abilities = params?["capabilities"]
        let encodings = abilities?["general"]?["positionEncodings"]?.elements.compactMap(\.string) ?? []
        units = encodings.contains("utf-8") ? .utf8 : .utf16
        pulls = abilities?["textDocument"]?["diagnostic"] != nil
        refreshesDiagnostics = abilities?["workspace"]?["diagnostics"]?["refreshSupport"]?.bool ?? false
        let formats = abilities?["textDocument"]?["hover"]?["contentFormat"]?.elements.compactMap(\.string) ?? []
        commands = Set(params?["initializationOptions"]?["commands"]?.elements.compactMap(\.string) ?? [])
            .intersection([CodeLenses.running, CodeLenses.copying])
        let edit = abilities?["workspace"]?["workspaceEdit"]
        let operations = edit?["resourceOperations"]?.elements.compactMap(\.string) ?? []
        renamesFiles = edit?["documentChanges"]?.bool == true && operations.contains("rename")
        showsMarkdown = formats.contains("markdown")
    }

    /// The result of `initialize`.
    var answer: OrderedJSON {
        .object([
            "capabilities": .object([
                "positionEncoding": units == .utf8 ? "utf-8" : "utf-16",
                "textDocumentSync": .object(["openClose": true, "change": 2]),
                "diagnosticProvider": pulls
                    ? .object(["interFileDependencies": true, "workspaceDiagnostics": false]) : nil,
                "completionProvider": .object(["triggerCharacters": ["\"", "{", "."]]),
                "hoverProvider": true,
                "definitionProvider": true,
                "referencesProvider": true,
                "renameProvider": .object(["prepareProvider": true]),
                "documentFormattingProvider": true,
                "codeActionProvider": .object(["codeActionKinds": ["quickfix"]]),
                "codeLensProvider": commands.isEmpty ? nil : .object(["resolveProvider": true]),
                "documentLinkProvider": .object([OrderedJSON.Member]()),
                "semanticTokensProvider": .object([
                    "legend": .object([
                        "tokenTypes": .array(NamedParts.tokenTypes.map { .string($0) }), "tokenModifiers": [],
                    ]), "full": true,
                ]),
                "documentSymbolProvider": true,
                "workspaceSymbolProvider": true,
            ]),
            "serverInfo": .object(["name": .string(Program.name), "version": .string(Program.version)]),
        ])
    }
}
