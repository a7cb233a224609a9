import ReqcliBasics
package import ReqcliJSONSchema
package import ReqcliOpenAPI
package import ReqcliText

/// The JSON Schemas and the API descriptions of a workspace. Each schema and each description is read and compiled only once,
/// even if several conditions use it.
package final class SchemaStore: Sendable {
    /// The folder of the schema files.
    package static let folder = "schemas"

    private let compiler: Mutex<SchemaCompiler>
    /// The mistakes of broken schemas, which the compiler reports only once.
    private let problems = Mutex<[String: [Diagnostic]]>([:])

    private let formats: SchemaCompiler.FormatUse
    private let load: OpenAPIDocument.Load
    /// The descriptions by their paths.
    private let descriptions = Mutex<[String: Result<OpenAPIContract, OpenAPIProblem>]>([:])

    /// - Parameter load: Reads a description, or a file to which a description refers, by the path from the workspace's root.
    package init(
        _ folder: SchemaFolder = .empty, assertsFormats: Bool = true,
        loading load: @escaping OpenAPIDocument.Load = { _ in .failure(OpenAPIFileProblem("there is no such file")) }
    ) {
        formats = assertsFormats ? .assert : .annotate
        compiler = Mutex(SchemaCompiler(folder: folder, formats: formats))
        self.load = load
    }

    /// The description at a path from the workspace's root. If the value is nil, the diagnostics say why.
    package func description(at path: Located<String>) -> Diagnosed<OpenAPIContract?> {
        let inside = FilePath.tidy(path.value)
        return descriptions.withLock { descriptions in
            let known: Result<OpenAPIContract, OpenAPIProblem>
            if let earlier = descriptions[inside] {
                known = earlier
            } else {
                switch load(inside) {
                case .success(let file): known = contract(file, at: inside)
                case .failure(let problem):
                    let diagnostic = Diagnostic(
                        code: .fileMissing,
                        "cannot read the description \(JSONStringText.quoted(path.value)): \(problem.reason)",
                        at: path.place, hint: "paths are relative to the workspace's root")
                    return Diagnosed(nil, [diagnostic])
                }
                descriptions[inside] = known
            }
            switch known {
            case .success(let contract): return Diagnosed(contract)
            case .failure(let problem): return Diagnosed(nil, problem.diagnostics)
            }
        }
    }

    private func contract(_ file: SourceFile, at path: String) -> Result<OpenAPIContract, OpenAPIProblem> {
        let folder = FilePath.parent(path)
        return Result { () throws(OpenAPIProblem) in
            try OpenAPIContract(file, formats: formats) { self.load(FilePath.tidy(FilePath.join(folder, $0))) }
        }
    }

    /// Compiles a schema. The source is the schema itself, or the path of a file below `schemas/`. If the value is nil, the
    /// diagnostics say why.
    package func schema(_ source: JSONValue) -> Diagnosed<JSONSchema?> {
        let (schema, found) = compiler.withLock { compiler in
            source.kind == .string ? compiler.compile(at: source) : compiler.compile(source)
        }
        guard schema == nil else { return Diagnosed(schema, found) }
        return Diagnosed(
            nil,
            problems.withLock { known in
                if !found.isEmpty { known[source.text] = found }
                return known[source.text] ?? []
            })
    }

    /// Compiles many schemas at once, which takes less time than compiling one after the other. The results are the same.
    package func prepare(_ sources: [JSONValue]) { compiler.withLock { $0.prepare(sources) } }

    /// The source text of a schema: the value itself, or the schema in the file that the value names.
    package func text(of schema: JSONValue) -> JSONValue? {
        schema.kind == .string ? compiler.withLock { $0.source(at: schema) } : schema
    }

    /// The source of the schema to which the `$ref` of a compiled schema leads; nil if there is no such reference.
    package func target(ofReferenceIn schema: JSONValue) -> JSONValue? {
        compiler.withLock { $0.target(ofReferenceIn: schema) }
    }

    /// Compiles a schema. The diagnostics contain warnings, too.
    package func schemaWithFindings(_ source: JSONValue) -> Diagnosed<JSONSchema?> {
        let findings = findings(source)
        let hasErrors = findings.contains { $0.severity == .error }
        return Diagnosed(hasErrors ? nil : schema(source).value, findings)
    }

    /// The mistakes of a schema and of its file, and warnings about parts that make the schema accept more than it seems to.
    func findings(_ source: JSONValue) -> [Diagnostic] {
        compiler.withLock { compiler in
            source.kind == .string ? compiler.findings(at: source) : compiler.findings(in: source)
        }
    }
}

extension SchemaFolder {
    /// A store for the folder `schemas` of a workspace.
    package init(of workspace: Workspace) {
        let folder = SchemaStore.folder
        self.init(
            read: { path throws(Problem) in
                do throws(FileProblem) {
                    let bytes = try workspace.files.read(workspace.path("\(folder)/\(path)"), Workspace.largestFile)
                    return SourceFile(name: workspace.shown("\(folder)/\(path)"), bytes: bytes)
                } catch {
                    if error.kind == .missing { return nil }
                    throw Problem(error.reason)
                }
            },
            paths: { workspace.schemaPaths })
    }
}

extension Workspace {
    /// The maximum size of a description's file, in bytes.
    private static let largestDescription = 64 << 20

    /// Reads a description, or a file to which a description refers.
    func loadDescription(at path: String) -> Result<SourceFile, OpenAPIFileProblem> {
        do throws(FileProblem) {
            let bytes = try files.read(self.path(path), Self.largestDescription)
            return .success(SourceFile(name: shown(path), bytes: bytes))
        } catch {
            return .failure(OpenAPIFileProblem(error.reason))
        }
    }

    /// The paths of all schema files, below `schemas/`. Links to folders are not followed, so that there are no cycles.
    package var schemaPaths: [String] { schemaPaths(below: "") }

    private func schemaPaths(below folder: String) -> [String] {
        let inside = FilePath.join(SchemaStore.folder, folder)
        let names = (try? files.names(path(inside))) ?? []
        return names.flatMap { name -> [String] in
            let path = folder.isEmpty ? name : "\(folder)/\(name)"
            let whole = self.path("\(SchemaStore.folder)/\(path)")
            switch files.kind(whole) {
            case .directory where files.resolve(whole).map { $0.hasSuffix("/" + name) } ?? false:
                return schemaPaths(below: path)
            case .file where name.hasSuffix(".json"): return [path]
            default: return []
            }
        }
    }
}
