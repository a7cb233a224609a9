#if os(Linux)
import Foundation
import ReqcliBasics
import RequestBuilding

/// A request as it will be sent, checked and ready, with everything that a transfer needs.
final class TransferPlan: Sendable {
    let url: URL
    /// The URL without user, password and fragment.
    let target: String
    let host: String
    let port: Int
    let isSecure: Bool
    /// The host, and the port unless it is the scheme's default, for messages.
    let authority: String
    let method: String
    let headers: HeaderFields
    let upload: UploadSource?
    let settings: TransferSettings

    init(_ request: PreparedRequest) throws(TransportError) {
        let url = request.url
        guard let scheme = url.scheme?.lowercased(), let host = url.host, !host.isEmpty else {
            throw TransportError(.invalidRequest, target: url.absoluteString, detail: "the URL has no host")
        }
        func refuse(_ detail: String) -> TransportError {
            TransportError(.invalidRequest, target: host, detail: detail)
        }
        guard scheme == "http" || scheme == "https" else { throw refuse("\(scheme) is neither http nor https") }
        guard let target = Self.target(of: url), WireSyntax.isURLText(target) else {
            throw refuse("its URL contains characters that must be percent-encoded")
        }
        self.url = url
        self.target = target
        self.host = host
        self.isSecure = scheme == "https"
        self.port = url.port ?? (isSecure ? 443 : 80)
        let name = host.utf8.contains(UInt8(ascii: ":")) && !host.hasPrefix("[") ? "[\(host)]" : host
        self.authority = port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
        self.method = request.method.token
        do throws(UploadSource.Problem) {
            if let feed = request.feed {
                upload = UploadSource(feed)
            } else {
                upload = try request.body.map { (body) throws(UploadSource.Problem) in try UploadSource(body) }
            }
        } catch {
            throw TransportError(.unreadableBody, target: host, detail: error.reason)
        }
        let headers = Self.withCredentials(of: url, request.headers)
        let problem = Self.problem(in: headers) ?? headers.lengthProblem(bodySize: upload.map(\.size) ?? 0)
        if let problem = problem ?? Self.problem(in: request.transfer.proxies.headers) { throw refuse(problem) }
        self.headers = headers
        self.settings = request.transfer
        if isSecure, let problem = settings.tls.problem { throw refuse(problem) }
        if let socket = settings.unixSocket, socket.utf8.count > TransferSettings.longestSocketPath {
            throw refuse(
                "the path of the socket \(socket) is too long: it may have at most \(TransferSettings.longestSocketPath) bytes"
            )
        }
    }
}

extension TransferPlan {
    private static func target(of url: URL) -> String? {
        if url.fragment == nil, url.user == nil, url.password == nil { return url.absoluteString }
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nil }
        components.fragment = nil
        components.user = nil
        components.password = nil
        return components.string
    }

    /// The headers, with the user and password in the URL as Basic credentials, unless there already is an Authorization header.
    private static func withCredentials(of url: URL, _ headers: HeaderFields) -> HeaderFields {
        guard let user = url.user(percentEncoded: false), headers["Authorization"] == nil else { return headers }
        var headers = headers
        let password = url.password(percentEncoded: false) ?? ""
        headers.append("Authorization", Account(user: user, password: password).basicAuthorization)
        return headers
    }

    private static func problem(in headers: HeaderFields) -> String? {
        for field in headers {
            guard field.name.isToken else { return "\"\(field.name)\" can't be a header name" }
            guard WireSyntax.isFieldValue(field.value) else {
                return "the value of \(field.name) contains CR, LF or NUL"
            }
        }
        return nil
    }
}
#endif
