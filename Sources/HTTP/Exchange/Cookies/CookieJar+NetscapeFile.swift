import Foundation
import RequestBuilding

/// The file format of curl, wget and Netscape: one cookie per line, with seven fields separated by tabs.
extension CookieJar {
    /// Reads a cookie file and ignores lines that are not cookies.
    public init(netscapeFile text: String) {
        self.init()
        for line in text.parts(at: Self.lineEnd) {
            guard case .cookie(let cookie)? = try? Cookie.Line(Array(line.utf8)) else { continue }
            set(cookie, now: .distantPast)
        }
    }

    /// Reads a cookie file. Each line must be a cookie, a comment or empty. Any other line is an error, so that another kind of
    /// file is not mistaken for a jar and overwritten.
    package init(checkingNetscapeFile text: String) throws(CookieFileError) {
        try self.init(checkingNetscapeFile: Array(text.utf8)) { _ in }
    }

    /// Reads the bytes of a cookie file.
    ///
    /// - Parameter onRefused: Called for each cookie that the jar cannot store. Another program may have written such a cookie to
    ///   the file.
    package init(
        checkingNetscapeFile bytes: [UInt8], onRefused: (RefusedCookie) -> Void
    ) throws(CookieFileError) {
        self.init()
        for (index, line) in bytes.split(separator: Self.lineEnd, omittingEmptySubsequences: false).enumerated() {
            do throws(Cookie.LineProblem) {
                switch try Cookie.Line(Array(line)) {
                case .nothing: continue
                case .cookie(let cookie): set(cookie, now: .distantPast)
                case .refused(let refused): onRefused(refused)
                }
            } catch {
                throw CookieFileError(line: index + 1, reason: error.reason)
            }
        }
    }

    private static let lineEnd = UInt8(ascii: "\n")

    /// The content of a cookie file, in the format that curl reads with `-b` and writes with `-c`.
    public var netscapeFile: String {
        let header = [
            "# Netscape HTTP Cookie File",
            "# One cookie a line: domain, subdomains, path, secure, expires, name, value", "",
        ]
        return (header + cookies.map(\.netscapeLine)).joined(separator: "\n") + "\n"
    }
}

/// The error for a file that is not a cookie jar.
package struct CookieFileError: DescribedError, Hashable, Sendable {
    /// The line, counted from 1.
    package let line: Int
    /// The mistake in the line: what was expected, and what was found.
    package let reason: String
    /// The line and the reason.
    package var description: String { "line \(line): \(reason)" }
}

extension Cookie {
    struct LineProblem: Error {
        let reason: String
    }

    fileprivate static let httpOnlyMark = "#HttpOnly_"
    /// The end of the year 9999. For a cookie that never expires, some programs write a number that is beyond any calendar.
    fileprivate static let farthest = 253_402_300_799.0

    /// The content of a line.
    fileprivate enum Line {
        /// An empty line or a comment.
        case nothing
        case cookie(Cookie)
        case refused(RefusedCookie)
    }

    fileprivate var netscapeLine: String {
        [
            (isHTTPOnly ? Self.httpOnlyMark : "") + (isHostOnly ? "" : ".") + domain,
            isHostOnly ? "FALSE" : "TRUE", path, isSecure ? "TRUE" : "FALSE",
            "\(expires.map { Int64($0.timeIntervalSince1970.rounded(.up)) } ?? 0)", name, value,
        ].joined(separator: "\t")
    }
}

extension Cookie.Line {
    fileprivate init(_ bytes: [UInt8]) throws(Cookie.LineProblem) {
        let bytes = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes[...]
        var line = String(decoding: bytes, as: UTF8.self)
        let isHTTPOnly = line.hasPrefix(Cookie.httpOnlyMark)
        if isHTTPOnly { line.removeFirst(Cookie.httpOnlyMark.count) }
        if line.hasPrefix("#") || line.allSatisfy(\.isWhitespace) {
            self = .nothing
            return
        }
        let fields = line.parts(at: UInt8(ascii: "\t"))
        // If the value is empty, some programs leave out the tab before it.
        guard fields.count == 6 || fields.count == 7 else {
            throw Cookie.LineProblem(
                reason: "expected seven fields between tabs (domain, subdomains, path, secure, expires, name, value); "
                    + "found \(fields.count)")
        }
        let domain = fields[0].hasPrefix(".") ? String(fields[0].dropFirst()) : fields[0]
        guard !domain.isEmpty else {
            throw Cookie.LineProblem(reason: "expected a domain in the first field; found none")
        }
        guard fields[2].utf8.first == UInt8(ascii: "/") else {
            throw Cookie.LineProblem(reason: "expected a path that begins with / in the third field")
        }
        guard let expires = Double(fields[4]), expires.isFinite else {
            throw Cookie.LineProblem(
                reason: "expected seconds since 1970 in the fifth field, or 0 for a session's cookie")
        }
        guard !fields[5].isEmpty else {
            throw Cookie.LineProblem(reason: "expected a name in the sixth field; found none")
        }
        let cookie = Cookie(
            name: fields[5], value: fields.count > 6 ? fields[6] : "", domain: domain.lowercased(),
            isHostOnly: try Self.flag(fields[1], "second") == false, path: fields[2],
            expires: expires == 0 ? nil : Date(timeIntervalSince1970: min(max(expires, -1), Cookie.farthest)),
            isSecure: try Self.flag(fields[3], "fourth"), isHTTPOnly: isHTTPOnly)
        if let flaw = Cookie.flaw(in: bytes) ?? cookie.flaw {
            self = .refused(RefusedCookie(name: cookie.name, host: cookie.domain, reason: flaw))
        } else {
            self = .cookie(cookie)
        }
    }

    private static func flag(_ text: String, _ place: String) throws(Cookie.LineProblem) -> Bool {
        switch text.uppercased() {
        case "TRUE": return true
        case "FALSE": return false
        default: throw Cookie.LineProblem(reason: "expected TRUE or FALSE in the \(place) field")
        }
    }
}
