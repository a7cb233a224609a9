import ReqcliBasics
import RequestBuilding

/// A URL of a source, split into its parts. Any part may contain placeholders.
package struct URLText: Sendable, Equatable {
    /// The scheme and the authority, or the placeholder before the path. Nil if the URL begins with the path.
    package var base: TemplateText?
    /// The path with a `/` at its start, percent-encoded. Empty if the URL is only a base
    /// that begins or ends with a placeholder, since the value may have a path.
    package var path: TemplateText
    /// The text after the `?`, as the source has it.
    package var query: TemplateText?
    /// The text before the `@`: `user:password`, percent-encoded.
    package var account: TemplateText?
    package var hasFragment = false

    /// Splits a URL.
    ///
    /// - Parameter scheme: The scheme for a URL without a scheme.
    package init(_ text: TemplateText, scheme: String = "http") {
        let withoutFragment = text.split(by: UInt8(ascii: "#"), atMost: 2)
        hasFragment = withoutFragment.count > 1
        let sides = withoutFragment[0].split(by: UInt8(ascii: "?"), atMost: 2)
        query = sides.count > 1 ? sides[1] : nil
        let parts = sides[0].split(by: UInt8(ascii: "/"))
        var segments = parts[...]
        if parts.count > 2, parts[1].isEmpty, parts[0].endsWithColon || parts[0].isEmpty {
            let start =
                parts[0].isEmpty ? TemplateText(literal: scheme + ":") : parts[0].mappingLiterals(\.lowercasedASCII)
            base = [start, TemplateText([]), Self.authority(parts[2], &account)].joined(by: "/")
            segments = parts.dropFirst(3)
        } else if let first = parts.first, !first.isEmpty {
            segments = parts.dropFirst()
            if case .placeholder? = first.pieces.first {
                base = first
            } else {
                base = [TemplateText(literal: scheme + ":"), TemplateText([]), Self.authority(first, &account)]
                    .joined(by: "/")
            }
        } else {
            segments = parts.dropFirst()
        }
        path = ([TemplateText([])] + segments).joined(by: "/").mappingLiterals(PercentEncoding.path)
        let isOpen = [base?.pieces.first, base?.pieces.last].contains {
            if case .placeholder? = $0 { true } else { false }
        }
        if path.isEmpty, !isOpen { path = TemplateText(literal: "/") }
    }

    private static func authority(_ text: TemplateText, _ account: inout TemplateText?) -> TemplateText {
        let parts = text.split(by: UInt8(ascii: "@"))
        guard parts.count > 1, let host = parts.last else { return text }
        account = parts.dropLast().map { $0 }.joined(by: "@")
        return host
    }
}

extension URLText {
    /// User and password of the account, decoded.
    package var credentials: (user: TemplateText, password: TemplateText)? {
        guard let account else { return nil }
        let parts = account.split(by: .colon, atMost: 2).map { $0.mappingLiterals { PercentEncoding.decoded($0) } }
        return (parts[0], parts.count > 1 ? parts[1] : TemplateText([]))
    }
}

extension TemplateText {
    fileprivate var endsWithColon: Bool {
        if case .literal(let text)? = pieces.last { text.hasSuffix(":") } else { false }
    }
}

extension String {
    var lowercasedASCII: String { String(decoding: utf8.map(\.lowercased), as: UTF8.self) }
}
