import ReqcliBasics
package import ReqcliDefinitions
package import ReqcliText

/// A format that `reqcli import` reads.
///
/// A format is one file below `Formats/`, one line in `ImportFormats.all`, and a folder of fixtures. Help, completions and the table in the
/// docs come from the list.
package protocol ImportFormat: Sendable {
    /// The word of the command line: `curl`.
    static var name: String { get }
    /// A phrase for help and the docs: "curl commands, as browsers copy them".
    static var summary: String { get }
    /// The ends of file names that no other format has, in lower case and without the dot.
    static var extensions: [String] { get }
    /// Whether `import --update` takes over newer versions of a source.
    static var isUpdatable: Bool { get }
    /// Whether a text is of this format. Only a clear mark counts.
    static func looksLike(_ file: SourceFile) -> Bool
    /// Whether a broken text of this format may look like one of another format in lines of text, such as Hurl and `.http`.
    static var isMistakable: Bool { get }
    /// Reads a source. What isn't carried over is added to the notes.
    static func read(
        _ source: ImportSource, _ options: ImportOptions, _ notes: inout [ConversionNote]
    ) throws(ImportProblem) -> ImportedAPI
}

extension ImportFormat {
    package static var isUpdatable: Bool { false }
    package static var isMistakable: Bool { false }
    package static var extensions: [String] { [] }
}

/// The texts to import, read from files, a folder, a URL or standard input.
package struct ImportSource: Sendable {
    /// One file, or those of a folder in the order of their paths.
    package let files: [SourceFile]
    /// The URL that the text comes from, after redirects.
    package let url: String?
    /// The words of a command, which a shell has split already.
    package let arguments: [String]
    /// Reads another file by its path as seen from the first one. Fails for a path outside the source's folder.
    package let read: @Sendable (String) -> Result<SourceFile, FileProblem>

    package init(
        _ files: [SourceFile], url: String? = nil, arguments: [String] = [],
        read: @escaping @Sendable (String) -> Result<SourceFile, FileProblem> = { _ in .failure(FileProblem(.missing)) }
    ) {
        self.files = files
        self.url = url
        self.arguments = arguments
        self.read = read
    }
}

/// The choices of the user that readers need.
package struct ImportOptions: Sendable {
    /// Keep what is noise otherwise, and the very bytes of query and form.
    package var isExact = false
    /// How to read the quoting of curl commands; nil tells it from the text.
    package var shell: String?
    package var stubs = Stubs.examples
    /// Whether responses are described by JSON Schema.
    package var hasSchemas = true
    /// Whether everything that a recording holds is imported, pages and images included.
    package var takesAll = false
    /// The group above all others, if the user named one.
    package var group: String?

    package enum Stubs: String, Sendable, CaseIterable {
        case none, examples, all
    }

    package init() {}
}

package enum ImportFormats {
    /// Every format, in the order in which a text is tried.
    package static let all: [any ImportFormat.Type] = [
        CurlImport.self, OpenAPIImport.self, PostmanImport.self, HARImport.self, HurlImport.self, HTTPFileImport.self,
        BrunoImport.self,
    ]

    private static let otherNames = [
        "swagger": "openapi", "oas": "openapi", "bru": "bruno", "rest": "http",
    ]

    /// Asks for the format that a word that is none may mean; nil if none is near.
    package static func question(for word: String) -> String? {
        if let name = otherNames[word.lowercased()] { return NearNames.question([name]) }
        return NearNames.question(for: word, among: all.map { $0.name })
    }
}
