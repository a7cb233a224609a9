import Foundation

/// The file format that curl, wget and Netscape have in common: one cookie a line, seven fields between tabs.
extension CookieJar {
    /// Reads such a file; lines that aren't cookies are passed over.
    public init(netscapeFile text: String) {
        self.init()
        for line in text.split(whereSeparator: \.isNewline) {
            var line = line
            let isHTTPOnly = line.hasPrefix(Self.httpOnlyMark)
            if isHTTPOnly { line = line.dropFirst(Self.httpOnlyMark.count) }
            if line.hasPrefix("#") { continue }
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count >= 6, let expires = Double(fields[4]), !fields[5].isEmpty else { continue }
            let domain = fields[0].hasPrefix(".") ? String(fields[0].dropFirst()) : fields[0]
            let cookie = Cookie(
                name: fields[5], value: fields.count > 6 ? fields[6] : "", domain: domain.lowercased(),
                isHostOnly: fields[1].uppercased() != "TRUE", path: fields[2],
                expires: expires == 0 ? nil : Date(timeIntervalSince1970: expires),
                isSecure: fields[3].uppercased() == "TRUE", isHTTPOnly: isHTTPOnly)
            set(cookie, now: .distantPast)
        }
    }

    /// The text of such a file, which curl reads with `-b` and writes with `-c`.
    public var netscapeFile: String {
        var lines = [
            "# Netscape HTTP Cookie File",
            "# One cookie a line: domain, subdomains, path, secure, expires, name, value", "",
        ]
        for cookie in cookies {
            let fields = [
                (cookie.isHTTPOnly ? Self.httpOnlyMark : "") + (cookie.isHostOnly ? "" : ".") + cookie.domain,
                cookie.isHostOnly ? "FALSE" : "TRUE", cookie.path, cookie.isSecure ? "TRUE" : "FALSE",
                "\(cookie.expires.map { Int64($0.timeIntervalSince1970) } ?? 0)", cookie.name, cookie.value,
            ]
            lines.append(fields.joined(separator: "\t"))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let httpOnlyMark = "#HttpOnly_"
}
