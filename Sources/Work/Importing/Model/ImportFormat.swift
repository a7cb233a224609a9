import ReqcliBasics
package import ReqcliDefinitions
package import ReqcliText

/// A format that `reqcli import` reads.
///
/// A format is one file or folder below `Formats/`, one line in `ImportFormats.all`, and a folder of fixtures. Help, completions
/// and the table in the docs are made from this list.
package protocol ImportFormat: Sendable {
    /// The name on the command line: `curl`.
    static var name: String { get }
    /// A phrase for help and the docs: "curl commands, as browsers copy them".
    static var summary: String { get }
    /// The file extensions that no other format has, in lower case and without the dot.
    static var extensions: [String] { get }
    /// The names of hidden folders that belong to a source. Other hidden files and folders are not read.
    static var hiddenFolders: [String] { get }
    /// Whether `import --update` supports newer versions of a source in this format.
    static var isUpdatable: Bool { get }
    /// Whether a file is in this format. The result is true only if the file has a clear mark of the format.
    static func looksLike(_ file: SourceFile) -> Bool
    /// Whether an invalid file of this format may look like a file of another line-based format. For example, an invalid Hurl
    /// file may look like a `.http` file.
    static var isMistakable: Bool { get }
    /// Reads a source. Adds a note for everything that isn't converted.
    static func read(
        _ source: ImportSource, _ options: ImportOptions, _ notes: inout [ConversionNote]
    ) throws(ImportProblem) -> ImportedAPI
}

extension ImportFormat {
    package static var isUpdatable: Bool { false }
    package static var isMistakable: Bool { false }
    package static var extensions: [String] { [] }
    package static var hiddenFolders: [String] { [] }
}

/// The input of an import, read from files, a folder, a URL or standard input.
package struct ImportSource: Sendable {
    /// One file, or the files of a folder in the order of their paths.
    package let files: [SourceFile]
    /// The URL that the source was read from, after redirects.
    package let url: String?
    /// The words of a command, if a shell has already split the command into words.
    package let arguments: [String]
    /// Reads another file by its path relative to the first file. Fails for a path outside the source's folder.
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
    /// Whether the exact bytes of query and form are kept, and headers that are usually left out.
    package var isExact = false
    /// The shell that curl commands are quoted for; nil to guess it from the text.
    package var shell: String?
    package var stubs = Stubs.examples
    /// Whether responses are described by JSON Schema.
    package var hasSchemas = true
    /// Whether everything in a recording is imported, including pages and images.
    package var takesAll = false
    /// Whether the requests are sent once and not written. If so, ranges in URLs become a request for each URL, and the content of
    /// files stands for the files that curl changes before it sends them.
    package var isCall = false
    /// The outermost group, if the user named one.
    package var group: String?

    package enum Stubs: String, Sendable, CaseIterable {
        case none, examples, all
    }

    package init() {}
}

package enum ImportFormats {
    /// Every format, in the order in which the formats are tried for a source.
    package static let all: [any ImportFormat.Type] = [
        CurlImport.self, OpenAPIImport.self, PostmanImport.self, HARImport.self, HurlImport.self, HTTPFileImport.self,
        BrunoImport.self, InsomniaImport.self,
    ]

    /// The names of hidden folders that belong to sources of any format.
    package static let hiddenFolders = Set(all.flatMap { $0.hiddenFolders })

    private static let otherNames = [
        "swagger": "openapi", "oas": "openapi", "bru": "bruno", "rest": "http",
    ]

    /// A question such as "did you mean …" for a word that isn't the name of a format; nil if no name is similar.
    package static func question(for word: String) -> String? {
        if let name = otherNames[word.lowercased()] { return NearNames.question([name]) }
        return NearNames.question(for: word, among: all.map { $0.name })
    }
}
