import Exchange
import Foundation
import HTTPWire
import ReqcliMocking
import ReqcliServing
import RequestBuilding

/// The response of another server, as it is passed on to the client. Locations and cookies of the other server are changed to
/// those of this server.
struct ProxiedResponse {
    let target: ProxyTarget
    /// The start of the client's paths that names its session; empty without a session.
    let pathPrefix: String
    /// The headers that let a page read the response. They replace the headers of the other server, which are for its own pages.
    let sharing: [(name: String, value: String)]

    func reply(_ head: ResponseHead, to method: String) -> ServerReply {
        let fields = fields(head)
        let hasBody = method != "HEAD" && head.status != 204 && head.status != 205 && head.status != 304
        let body: ServerReply.Body = hasBody ? .stream(length: head.bodyLength) : .none
        let texts = fields.filter { !$0.isLatin1 }.map { (name: $0.name, value: $0.value) }
        let others = fields.filter(\.isLatin1).map { (name: $0.name, value: $0.valueBytes) }
        return ServerReply(ReplyHead(status: head.status, fields: texts), HeadWriter.lines(others), body: body)
    }

    private func fields(_ head: ResponseHead) -> HeaderFields {
        let dropped = HopFields(connection: head.headers.values("Connection"))
        let isShared = sharing.contains { $0.name == Self.allowOrigin }
        var fields = HeaderFields()
        for field in head.headers {
            let name = field.name.lowercased()
            if dropped.contains(name) || name == MockEngine.header.lowercased() { continue }
            // If the body is sent in chunks, Content-Length has no meaning.
            if name == "content-length", head.bodyLength == nil { continue }
            if isShared, name == Self.allowOrigin.lowercased() || name == Self.allowCredentials.lowercased() {
                continue
            }
            let value =
                switch name {
                case "location": location(field.value)
                case "set-cookie": cookie(field.value)
                default: field.value
                }
            fields.append(HeaderFields.Field(field.name, value, isLatin1: field.isLatin1))
        }
        // These headers allow a single page, so caches must keep the responses for each page apart.
        for field in isShared ? sharing : [] { fields.append(field.name, field.value) }
        fields.append(MockEngine.header, "none")
        return fields
    }

    private static let allowOrigin = "Access-Control-Allow-Origin"
    private static let allowCredentials = "Access-Control-Allow-Credentials"

    // MARK: Locations and cookies

    /// A URL of the other server as a URL of this server; any other URL unchanged.
    func location(_ value: String) -> String {
        guard let mark = value.firstRange(of: "//"), value[..<mark.lowerBound].allSatisfy({ $0 != "/" && $0 != "?" })
        else { return value.hasPrefix("/") ? ownPath(value) : value }
        let end = value[mark.upperBound...].firstIndex { "/?#".contains($0) } ?? value.endIndex
        let scheme = mark.lowerBound == value.startIndex ? target.scheme + ":" : value[..<mark.lowerBound]
        guard let url = URL(string: "\(scheme)//\(value[mark.upperBound..<end])"), let own = URL(string: target.origin),
            WebOrigin(url) == WebOrigin(own)
        else { return value }
        let rest = String(value[end...])
        return ownPath(rest.hasPrefix("/") ? rest : "/" + rest)
    }

    private func ownPath(_ text: String) -> String {
        let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        let path = pathPrefix + target.ownPath(for: String(text[..<end]))
        // Keeps a path from beginning with two slashes, after which the client would read a host.
        return (path.hasPrefix("//") ? "/." : "") + path + text[end...]
    }

    /// A cookie of the other server as a cookie of this server.
    func cookie(_ value: String) -> String {
        let parts = value.split(separator: ";", omittingEmptySubsequences: false)
        let kept = parts.enumerated().compactMap { index, part -> String? in
            let text = String(part)
            guard index > 0 else { return text }
            let pair = text.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            switch pair.first?.lowercased() {
            case "domain": return isOfTarget(domain: pair.count > 1 ? pair[1] : "") ? nil : text
            case "path":
                guard pair.count > 1, pair[1].hasPrefix("/") else { return text }
                let path = pathPrefix + target.ownPath(for: pair[1])
                return path == pair[1] ? text : " Path=\(path)"
            default: return text
            }
        }
        return kept.joined(separator: ";")
    }

    private func isOfTarget(domain: String) -> Bool {
        let domain = domain.drop { $0 == "." }.lowercased()
        guard let host = URL(string: target.origin)?.host?.lowercased() else { return false }
        return host == domain || host.hasSuffix("." + domain)
    }
}

extension ResponseHead {
    /// The number of bytes of the body, if it is known in advance.
    fileprivate var bodyLength: Int? {
        headers["Transfer-Encoding"] == nil ? headers["Content-Length"].flatMap { Int($0) } : nil
    }
}

extension ProxyTarget {
    fileprivate var scheme: String { String(origin.prefix { $0 != ":" }) }
}
