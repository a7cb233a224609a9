package import ReqcliText

/// The folder that `$ref` can lead into. No other file is read, and nothing is fetched from the network.
///
/// Tests pass closures that read strings in memory.
package struct SchemaFolder: Sendable {
    /// The reason why a file cannot be read, such as "it is a folder".
    package struct Problem: Error {
        package let reason: String

        package init(_ reason: String) { self.reason = reason }
    }

    /// The URI of the folder, ending with a slash. The URI of a file is this URI followed by the file's path.
    let uri: String
    /// The name of the folder in messages.
    let name: String
    /// The document at a path below the folder; nil if there is no such file.
    let document: @Sendable (_ path: String) throws(Problem) -> JSONDocument?
    /// The paths of all schema files below the folder. The list is only read if a URI is not known or a file is missing.
    let paths: @Sendable () -> [String]

    package init(
        uri: String = "file:///schemas/", read: @escaping @Sendable (_ path: String) throws(Problem) -> SourceFile?,
        paths: @escaping @Sendable () -> [String]
    ) {
        self.init(
            uri: uri, named: "schemas/",
            document: { path throws(Problem) in try read(path).map { JSONDocument.read($0) } }, paths: paths)
    }

    /// A folder with a closure that reads its files, which may be in a format other than JSON.
    package init(
        uri: String, named name: String,
        document: @escaping @Sendable (_ path: String) throws(Problem) -> JSONDocument?,
        paths: @escaping @Sendable () -> [String] = { [] }
    ) {
        (self.uri, self.name, self.document, self.paths) = (uri, name, document, paths)
    }

    /// A folder without files.
    package static let empty = SchemaFolder(
        read: { (_: String) throws(Problem) -> SourceFile? in nil }, paths: { [] })

    /// The path below the folder that a URI means; nil if the URI is not inside the folder.
    func path(of uri: String) -> String? {
        guard uri.hasPrefix(self.uri) else { return nil }
        let path = uri.dropFirst(self.uri.count).percentDecoded
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let isInside = parts.allSatisfy {
            !["", ".", ".."].contains($0) && !$0.utf8.contains { $0 < 0x20 || $0 == 0x5C }
        }
        return isInside ? path : nil
    }

    /// Whether a URI is a path, so that only a file could be its target.
    func isPath(_ uri: URIReference) -> Bool {
        let own = URIReference(self.uri)
        return uri.scheme == own.scheme && uri.authority == own.authority
    }
}
