import ReqcliBasics
package import ReqcliText

/// A description of an API, with the files that it refers to.
///
/// References are followed when they are met. A reference that leads nowhere is added to `brokenReferences` only once.
package struct OpenAPIDocument {
    /// Reads another file by its path relative to the folder of the description.
    package typealias Load = @Sendable (_ path: String) -> Result<SourceFile, OpenAPIFileProblem>

    package let root: JSONValue
    package let version: OpenAPIVersion
    /// Mistakes in spite of which the description can be read, such as a key that occurs twice.
    package private(set) var warnings: [Diagnostic]
    package var brokenReferences: [BrokenReference] = []
    let files: OpenAPIFiles
    var references: ReferenceTable

    /// The key under which an exported description has the files of endpoints, environments and schemas.
    package static let notationKey = "x-reqcli"
    /// The version of the content of ``notationKey``. It is raised when a program can't read what older programs have written.
    package static let notationVersion = 1

    /// Whether reqcli has exported the description. Its operations and servers may then contain the content of workspace files.
    package var isExported: Bool {
        root[Self.notationKey]?["version"]?.numberText == String(Self.notationVersion)
    }

    /// Reads a description. The content is JSON or YAML, whatever the file's name is.
    package static func read(
        _ file: SourceFile,
        loading load: @escaping Load = { _ in .failure(OpenAPIFileProblem("there is no such file")) }
    ) throws(OpenAPIProblem) -> OpenAPIDocument {
        let document = OpenAPIText.read(file)
        let files = OpenAPIFiles(main: document, load: load)
        let diagnostics = document.diagnostics
        guard !diagnostics.contains(where: { $0.severity == .error }), let root = document.root else {
            throw OpenAPIProblem(diagnostics)
        }
        guard root.kind == .object else {
            throw OpenAPIProblem("expected an object that describes an API", at: root.place, hint: nil)
        }
        return OpenAPIDocument(
            root: root, version: try OpenAPIVersion.of(root),
            warnings: diagnostics + YAMLDocument.duplicateKeys(in: document), files: files,
            references: ReferenceTable(main: root, files: files))
    }

    /// A document for a JSON Schema that isn't part of a description, to make a ``SchemaSample``.
    package init?(schema: JSONDocument, loading load: @escaping Load) {
        guard let root = schema.root else { return nil }
        let files = OpenAPIFiles(main: schema, load: load)
        self.init(
            root: root, version: .v31, warnings: [], files: files, references: ReferenceTable(main: root, files: files))
    }

    private init(
        root: JSONValue, version: OpenAPIVersion, warnings: [Diagnostic], files: OpenAPIFiles,
        references: ReferenceTable
    ) {
        self.root = root
        self.version = version
        self.warnings = warnings
        self.files = files
        self.references = references
    }

    package mutating func title() -> String? { resolve(root["info"])?["title"]?.string }
}

/// The reason why a description can't be read.
package struct OpenAPIProblem: Error {
    package let diagnostics: [Diagnostic]

    init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

    init(_ message: String, at place: Place, hint: String?) {
        self.init([Diagnostic(code: .openAPI, message, at: place, hint: hint)])
    }
}

/// The reason why a file that a description refers to can't be read.
package struct OpenAPIFileProblem: Error, Sendable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}

extension Diagnostic.Code {
    package static let openAPI: Self = "openapi"
}

/// Reads JSON or YAML. The content decides which of the two it is.
enum OpenAPIText {
    static func read(_ file: SourceFile) -> JSONDocument {
        let start = file.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let first = file.bytes[start...].first { !$0.isJSONWhitespace }
        guard first == .openBrace || first == .openBracket else { return YAMLDocument.read(file) }
        let json = JSONDocument.read(file)
        if json.problems.isEmpty { return json }
        // A YAML mapping can begin with a brace, too, so the content may still be YAML.
        let yaml = YAMLDocument.read(file)
        return yaml.diagnostics.contains { $0.severity == .error } ? json : yaml
    }
}
