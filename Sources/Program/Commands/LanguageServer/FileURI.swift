import ReqcliBasics
import ReqcliDefinitions
import RequestBuilding

/// Paths of files as editors name them: `file:///home/ada/api/endpoints/user.json`.
enum FileURI {
    /// The absolute path; nil for URIs of other kinds.
    static func path(_ uri: String) -> String? {
        guard uri.lowercased().hasPrefix("file://") else { return nil }
        let rest = uri.dropFirst("file://".count)
        guard let slash = rest.firstIndex(of: "/") else { return nil }
        let host = rest[..<slash]
        guard host.isEmpty || host == "localhost" else { return nil }
        let decoded = Array(rest[slash...].utf8).withUnsafeBufferPointer { $0.percentDecoded }
        return String(validating: decoded, as: UTF8.self).map { FilePath.tidy($0) }
    }

    static func uri(of path: String) -> String { "file://" + PercentEncoding.path(path) }
}
