import Exchange
import Foundation
import RequestBuilding

/// The name under which a download is kept: never a path, never hidden, whatever the server says.
enum DownloadName {
    static func choose(_ head: ResponseHead, url: URL?) -> String {
        let named = head.headers["Content-Disposition"].flatMap(fileName)
        let last = (head.url ?? url)?.path.split(separator: "/").last.map(String.init)
        return [named, last].compactMap(\.self).map(safe).first { !$0.isEmpty } ?? "body"
    }

    /// `filename*` (RFC 8187) is preferred to `filename`.
    private static func fileName(_ header: String) -> String? {
        var plain: String?
        for part in split(header) {
            guard let equals = part.firstIndex(of: "=") else { continue }
            let key = part[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
            let value = part[part.index(after: equals)...].trimmingCharacters(in: .whitespaces)
            if key == "filename*", let mark = value.range(of: "''") {
                if let decoded = String(value[mark.upperBound...]).removingPercentEncoding { return decoded }
            } else if key == "filename" {
                plain = unquoted(value)
            }
        }
        return plain
    }

    /// Parts between semicolons that are not inside quotes.
    private static func split(_ header: String) -> [String] {
        var parts = [""]
        var isQuoted = false
        var isEscaped = false
        for character in header {
            if character == ";", !isQuoted {
                parts.append("")
                continue
            }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = character == "\\" && !isEscaped
            parts[parts.count - 1].append(character)
        }
        return parts
    }

    private static func unquoted(_ value: String) -> String {
        guard value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") else { return value }
        var result = ""
        var isEscaped = false
        for character in value.dropFirst().dropLast() {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                result.append(character)
                isEscaped = false
            }
        }
        return result
    }

    private static func safe(_ name: String) -> String {
        let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
        let clean = last.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
        return String(String(String.UnicodeScalarView(clean)).drop { $0 == "." }.prefix(120))
    }
}
