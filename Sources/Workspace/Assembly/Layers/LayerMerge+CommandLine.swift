import Foundation
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
@_spi(Generated) import RequestBuilding

extension LayerMerge {
    /// The name of the lowest layer, which contains the program's defaults.
    static let builtIn = "built-in"

    /// Adds the program's defaults.
    mutating func addBuiltIn(version: String) {
        layer = Self.builtIn
        add { $0.method(.get).header("User-Agent", "reqcli/\(version)").header("Accept", "*/*") }
        add { $0.setting(.connectTimeout, Timeouts.standardConnect).setting(.idleTimeout, Timeouts.standardIdle) }
    }

    mutating func addCommandLine(_ overrides: [CommandLineOverride]) {
        layer = "command line"
        for override in overrides { add(override.change, from: Origin(layer: layer, flag: override.flag)) }
    }

    private mutating func add(_ change: CommandLineOverride.Change, from origin: Origin) {
        switch change {
        case .method(let method): add(from: origin) { $0.method(method) }
        case .path(let path): add(from: origin) { $0.path(written: path) }
        case .addedQuery(let encoded, let items):
            add(from: origin) { builder in
                items.reduce(encoded.map(builder.addingEncodedQuery) ?? builder) {
                    $0.addingQueryItem($1.name, $1.value)
                }
            }
        case .members(let body):
            addBody(body.written, ofType: body.contentType, from: origin) { body.resolve($0, &$1) }
        case .header(let name, let values): add(from: origin) { $0.header(name, values: values) }
        case .removedHeader(let name): add(from: origin) { $0.removingHeader(name) }
        case .query(let name, let values): add(from: origin) { $0.queryItem(name, values: values) }
        case .body(let text): add(from: origin) { $0.commandLineBody(Data(text.utf8)) }
        case .bodyFile("-"): addStandardInput(from: origin)
        case .pipedBody: addStandardInput(from: origin, isOptional: true)
        case .bodyFile(let path) where DescriptorPipe.isNamed(by: path): addPipe(path, from: origin)
        case .bodyFile(let path):
            addFile(path, "to send", for: .body, from: origin) {
                $0.bodyContent(.file(path: path), fallbackType: .bodyType(ofFileNamed: path))
            }
        case .spooledInput(let input):
            add(from: origin) {
                $0.bodyContent(.file(path: input.path), fallbackType: .bodyType(isJSON: input.isBracketed))
            }
        case .baseURL(let text): add(from: origin) { $0.baseURL(text) }
        case .credentials(let given): addCredentials(given, from: origin)
        case .transfer(let change): add(from: origin) { $0.setting(change) }
        case .transferFile(let key, let path):
            addFile(path, "to read", for: .setting(key.name), from: origin) { $0.setting(key, path) }
        }
    }

    /// Adds a file, which must exist. Its path is relative to the current folder.
    private mutating func addFile(
        _ path: String, _ purpose: String, for subject: RequestSubject, from origin: Origin,
        _ change: @escaping @Sendable (RequestBuilder) -> RequestBuilder
    ) {
        add(subject, "file \(path)", from: origin) { builder, evaluation in
            switch evaluation.world.files.kind(path) {
            case .file: return .value(change(builder))
            case nil: evaluation.reportUsage("there is no file \(path.quoted) \(purpose)", flag: origin.flag)
            default: evaluation.reportUsage("\(path.quoted) is not a regular file", flag: origin.flag)
            }
            return .failed
        }
    }

    /// Adds the bytes of a pipe, such as bash's `<(…)`. No other program could read the pipe again by its path.
    private mutating func addPipe(_ path: String, from origin: Origin) {
        add(.body, "pipe \(path)", from: origin) { builder, evaluation in
            do throws(FileProblem) {
                return .value(
                    builder.commandLineBody(
                        Data(try evaluation.world.files.readTyped(path, upTo: Workspace.largestFile))))
            } catch {
                evaluation.reportUsage("cannot read \(path.quoted): \(error.reason)", flag: origin.flag)
                return .failed
            }
        }
    }

    private mutating func addStandardInput(from origin: Origin, isOptional: Bool = false) {
        add(.body, "standard input", from: origin) { builder, evaluation in
            if let reader = evaluation.parameters.standardInputReader {
                evaluation.reportUsage("\(reader) already reads standard input", flag: origin.flag)
                return .failed
            }
            do throws(FileProblem) {
                let data = Data(try evaluation.world.standardInput())
                if isOptional, data.isEmpty { return .value(builder) }
                return .value(builder.commandLineBody(data))
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
        bodyContent(.data(data), fallbackType: .bodyType(isJSON: data.looksLikeJSON))
    }
}

extension String {
    fileprivate static func bodyType(isJSON: Bool) -> String {
        isJSON ? "application/json" : "text/plain; charset=utf-8"
    }

    /// The type of a file that is sent as a body, by the end of its name.
    package static func bodyType(ofFileNamed path: String) -> String {
        path.asciiLowercased.hasSuffix(".json")
            ? "application/json"
            : MultipartBody.Part.contentType(ofFileNamed: path) ?? "application/octet-stream"
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
