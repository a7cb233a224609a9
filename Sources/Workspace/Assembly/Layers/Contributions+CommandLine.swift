import Foundation
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

extension Contributions {
    /// The name of the layer below all others.
    static let builtIn = "built-in"

    /// Adds the program's defaults.
    mutating func addBuiltIn(version: String) {
        layer = Self.builtIn
        let origin = Origin(layer: layer)
        addConstant([part(.method, "GET")], from: origin) { $0.method(.get) }
        for (name, value) in [("User-Agent", "reqcli/\(version)"), ("Accept", "*/*")] {
            addConstant([part(.header(name), value)], from: origin) { $0.header(name, value) }
        }
        add(TransferSetting.connectTimeout.to(Timeouts.standardConnect), from: origin)
        add(TransferSetting.idleTimeout.to(Timeouts.standardIdle), from: origin)
    }

    mutating func addCommandLine(_ overrides: [CommandLineOverride]) {
        layer = "command line"
        for override in overrides { add(override.change, from: Origin(layer: layer, flag: override.flag)) }
    }

    private mutating func add(_ change: CommandLineOverride.Change, from origin: Origin) {
        switch change {
        case .method(let method): add([part(.method, method)], from: origin) { $0.method(method) }
        case .path(let path): add([part(.path, path)], from: origin) { $0.path(path) }
        case .addedQuery(let encoded, let items):
            let written = ([encoded].compactMap(\.self) + items.map { "\($0.name)=\($0.value)" }).joined(separator: "&")
            var part = part(.query, written)
            part.isAddition = true
            add([part], from: origin) { builder in
                items.reduce(encoded.map(builder.addingEncodedQuery) ?? builder) {
                    $0.addingQueryItem($1.name, $1.value)
                }
            }
        case .members(let body):
            let part = Contribution.Part(subject: .body, written: { body.written }, contentType: body.contentType)
            add([part], from: origin) { body.resolve(&$0) }
        case .header(let name, let values):
            add([part(.header(name), values.joined(separator: ", "))], from: origin) {
                $0.header(name, values: values)
            }
        case .removedHeader(let name): add([removal(of: .header(name))], from: origin) { $0.removingHeader(name) }
        case .query(let name, let values):
            add([part(.queryItem(name), values.joined(separator: ", "))], from: origin) {
                $0.queryItem(name, values: values)
            }
        case .body(let text):
            add([part(.body, text)], from: origin) { $0.commandLineBody(Data(text.utf8)) }
        case .bodyFile("-"): addStandardInput(from: origin)
        case .bodyFile(let path):
            addFile(path, "to send", part(.body, "file \(path)"), from: origin) {
                $0.commandLineFile(path)
            }
        case .spooledInput(let input):
            add([part(.body, "standard input")], from: origin) { $0.commandLineInput(input) }
        case .baseURL(let text):
            add(RequestSubject.server.map { part($0, text) }, from: origin) { $0.baseURL(text) }
        case .transfer(let change): add(change, from: origin)
        case .transferFile(let key, let path):
            addFile(path, "to read", part(key.to(path)), from: origin) { $0.setting(key, path) }
        }
    }

    private mutating func add(_ change: TransferChange, from origin: Origin) {
        addConstant([part(change)], from: origin) { $0.setting(change) }
    }

    /// Adds a file, which must exist. Its path is relative to the current folder.
    private mutating func addFile(
        _ path: String, _ purpose: String, _ part: Contribution.Part, from origin: Origin,
        change: @escaping Contribution.Change
    ) {
        add([part], from: origin) { evaluation in
            switch evaluation.world.files.kind(path) {
            case .file: return .value(change)
            case nil: evaluation.reportUsage("there is no file \(path.quoted) \(purpose)", flag: origin.flag)
            default: evaluation.reportUsage("\(path.quoted) is not a regular file", flag: origin.flag)
            }
            return .failed
        }
    }

    private mutating func addStandardInput(from origin: Origin) {
        add([part(.body, "standard input")], from: origin) { evaluation in
            if let reader = evaluation.parameters.standardInputReader {
                evaluation.reportUsage("\(reader) already reads standard input", flag: origin.flag)
                return .failed
            }
            do throws(FileProblem) {
                let data = Data(try evaluation.world.standardInput())
                return .value { $0.commandLineBody(data) }
            } catch {
                evaluation.reportUsage("cannot read standard input: \(error.reason)", flag: origin.flag)
                return .failed
            }
        }
    }
}

extension RequestBuilder {
    /// Sets a body given by a flag. The flag changes the bytes, but not the Content-Type of the definition. Without a
    /// Content-Type, a body that looks like JSON is sent as JSON.
    fileprivate func commandLineBody(_ data: Data) -> RequestBuilder {
        body(data, contentType: commandLineType(isJSON: { data.looksLikeJSON }))
    }

    /// Sets a body from standard input that is too large for memory.
    fileprivate func commandLineInput(_ input: SpooledInput) -> RequestBuilder {
        fileBody(path: input.path, contentType: commandLineType(isJSON: { input.isBracketed }))
    }

    private func commandLineType(isJSON: () -> Bool) -> String? {
        // An explicit Content-Type header stays unchanged.
        if let type = contentType { return type.bodyTie == .implied ? type.value : nil }
        if hasNoContentType { return nil }
        return isJSON() ? "application/json" : "text/plain; charset=utf-8"
    }

    fileprivate func commandLineFile(_ path: String) -> RequestBuilder {
        fileBody(
            path: path, contentType: contentType?.value ?? (hasNoContentType ? nil : "application/octet-stream"))
    }

    private var contentType: RequestOperator? { contentTypes?.standing.last }

    /// Whether a layer removed the Content-Type, and no later layer set it again.
    private var hasNoContentType: Bool {
        contentTypes.map { $0.standing.isEmpty && $0.removal?.subject == $0.subject } ?? false
    }

    private var contentTypes: RequestHistory? {
        historyWithBody().first { $0.subject == .contentType }
    }
}

extension Data {
    fileprivate var looksLikeJSON: Bool {
        let bytes = [UInt8](self)
        let ends = (bytes.first { !$0.isJSONWhitespace }, bytes.last { !$0.isJSONWhitespace })
        guard SpooledInput.areBrackets(ends.0, ends.1) else { return false }
        // If the body is larger than `send` holds in memory, only the brackets at its ends are checked, as in `send`.
        return bytes.count > Workspace.largestFile
            || JSONDocument.read(SourceFile(name: "body", bytes: bytes)).problems.isEmpty
    }
}
