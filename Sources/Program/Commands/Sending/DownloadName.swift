import Exchange
import Foundation
import ReqcliBasics
import RequestBuilding

/// Chooses the name under which a download is kept. Whatever the server says, the name is never a path, never hidden and never
/// disguised, and no command or shell mistakes the name for something else (`-rf`, `~root`).
enum DownloadName {
    /// The longest name, in bytes. Usual file systems take such a name together with a suffix.
    private static let longest = 200

    static func choose(_ head: ResponseHead, url: URL?) -> String {
        let named = head.headers["Content-Disposition"].flatMap(fileName).map(safe) ?? ""
        return named.isEmpty ? choose(url: head.url ?? url) : named
    }

    /// The name from the URL alone.
    static func choose(url: URL?) -> String {
        let last = url?.path.split(separator: "/").last.map { safe(String($0)) } ?? ""
        return last.isEmpty ? "body" : last
    }

    /// `filename*` (RFC 8187) is preferred to `filename`.
    private static func fileName(_ header: String) -> String? {
        var plain: String?
        for part in split(header) {
            guard let equals = part.firstIndex(of: "=") else { continue }
            let key = part[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
            let value = part[part.index(after: equals)...].trimmingCharacters(in: .whitespaces)
            if key == "filename*" {
                if let decoded = extended(value) { return decoded }
            } else if key == "filename" {
                plain = unquoted(value)
            }
        }
        return plain
    }

    /// A value `CHARSET'LANGUAGE'percent-encoded`; nil for a character set that programs need not support, or for invalid bytes.
    private static func extended(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let bytes = Array(parts[2].utf8).withUnsafeBufferPointer(\.percentDecoded)
        return switch parts[0].lowercased() {
        case "utf-8": String(validating: bytes, as: UTF8.self)
        case "iso-8859-1": String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default: nil
        }
    }

    /// The parts between semicolons. A semicolon inside quotes doesn't count.
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
        let clean = last.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            // Removes these characters because some of them reverse the direction of text, so that `txt.exe` would be shown as
            // `exe.txt`.
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
            default: true
            }
        }
        let shown = String(String.UnicodeScalarView(clean)).trimmingCharacters(in: .whitespaces)
        return shortened(String(shown.drop { $0 == "." || $0 == "-" || $0 == "~" || $0.isWhitespace }))
    }

    /// The name, shortened if it is too long. The ending stays, because it tells the type of the file.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > longest else { return name }
        let ending = name.lastIndex(of: ".").map { name[$0...] }.flatMap { $0.utf8.count <= 16 ? $0 : nil } ?? ""
        return String(name.prefix(utf8: longest - ending.utf8.count) + ending)
    }
}
