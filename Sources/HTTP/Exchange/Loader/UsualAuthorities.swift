#if os(Linux)
import CReqcliLibcurl
import Foundation

/// The certificates that are trusted if neither a request nor an environment variable names any.
enum UsualAuthorities: Equatable {
    /// The file or folder that libcurl was built with.
    case ofLibcurl
    case file(String)
    /// No certificates are in a usual place.
    case missing

    var file: String? { if case .file(let path) = self { path } else { nil } }

    /// The usual files, in this order: Debian, Alpine and Arch; Fedora and its relatives (two files); SUSE; other systems.
    static let places = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    ]

    /// - Parameters:
    ///   - preset: The files and folders that libcurl was built with; nil if libcurl doesn't report them.
    ///   - exists: Whether a path leads to something that can be read.
    init(preset: [String]?, exists: (String) -> Bool) {
        // Some builds use the certificate store of the system, and report no paths.
        guard let preset else {
            self = .ofLibcurl
            return
        }
        if preset.contains(where: exists) {
            self = .ofLibcurl
        } else {
            self = Self.places.first(where: exists).map(Self.file) ?? .missing
        }
    }

    /// The certificates of this system. Use this only after libcurl has been loaded.
    static let here = UsualAuthorities(preset: presetOfLibcurl, exists: { access($0, R_OK) == 0 })

    private static var presetOfLibcurl: [String]? {
        guard let easy = lc_easy_init() else { return nil }
        defer { lc_easy_cleanup(easy) }
        var paths: [String] = []
        for info in [LC_CURLINFO_CAINFO, LC_CURLINFO_CAPATH] {
            var path: UnsafePointer<CChar>?
            guard lc_get_string(easy, info, &path) == LC_CURLE_OK else { return nil }
            if let path { paths.append(String(cString: path)) }
        }
        return paths
    }
}
#endif
