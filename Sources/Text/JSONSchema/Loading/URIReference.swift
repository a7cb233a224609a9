import ReqcliBasics

/// The parts of a URI or a relative reference (RFC 3986). The URI need not be valid: any string can be split into these parts.
struct URIReference: Sendable {
    var scheme: String?
    var authority: String?
    var path: String
    var query: String?
    var fragment: String?

    init(_ text: String) {
        var rest = Substring(text)
        func cut(at byte: UInt8) -> String? {
            guard let index = rest.utf8.firstIndex(of: byte) else { return nil }
            defer { rest = rest[..<index] }
            return String(rest[rest.utf8.index(after: index)...])
        }
        fragment = cut(at: UInt8(ascii: "#"))
        query = cut(at: UInt8(ascii: "?"))
        if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
            scheme = rest[..<colon].lowercased()
            rest = rest[rest.utf8.index(after: colon)...]
        }
        if rest.utf8.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = String(rest[..<end])
            rest = rest[end...]
        }
        path = String(rest)
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first.isLetter else { return false }
        return text.utf8.allSatisfy { $0.isAlphanumeric || "+-.".utf8.contains($0) }
    }

    var text: String {
        (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path + (query.map { "?" + $0 } ?? "")
            + (fragment.map { "#" + $0 } ?? "")
    }

    /// The URI without its fragment, which identifies a resource.
    var resource: String {
        var copy = self
        copy.fragment = nil
        return copy.text
    }

    /// Resolves this reference, which is in a document with the given URI (RFC 3986, section 5.2).
    func resolved(against base: URIReference) -> URIReference {
        var target = self
        if scheme == nil {
            target.scheme = base.scheme
            if authority == nil {
                target.authority = base.authority
                if path.isEmpty {
                    target.path = base.path
                    target.query = query ?? base.query
                    return target
                }
                if !path.utf8.starts(with: "/".utf8) { target.path = merged(with: base) }
            }
        }
        target.path = Self.withoutDots(target.path)
        return target
    }

    private func merged(with base: URIReference) -> String {
        if base.authority != nil, base.path.isEmpty { return "/" + path }
        guard let slash = base.path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(base.path[...slash]) + path
    }

    /// The path without `.` and `..`. A URN's path has no segments and is unchanged.
    private static func withoutDots(_ path: String) -> String {
        guard path.utf8.starts(with: "/".utf8) else { return path }
        var segments: [Substring] = []
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            switch part {
            case ".", "..":
                if part == ".." { _ = segments.popLast() }
                if index == parts.count - 1 { segments.append("") }
            default: segments.append(part)
            }
        }
        return "/" + segments.joined(separator: "/")
    }
}

extension StringProtocol {
    /// The string after percent-decoding: `%41` becomes `A`. A percent sign without two hexadecimal digits is unchanged.
    package var percentDecoded: String {
        guard utf8.contains(UInt8(ascii: "%")) else { return String(self) }
        return Array(utf8).withUnsafeBufferPointer { String(decoding: $0.percentDecoded, as: UTF8.self) }
    }
}
