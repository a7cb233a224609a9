import JSONRPC
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// The server that an editor talks to: its open documents, the workspaces around them, and the table of methods.
struct LanguageServer: ~Copyable {
    let context: Context
    private var peer: RPCPeer
    var client = ClientAbilities()
    private var isInitialized = false
    private var isShutDown = false
    private(set) var hasEnded = false
    let documents = OpenDocuments()
    /// The version of each open document, by its URI as the editor writes it.
    private var versions: [String: Int] = [:]
    private var workspaces: [String: ServedWorkspace] = [:]
    /// The time at which the changed workspaces are judged.
    private var judgesAt: ContinuousClock.Instant?

    /// The time without a change after which a whole workspace is judged.
    private static let calm = Duration.milliseconds(300)

    init(_ context: Context) {
        self.context = context
        let output = context.output
        peer = RPCPeer(.header, cancelMethod: "$/cancelRequest", cancelKey: "id", answersCancelled: true) {
            output.writeUnfiltered($0)
        }
    }

    // MARK: The loop

    mutating func receive(_ bytes: [UInt8]) { peer.receive(bytes) }

    /// The time in milliseconds to wait for input; -1 for any time.
    var patience: Int32 {
        let watch: Int32 = workspaces.values.contains { $0.watchDescriptor < 0 } ? 500 : -1
        guard let judgesAt else { return watch }
        let left = (judgesAt - ContinuousClock.now) / Duration.milliseconds(1)
        return Int32(min(max(left.rounded(.up), 0), 1000))
    }

    var watchDescriptors: [Int32] { workspaces.values.map(\.watchDescriptor).filter { $0 >= 0 } }

    /// Carries out what is queued, then judges what has changed.
    mutating func work() {
        while !hasEnded, let message = peer.next() { take(message) }
        if hasEnded { return }
        for workspace in workspaces.values where workspace.takeSavedFiles() {
            judgesAt = judgesAt ?? ContinuousClock.now
        }
        judgeEdits()
        if let time = judgesAt, ContinuousClock.now >= time, peer.isEmpty {
            judgesAt = nil
            for workspace in workspaces.values { judge(workspace) }
        }
    }

    private mutating func take(_ message: RPCMessage) {
        switch message {
        case .notification(let method, let params): notice(method, params)
        case .response: break
        case .request(let id, let method, let params):
            do throws(RPCError) {
                peer.send(result: try answer(method, params), to: id)
            } catch {
                peer.send(error: error, to: id)
            }
        }
    }

    // MARK: Methods

    private mutating func notice(_ method: String, _ params: JSONValue?) {
        if method == "exit" {
            hasEnded = true
            return
        }
        guard isInitialized, !isShutDown else { return }
        switch method {
        case "textDocument/didOpen": open(params?["textDocument"])
        case "textDocument/didChange": change(params)
        case "textDocument/didClose": close(params?["textDocument"])
        case "workspace/didChangeWatchedFiles":
            for workspace in workspaces.values { workspace.readsAgain() }
            judgesAt = judgesAt ?? ContinuousClock.now
        default: break
        }
    }

    private mutating func answer(_ method: String, _ params: JSONValue?) throws(RPCError) -> OrderedJSON {
        if method == "initialize" {
            guard !isInitialized else {
                throw RPCError(RPCError.invalidRequest, "the server is initialized already")
            }
            client = ClientAbilities(params)
            isInitialized = true
            return client.answer
        }
        guard isInitialized else { throw RPCError(RPCError.notInitialized, "the first request must be \"initialize\"") }
        if isShutDown { throw RPCError(RPCError.invalidRequest, "the server is shut down") }
        if method == "shutdown" {
            isShutDown = true
            return .null
        }
        if method == "workspace/symbol" {
            let query = params?["query"]?.string ?? ""
            let symbols = workspaces.values.flatMap { WorkspaceSymbols(workspace: $0, client: client).matching(query) }
            return .array(Array(symbols.prefix(200)))
        }
        guard let handler = DocumentMethods.all[method] else {
            throw RPCError(RPCError.methodNotFound, "the server has no method \"\(method)\"")
        }
        // A lens has the document in its data.
        guard let uri = (params?["textDocument"] ?? params?["data"])?["uri"]?.string else {
            throw RPCError(RPCError.invalidParams, "\"textDocument\" needs a \"uri\"")
        }
        guard let document = document(uri) else { return handler.empty }
        return try handler.answer(document, params)
    }

    // MARK: Documents

