package import Foundation
import ReqcliBasics
import RequestBuilding

/// The `Location` of a redirect, or another link from a server, as the bytes that the server sent.
///
/// Servers also send locations that RFC 3986 does not allow. Such a location is read as in curl: escapes are kept, and only bytes
/// that are not allowed in a URL are percent-encoded. An absolute URL may have one to three slashes before its host. Control
/// characters are rejected.
package struct RedirectLocation {
    let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// The URL that the location leads to. A relative location is resolved against the URL of the request (RFC 3986 §5.2).
    package func target(from base: URL) throws(Problem) -> URL {
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { throw Problem("it has a control character") }
        let reference = URLReference(bytes[...])
        let base = URLReference(Array(base.absoluteString.utf8)[...])
        let scheme = (reference.scheme ?? base.scheme).map { String(decoding: $0, as: UTF8.self).lowercased() } ?? ""
        guard scheme == "http" || scheme == "https" else {
            throw Problem("it leads to \(scheme):, not to http or https")
        }
        let isAbsolute = reference.scheme != nil || reference.authority != nil
        var text = "\(scheme)://" + (try Self.authority(isAbsolute ? reference.authority : base.authority))
        if isAbsolute || !reference.path.isEmpty {
            let isRooted = isAbsolute || reference.path.first == UInt8(ascii: "/")
            let path = isRooted ? Array(reference.path) : base.folder + reference.path
            text += Self.encoded(Self.removingDotSegments(path)[...])
        } else {
            // A reference without a path refers to the base document, so the base's path is kept as it was sent.
            text += Self.encoded(base.path)
        }
        let keepsQuery = !isAbsolute && reference.path.isEmpty && reference.query == nil
        if let query = keepsQuery ? base.query : reference.query { text += "?\(Self.encoded(query))" }
        if let fragment = reference.fragment ?? base.fragment { text += "#\(Self.encoded(fragment))" }
        guard let url = URL(string: text, encodingInvalidCharacters: false) else { throw Problem("it is not a URL") }
        return url
    }

    /// The reason why the redirect cannot be followed.
    package struct Problem: Error {
        package let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    /// The location for messages. A long location is replaced by its size instead of being cut, because a secret that is cut could
    /// not be masked.
    var shown: String {
        bytes.count > 2000 ? "of \(bytes.count) bytes" : "\"\(String(decoding: bytes, as: UTF8.self))\""
    }

    // MARK: Parts

    private static func encoded(_ part: ArraySlice<UInt8>) -> String {
        PercentEncoding.encodingWhatURLsCannotHold(part)
    }

    /// Host and port. A user name and password in the location are left out.
    private static func authority(_ text: ArraySlice<UInt8>?) throws(Problem) -> String {
        var rest = text ?? []
        if let at = rest.lastIndex(of: UInt8(ascii: "@")) { rest = rest[(at + 1)...] }
        let afterAddress = rest.lastIndex(of: UInt8(ascii: "]")).map { $0 + 1 } ?? rest.startIndex
        let colon = rest[afterAddress...].firstIndex(of: UInt8(ascii: ":")) ?? rest.endIndex
        guard colon > rest.startIndex else { throw Problem("it has no host") }
        guard let host = HostName.inURL(rest[..<colon]) else { throw Problem("its host is not a name or an address") }
        let digits = rest[colon...].dropFirst()
        if digits.isEmpty { return host }
        guard digits.allSatisfy(\.isDigit),
            let port = Int(String(decoding: digits, as: UTF8.self)), (1...65535).contains(port)
        else { throw Problem("its port is not a number from 1 to 65535") }
        return "\(host):\(port)"
    }

    /// Removes dot segments (RFC 3986 §5.2.4). The result is never empty, but at least `/`.
    private static func removingDotSegments(_ path: [UInt8]) -> [UInt8] {
        var result: [ArraySlice<UInt8>] = []
        let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            if segment.elementsEqual("..".utf8) { _ = result.popLast() }
            if segment.elementsEqual("..".utf8) || segment.elementsEqual(".".utf8) {
                if isLast { result.append([]) }
            } else {
                result.append(segment)
            }
        }
        return result.isEmpty ? [UInt8(ascii: "/")] : result.flatMap { [UInt8(ascii: "/")] + $0 }
    }
}

/// The parts of a URL reference (RFC 3986, appendix B), not decoded.
private struct URLReference {
    var scheme: ArraySlice<UInt8>?
    var authority: ArraySlice<UInt8>?
    var path: ArraySlice<UInt8>
    var query: ArraySlice<UInt8>?
    var fragment: ArraySlice<UInt8>?

    init(_ text: ArraySlice<UInt8>) {
        var rest = text
        fragment = Self.cut(&rest, at: UInt8(ascii: "#"))
        query = Self.cut(&rest, at: UInt8(ascii: "?"))
        let slash = UInt8(ascii: "/")
        let word = rest.prefix { $0 != UInt8(ascii: ":") && Self.isSchemeByte($0) }
        if !word.isEmpty, word.endIndex < rest.endIndex, rest[word.endIndex] == UInt8(ascii: ":") {
            scheme = word
            rest = rest[(word.endIndex + 1)...]
        }
        let slashes = rest.prefix { $0 == slash }.count
        if slashes >= (scheme == nil ? 2 : 1) {
            rest = rest.dropFirst(min(slashes, 3))
            authority = rest.prefix { $0 != slash }
            rest = rest.dropFirst(authority?.count ?? 0)
        }
        path = rest
    }

    /// The folder that relative paths start from.
    var folder: [UInt8] {
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return [UInt8(ascii: "/")] }
        return Array(path[...slash])
    }

    private static func cut(_ text: inout ArraySlice<UInt8>, at mark: UInt8) -> ArraySlice<UInt8>? {
        guard let index = text.firstIndex(of: mark) else { return nil }
        defer { text = text[..<index] }
        return text[(index + 1)...]
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte == .plus || byte == .minus || byte == .point
    }
}
