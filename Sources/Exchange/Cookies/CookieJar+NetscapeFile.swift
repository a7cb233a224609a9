import Foundation

/// The file format that curl, wget and Netscape have in common: one cookie a line, seven fields between tabs.
extension CookieJar {
    /// Reads such a file; lines that aren't cookies are passed over.
    public init(netscapeFile text: String) {
        self.init()
        for line in Self.lines(of: text) {
            guard let cookie = try? Cookie(netscapeLine: line) else { continue }
            set(cookie, now: .distantPast)
        }
    }

    /// Reads such a file; a line that is neither a cookie nor a comment nor empty is an error, so that no file of
    /// another kind is taken for a jar, and lost when the jar is written back.
    public init(checkingNetscapeFile text: String) throws(CookieFileError) {
        self.init()
        for (index, line) in Self.lines(of: text).enumerated() {
            do throws(Cookie.LineProblem) {
                guard let cookie = try Cookie(netscapeLine: line) else { continue }
                set(cookie, now: .distantPast)
            } catch {
                throw CookieFileError(line: index + 1, reason: error.reason)
            }
        }
    }

    /// The text of such a file, which curl reads with `-b` and writes with `-c`.
    public var netscapeFile: String {
        let header = [
            "# Netscape HTTP Cookie File",
            "# One cookie a line: domain, subdomains, path, secure, expires, name, value", "",
        ]
        return (header + cookies.map(\.netscapeLine)).joined(separator: "\n") + "\n"
    }

    private static func lines(of text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    }
}

/// Why a file is no cookie jar.
public struct CookieFileError: Error, Hashable, Sendable {
    /// The line, counted from 1.
    public let line: Int
    /// What was found there, and what was expected.
    public let reason: String
}

extension Cookie {
    struct LineProblem: Error {
        let reason: String
    }

    private static let httpOnlyMark = "#HttpOnly_"
    /// The end of the year 9999; what is meant to last for ever is written as a number that no calendar has.
    private static let farthest = 253_402_300_799.0

    /// The cookie of a line; nil for one that is empty or a comment.
    fileprivate init?(netscapeLine text: Substring) throws(LineProblem) {
        var line = text
        let isHTTPOnly = line.hasPrefix(Self.httpOnlyMark)
        if isHTTPOnly { line = line.dropFirst(Self.httpOnlyMark.count) }
        if line.hasPrefix("#") || line.allSatisfy(\.isWhitespace) { return nil }
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        // Where the value is empty, some leave out its tab.
        guard fields.count == 6 || fields.count == 7 else {
            throw LineProblem(
                reason: "expected seven fields between tabs (domain, subdomains, path, secure, expires, name, value); "
                    + "found \(fields.count)")
        }
        let domain = fields[0].hasPrefix(".") ? String(fields[0].dropFirst()) : fields[0]
        guard !domain.isEmpty else { throw LineProblem(reason: "expected a domain in the first field; found none") }
        guard fields[2].hasPrefix("/") else {
            throw LineProblem(reason: "expected a path that begins with / in the third field")
        }
        guard let expires = Double(fields[4]), expires.isFinite else {
            throw LineProblem(reason: "expected seconds since 1970 in the fifth field, or 0 for a session's cookie")
        }
        guard !fields[5].isEmpty else { throw LineProblem(reason: "expected a name in the sixth field; found none") }
        self.init(
            name: fields[5], value: fields.count > 6 ? fields[6] : "", domain: domain.lowercased(),
            isHostOnly: try Self.flag(fields[1], "second") == false, path: fields[2],
            expires: expires == 0 ? nil : Date(timeIntervalSince1970: min(max(expires, -1), Self.farthest)),
            isSecure: try Self.flag(fields[3], "fourth"), isHTTPOnly: isHTTPOnly)
        guard [name, value, path, self.domain].allSatisfy(WireSyntax.isFieldValue) else {
            throw LineProblem(reason: "a cookie can't have control characters")
        }
        // It would be several cookies on its way.
        guard !name.contains(";"), !value.contains(";") else {
            throw LineProblem(reason: "a cookie's name and value can't have a semicolon")
        }
    }

    private static func flag(_ text: String, _ place: String) throws(LineProblem) -> Bool {
        switch text.uppercased() {
        case "TRUE": return true
        case "FALSE": return false
        default: throw LineProblem(reason: "expected TRUE or FALSE in the \(place) field")
        }
    }

    fileprivate var netscapeLine: String {
        [
            (isHTTPOnly ? Self.httpOnlyMark : "") + (isHostOnly ? "" : ".") + domain,
            isHostOnly ? "FALSE" : "TRUE", path, isSecure ? "TRUE" : "FALSE",
            "\(expires.map { Int64($0.timeIntervalSince1970.rounded(.up)) } ?? 0)", name, value,
        ].joined(separator: "\t")
    }
}