    private mutating func open(_ item: JSONValue?) {
        guard let uri = item?["uri"]?.string, let path = FileURI.path(uri), let text = item?["text"]?.string else {
            return
        }
        documents[path] = Array(text.utf8)
        versions[uri] = item?["version"]?.number?.int ?? 0
        guard let workspace = workspace(of: path) else { return }
        workspace.opened(path, uri: uri)
        judgesAt = ContinuousClock.now
    }

    private mutating func change(_ params: JSONValue?) {
        let item = params?["textDocument"]
        guard let uri = item?["uri"]?.string, let path = FileURI.path(uri), var bytes = documents[path] else { return }
        for change in params?["contentChanges"].map({ Array($0.elements) }) ?? [] {
            guard let text = change["text"]?.string else { continue }
            guard let range = change["range"] else {
                bytes = Array(text.utf8)
                continue
            }
            let positions = TextPositions(bytes, in: client.units)
            let (start, end) = (positions.offset(of: range["start"]), positions.offset(of: range["end"]))
            bytes.replaceSubrange(min(start, end)..<max(start, end), with: text.utf8)
        }
        documents[path] = bytes
        versions[uri] = item?["version"]?.number?.int ?? 0
        guard let workspace = workspace(of: path) else { return }
        workspace.edited(path)
        judgesAt = ContinuousClock.now + Self.calm
    }

    private mutating func close(_ item: JSONValue?) {
        guard let uri = item?["uri"]?.string, let path = FileURI.path(uri) else { return }
        documents[path] = nil
        versions[uri] = nil
        guard let workspace = workspace(of: path) else { return }
        workspace.closed(path)
        judgesAt = ContinuousClock.now
    }

    /// The workspace around a file: the nearest folder upwards with `endpoints/`.
    private mutating func workspace(of path: String) -> ServedWorkspace? {
        for (root, workspace) in workspaces where FilePath.isInside(path, root) && workspace.contains(path) {
            return workspace
        }
        let files = context.files.showing(documents)
        guard let found = try? Workspace.locate(named: nil, from: FilePath.parent(path), files: files) else {
            return nil
        }
        if let known = workspaces[found.root] { return known }
        let workspace = ServedWorkspace(found.root, files: files, watching: context.files, documents)
        workspaces[found.root] = workspace
        return workspace
    }

    private mutating func document(_ uri: String) -> AskedDocument? {
        guard let path = FileURI.path(uri), let workspace = workspace(of: path) else { return nil }
        guard let bytes = documents[path] ?? (try? context.files.read(path, Workspace.largestFile)) else { return nil }
        return AskedDocument(uri: uri, path: path, bytes: bytes, workspace: workspace, client: client, context: context)
    }

    // MARK: Diagnostics

    /// Pushes the problems of the edited files at once, to clients that don't pull.
    private mutating func judgeEdits() {
        for workspace in workspaces.values {
            for path in workspace.takeEdited() where !client.pulls {
                guard let uri = workspace.uri(of: path) else { continue }
                publish(workspace.problems(in: path), of: path, uri, workspace)
            }
        }
    }

    /// Judges a whole workspace, and tells the client what has changed.
    private mutating func judge(_ workspace: ServedWorkspace) {
        guard workspace.isStale else { return }
        let changed = workspace.judge()
        var refreshes = false
        for path in changed {
            let isOpen = workspace.isOpen(path)
            if client.pulls, isOpen {
                refreshes = true
            } else {
                let uri = workspace.uri(of: path) ?? FileURI.uri(of: path)
                publish(workspace.problems(in: path), of: path, uri, workspace)
            }
        }
        if refreshes, client.refreshesDiagnostics { peer.request("workspace/diagnostic/refresh", nil) }
    }

    private func publish(_ problems: [Diagnostic], of path: String, _ uri: String, _ workspace: ServedWorkspace) {
        let places = DocumentPlaces(workspace: workspace, client: client)
        peer.notify(
            "textDocument/publishDiagnostics",
            .object([
                "uri": .string(uri), "version": versions[uri].map { .int($0) },
                "diagnostics": .array(problems.map { places.json($0, in: uri) }),
            ]))
    }
}

extension TextPositions {
    /// The offset of a position that a client sent.
    func offset(of position: JSONValue?) -> Int {
        offset(line: position?["line"]?.number?.int ?? 0, column: position?["character"]?.number?.int ?? 0)
    }

    func json(_ offset: Int) -> OrderedJSON {
        let (line, column) = position(of: offset)
        return .object(["line": .int(line), "character": .int(column)])
    }

    func json(_ range: Range<Int>) -> OrderedJSON {
        .object(["start": json(range.lowerBound), "end": json(range.upperBound)])
    }
}
