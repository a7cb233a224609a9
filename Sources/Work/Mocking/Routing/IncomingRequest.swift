import Exchange
package import HTTPWire
package import ReqcliBasics
import ReqcliText
import RequestBuilding

/// A request as it arrived, split into parts that can be compared. Everything in its target is percent-decoded.
///
/// A class, because the engine, the journal and the log share it.
package final class IncomingRequest: Sendable {
    package let method: String
    /// The path as received.
    package let path: String
    /// The segments of the path between the slashes. Each segment is decoded separately, so that a `%2F` does not divide a
    /// segment.
    package let segments: [String]
    package let query: [Field]
    /// The query as received.
    let rawQuery: String?
    private let headerLines: HeaderLines
    package let body: [UInt8]
    /// The body without its content coding, for comparing.
    let content: [UInt8]
    /// The number of bytes of `content` if the body was decoded, else 0.
    private let decodedSize: Int
    /// Whether `body` is only the start of the body.
    package let isCut: Bool
    /// The session whose choices and turns determine the response.
    package let session: String
    /// The host and port that the request is for, as received.
    package let authority: String?

    /// A name with its value.
    package struct Field: Hashable, Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The parts of a request that have named values. The body has them if it is a form or JSON.
    enum Part: CaseIterable { case query, headers, body }

    /// Splits a request into its parts.
    ///
    /// - Parameters:
    ///   - path: The path of the target, as received.
    ///   - query: The part after the question mark, as received.
    ///   - authority: The host and port that the request is for.
    package init(
        method: String, path: String, query: String?, headers: HeaderLines = .none, body: [UInt8] = [],
        isCut: Bool = false, session: String = standardSession, authority: String? = nil
    ) {
        self.method = method
        self.path = path
        segments = Self.segments(path)
        self.query = query.map(Self.fields) ?? []
        rawQuery = query
        headerLines = headers
        self.body = body
        let codings = body.isEmpty || isCut ? [] : headers.values(of: "Content-Encoding")
        let decoded = codings.isEmpty ? nil : try? ContentCoding.decode(body, codings, limit: Self.longestContent)
        content = decoded ?? body
        decodedSize = decoded?.count ?? 0
        self.isCut = isCut
        self.session = session
        self.authority = authority
    }

    /// The maximum size of a decoded body. A larger body is compared without decoding.
    private static let longestContent = 16 << 20

    /// The request with at most this many bytes of its body.
    func keeping(bodyUpTo limit: Int) -> IncomingRequest {
        IncomingRequest(
            method: method, path: path, query: rawQuery, headers: headerLines, body: Array(body.prefix(limit)),
            isCut: true, session: session, authority: authority)
    }

    /// Whether the request is `OPTIONS *`. Such a request is about the server itself (RFC 9110, section 9.3.7).
    var isForServer: Bool { path.utf8.first == .asterisk }

    /// The host and port that the request is for, in lowercase.
    package var host: String? { authority?.asciiLowercased }

    package var headers: [Field] { headerLines.fields.map { Field($0.name, $0.value) } }

    /// The values of all headers of this name.
    package func headers(named name: String) -> [String] { headerLines.values(of: name) }

    /// The value of the first header of this name.
    package func header(_ name: String) -> String? { headerLines.first(name) }

    /// The approximate memory of the request in bytes.
    var size: Int {
        // Path and query are kept both as received and decoded, and each decoded part takes additional memory.
        let target = 2 * path.utf8.count + 2 * (rawQuery?.utf8.count ?? 0) + 16 * segments.count + 64 * query.count
        return target + headerLines.size + headerLines.count * 32 + body.count + decodedSize + 200
    }

    // MARK: The body

    /// The media type of the body, if the request has a `Content-Type`.
    package var mediaType: MediaType? { header("Content-Type").map { MediaType($0) } }

    /// The body as text.
    var text: String { String(decoding: content, as: UTF8.self) }

    /// The body as JSON, whatever its media type is; nil if it is not valid.
    var json: JSONValue? { JSONDocument.read(SourceFile(name: "body", bytes: content)).validRoot }

    /// The fields of a form, in one part or in several; nil if the body is no form.
    var formFields: [Field]? {
        guard let type = mediaType else { return nil }
        if type.isForm { return Self.fields(text) }
        return type.isMultipart ? MultipartText(content)?.fields : nil
    }

    static func segments(_ path: String) -> [String] {
        var path = path
        return path.withUTF8 { bytes in
            var segments: [String] = []
            segments.reserveCapacity(bytes.reduce(1) { $1 == .slash ? $0 + 1 : $0 })
            var start = bytes.first == .slash ? 1 : 0
            var isEncoded = false
            for index in start...bytes.count {
                if index < bytes.count, bytes[index] != .slash {
                    if bytes[index] == UInt8(ascii: "%") { isEncoded = true }
                    continue
                }
                let segment = String(decoding: bytes[start..<index], as: UTF8.self)
                segments.append(isEncoded ? PercentEncoding.decoded(segment) : segment)
                (start, isEncoded) = (index + 1, false)
            }
            return segments
        }
    }

    /// The items of a query or a form. A plus sign means a space, because browsers send spaces as plus signs.
    package static func fields(_ text: String) -> [Field] {
        text.utf8.split(separator: UInt8(ascii: "&")).map { item in
            let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return Field(decoded(parts[0]), parts.count > 1 ? decoded(parts[1]) : "")
        }
    }

    private static func decoded(_ bytes: Substring.UTF8View) -> String {
        guard bytes.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%") }) else {
            return String(Substring(bytes))
        }
        let spaced = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return PercentEncoding.decoded(String(decoding: spaced, as: UTF8.self))
    }
}
