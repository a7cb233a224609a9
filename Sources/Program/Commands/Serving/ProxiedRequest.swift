import Calling
import Exchange
import Foundation
import HTTPWire
import ReqcliBasics
import ReqcliMocking
import ReqcliServing
import ReqcliText
import RequestBuilding

/// A client's request as it is passed on to another server.
///
/// All header fields about framing and about one connection are dropped, and the body, whole or in parts, is framed again. So the
/// two servers can't disagree about where a request ends.
struct ProxiedRequest {
    private(set) var prepared: PreparedRequest

    /// The reason why a request can't be passed on.
    struct Refusal: Error {
        let status: Int
        let reason: Wording
    }

    /// Converts a client's request. Throws if the request can't be passed on.
    ///
    /// - Parameters:
    ///   - via: The name of this server, by which a loop is detected.
    ///   - cutsCodings: Whether to ask only for content codings that can be decoded here.
    init(
        _ request: ServerRequest, _ incoming: IncomingRequest, to target: ProxyTarget, via: String, cutsCodings: Bool
    ) throws(Refusal) {
        guard !incoming.headers(named: "Via").contains(where: { Self.names($0, via) }) else {
            throw Refusal(
                status: 508,
                reason:
                    "the request came back, because the server of the environment \(own: target.environment) is this server"
            )
        }
        guard incoming.path.hasPrefix("/") else {
            throw Refusal(status: 404, reason: "no endpoint matches, and only requests for a path are passed on")
        }
        // A response to TRACE repeats the request, so a page could read the credentials of its own request.
        guard incoming.method != "TRACE" else { throw Refusal(status: 501, reason: "TRACE is not passed on") }
        if let objection = target.objection(to: incoming.method) { throw Refusal(status: 403, reason: objection) }
        let query = request.head.target.query.map { "?\($0)" } ?? ""
        guard let url = Self.url(target.origin + target.path(for: incoming.path) + query) else {
            throw Refusal(status: 400, reason: "the path or the query can't be passed on")
        }
        let method: HTTPMethod
        do throws(RequestBuildingError) { method = try HTTPMethod(incoming.method) } catch {
            throw Refusal(status: 501, reason: "the method can't be passed on: \(own: error.reason)")
        }
        var headers = Self.headers(request.head.headers, cutsCodings: cutsCodings)
        headers.append("Via", "1.1 \(via)")
        // Keeps the difference between a request without a body and a request with an empty body.
        let hasBody = request.head.body != .none || !request.body.isEmpty || incoming.header("Content-Length") != nil
        prepared = PreparedRequest(
            url: url, method: method, headers: headers, body: hasBody ? .data(Data(request.body)) : nil,
            transfer: target.transfer)
        let isEncoded = prepared.headers.values("Content-Encoding").contains { $0.lowercased() != "identity" }
        if isEncoded, !target.origins.isEmpty {
            throw Refusal(
                status: 403,
                reason: "the body is encoded, so the secrets that have \"origins\" can't be looked for in it")
        }
        do throws(Failure) {
            for origins in target.origins { try origins.check(prepared, of: nil) }
        } catch {
            throw Refusal(status: 403, reason: error.wording)
        }
    }

    /// Replaces the body of the request with a body that is still arriving.
    mutating func send(_ feed: BodyFeed) {
        prepared.body = nil
        prepared.feed = feed
    }

    private static func names(_ value: String, _ via: String) -> Bool {
        value.split(separator: ",").contains { hop in
            hop.split { $0 == " " || $0 == "\t" }.dropFirst().first.map(String.init) == via
        }
    }

    /// The URL with the bytes of the string unchanged. Only bytes that no URL may contain are percent-encoded.
    static func url(_ text: String) -> URL? {
        func exact(_ text: String) -> URL? {
            URL(string: text, encodingInvalidCharacters: false).flatMap { $0.absoluteString == text ? $0 : nil }
        }
        if let url = exact(text) { return url }
        let bytes = Array(text.utf8)
        // The brackets of an IPv6 address are kept.
        let start = text.utf8.firstRange(of: "://".utf8)?.upperBound ?? text.startIndex
        let path = text.utf8[start...].firstIndex(of: UInt8(ascii: "/")) ?? text.endIndex
        let offset = text.utf8.distance(from: text.startIndex, to: path)
        var result = String(text[..<path])
        for (index, byte) in bytes.enumerated().dropFirst(offset) {
            let isStray =
                byte == UInt8(ascii: "%")
                && !(index + 2 < bytes.count && bytes[index + 1].hexValue != nil && bytes[index + 2].hexValue != nil)
            if isStray || #""<>\^`{|}[]"#.utf8.contains(byte) {
                result += "%" + String(byte, radix: 16, uppercase: true)
            } else {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return exact(result)
    }

    // MARK: Headers

    private static func headers(_ lines: HeaderLines, cutsCodings: Bool) -> HeaderFields {
        let dropped = HopFields(connection: lines.values(of: "Connection"))
        var headers = HeaderFields()
        for (index, field) in lines.fields.enumerated() {
            let name = field.name.lowercased()
            // The headers Host, Content-Length and Expect are made again for the other server.
            if dropped.contains(name) || HopFields.isLike(name, ["host", "content-length", "expect"]) { continue }
            if name.hasPrefix("x-reqcli-") { continue }
            let value = cutsCodings && name == "accept-encoding" ? decodable(field.value) : field.value
            headers.append(HeaderFields.Field(field.name, value, isLatin1: lines.isLatin1(index)))
        }
        return headers
    }

    /// The codings of `Accept-Encoding` that can be decoded here.
    static func decodable(_ value: String) -> String {
        let installed = Set(ContentCoding.installed.map(\.rawValue)).union(["identity", "x-gzip"])
        let kept = value.split(separator: ",").flatMap { item -> [String] in
            let item = String(Substring(item.trimmingSpacesAndTabs))
            let name = item.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
            if name == "*" { return ContentCoding.installed.map { $0.rawValue + item.dropFirst(1) } }
            return installed.contains(name) ? [item] : []
        }
        return kept.isEmpty ? "identity" : kept.joined(separator: ", ")
    }
}

/// The header fields that belong to one connection, not to the message (RFC 9110, section 7.6.1).
struct HopFields {
    private static let known: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization", "te", "trailer",
        "transfer-encoding", "upgrade", "http2-settings",
    ]

    private let named: Set<String>

    /// The fields of one message.
    ///
    /// - Parameter connection: The values of `Connection`, which name further fields.
    init(connection values: [String]) {
        named = Set(
            values.flatMap { $0.split(separator: ",") }.map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() })
    }

    /// Whether a field belongs to one connection.
    ///
    /// - Parameter name: In lowercase.
    func contains(_ name: String) -> Bool { named.contains(name) || Self.isLike(name, Self.known) }

    /// Whether a name is in the set, or so similar to a name in the set that a server may confuse the two: `transfer_encoding`.
    static func isLike(_ name: String, _ others: Set<String>) -> Bool {
        if others.contains(name) { return true }
        guard name.utf8.contains(where: { !$0.isAlphanumeric && $0 != UInt8(ascii: "-") }) else { return false }
        return others.contains(String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }))
    }
}
