import CommandLineKit
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliJSONPath
import ReqcliJSONSchema
import ReqcliText

/// Validates JSON files against a schema, for `schema test`.
struct SchemaTest {
    /// The form in which the result is printed.
    enum Form: String, CaseIterable, Sendable {
        case text
        /// JSON Schema's own formats.
        case flag
        case basic
    }

    let context: Context
    let arguments: ParsedArguments

    /// Validates the files and prints the result.
    ///
    /// - Parameter words: The schema's file, perhaps with a fragment, and the files with JSON.
    func run(_ words: [String]) throws(Failure) -> ExitStatus {
        let schema = try schema(at: words[0])
        var isValid = true
        for path in words.dropFirst() {
            let root = try root(of: path)
            let failures = schema.failures(of: root)
            isValid = isValid && failures == nil
            switch arguments[SchemaCommand.output] {
            case .text: print(failures, of: path, root, words[0])
            case .flag: context.output.write(OrderedJSON.object(["valid": .bool(failures == nil)]).pretty + "\n")
            case .basic: context.output.write(basic(failures).pretty + "\n")
            }
        }
        return isValid ? .success : .expectationFailed
    }

    // MARK: Reading

    /// Compiles the schema. Its references are resolved in `schemas/` of the workspace, or in the schema's own folder if the
    /// schema is in another folder.
    private func schema(at word: String) throws(Failure) -> JSONSchema {
        let parts = word.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let path = try context.pathFromHere(String(parts[0]))
        guard context.files.kind(path) == .file else {
            throw Failure(
                .usage, code: .fileUnreadable, "cannot read \(parts[0]): there is no such file",
                hint: "name a file with a schema, such as schemas/user.json")
        }
        let workspace = try context.openIfThere(arguments)
        let folder = workspace?.path(SchemaStore.folder) ?? ""
        let store: SchemaStore
        let inside: String
        if let workspace, path.hasPrefix(folder + "/") {
            store = workspace.schemas
            inside = String(path.dropFirst(folder.count + 1))
        } else {
            let own = FilePath.parent(path)
            store = SchemaStore(SchemaFolder(at: own, context))
            inside = FilePath.shown(path, from: own)
        }
        let reference = ([inside] + parts.dropFirst().map(String.init)).joined(separator: "#")
        let source = JSONDocument.writing(.string(reference), name: "command line")
        guard let name = source.root else { throw Failure(.broken, source.diagnostics) }
        let read = store.schemaWithFindings(name)
        guard let schema = read.value else { throw Failure(.broken, read.diagnostics) }
        context.report(read.diagnostics)
        return schema
    }

    private func root(of path: String) throws(Failure) -> JSONValue {
        let bytes = try context.read(path, upTo: 1 << 30, called: path)
        let document = JSONDocument.read(SourceFile(name: path, bytes: bytes))
        guard let root = document.validRoot else { throw Failure(.usage, document.diagnostics) }
        return root
    }

    // MARK: Printing

    private func print(_ failures: SchemaFailures?, of path: String, _ root: JSONValue, _ schema: String) {
        guard let failures else {
            context.output.write("ok: \(path) matches \(schema)\n")
            return
        }
        var lines = ["\(path) doesn't match \(schema)"]
        for failure in failures.shown {
            lines += [
                "  \(failure.value.shortPath(in: root) ?? "$")  \(failure.place.description)",
                "    expected \(failure.expectation)", "    found    \(failure.found)",
            ]
        }
        if failures.more > 0 { lines.append("  and \(failures.more) more") }
        context.output.write(lines.map { $0 + "\n" }.joined())
    }

    private func basic(_ failures: SchemaFailures?) -> OrderedJSON {
        .object([
            "valid": .bool(failures == nil),
            "errors": failures.map { failures in
                .array(
                    failures.shown.map { failure in
                        .object([
                            "keywordLocation": .string(failure.keyword),
                            "absoluteKeywordLocation": .string(failure.absolute),
                            "instanceLocation": .string(failure.instance),
                            "error": .string("expected \(failure.expected); found \(failure.found)"),
                        ])
                    })
            },
        ])
    }
}

extension SchemaFolder {
    /// A folder of schemas outside a workspace.
    fileprivate init(at folder: String, _ context: Context) {
        self.init(
            read: { path throws(Problem) in
                do throws(FileProblem) {
                    let whole = FilePath.join(folder, path)
                    let shown = FilePath.shown(whole, from: (try? context.startFolder()) ?? folder)
                    return SourceFile(name: shown, bytes: try context.files.read(whole, Workspace.largestFile))
                } catch {
                    if error.kind == .missing { return nil }
                    throw Problem(error.reason)
                }
            }, paths: { ((try? context.files.names(folder)) ?? []).filter { $0.hasSuffix(".json") } })
    }
}
