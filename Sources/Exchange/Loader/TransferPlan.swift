import Foundation
import RequestBuilding

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request as it will go on the wire, checked and ready: everything a transfer needs, and nothing of Foundation's.
final class TransferPlan: Sendable {
    let url: URL
    /// The URL's text without user, password and fragment.
    let target: String
    let host: String
    let port: Int
    let isSecure: Bool
    let method: String
    let headers: HeaderFields
    let upload: UploadSource?
    let options: TransportOptions

    init(_ request: URLRequest, options defaults: TransportOptions) throws(TransportError) {
        guard let url = request.url, let scheme = url.scheme?.lowercased(), let host = url.host, !host.isEmpty else {
            throw TransportError(
                .invalidRequest, target: request.url?.absoluteString ?? "nowhere", detail: "it has no host")
        }
        func refuse(_ detail: String) -> TransportError {
            TransportError(.invalidRequest, target: host, detail: detail)
        }
        guard scheme == "http" || scheme == "https" else { throw refuse("\(scheme) is neither http nor https") }
        let method = request.httpMethod ?? "GET"
        guard WireSyntax.isToken(method), method != "CONNECT" else { throw refuse("\(method) can't be a method") }
        guard let target = Self.target(of: url), WireSyntax.isURLText(target) else {
            throw refuse("its URL contains characters that must be percent-encoded")
        }
        self.url = url
        self.target = target
        self.host = host
        self.isSecure = scheme == "https"
        self.port = url.port ?? (isSecure ? 443 : 80)
        self.method = method
        self.upload = try Self.upload(of: request, host: host)
        let recorded = request.recorded
        let headers = Self.withCredentials(of: url, recorded.headers)
        if let problem = Self.problem(in: headers, uploadSize: upload?.size) { throw refuse(problem) }
        self.headers = headers
        self.options = Self.options(recorded.options, of: request, defaults: defaults)
        if let socket = options.unixSocket, socket.utf8.count > TransportOptions.longestSocketPath {
            throw refuse(
                "the path of the socket \(socket) is too long: it may have \(TransportOptions.longestSocketPath) bytes")
        }
    }

    /// The port where the URL names one, for messages.
    var authority: String {
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
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

    /// A user and password in the URL are Basic credentials, unless the request has better ones.
    private static func withCredentials(of url: URL, _ headers: HeaderFields) -> HeaderFields {
        guard let user = url.user(percentEncoded: false), headers["Authorization"] == nil else { return headers }
        var headers = headers
        let password = url.password(percentEncoded: false) ?? ""
        headers.append("Authorization", BasicCredentials(user: user, password: password).headerValue)
        return headers
    }

    private static func problem(in headers: HeaderFields, uploadSize: Int64?) -> String? {
        for field in headers {
            guard WireSyntax.isToken(field.name) else { return "\"\(field.name)\" can't be a header name" }
            guard WireSyntax.isFieldValue(field.value) else {
                return "the value of \(field.name) contains CR, LF or NUL"
            }
        }
        return headers.lengthProblem(bodySize: uploadSize ?? 0)
    }

    private static func upload(of request: URLRequest, host: String) throws(TransportError) -> UploadSource? {
        guard let body = request.bodySource ?? request.httpBodyStream.map({ .data(Data(reading: $0)) }) else {
            return nil
        }
        do {
            return try UploadSource(body)
        } catch {
            throw TransportError(.unreadableBody, target: host, detail: error.reason)
        }
    }

    /// The transport's options with what the request says itself.
    private static func options(
        _ attached: AttachedOptions, of request: URLRequest, defaults: TransportOptions
    ) -> TransportOptions {
        var options = defaults
        if let timeouts = attached[Timeouts.self] {
            options.timeouts = timeouts
        } else if let total = request.timeLimit {
            options.timeouts.total = total
        }
        if let version = attached[ProtocolVersion.self] { options.version = version }
        return options
    }
}

extension Data {
    /// All that a stream has. Only streams of the request's own body builder know their source; of others the size is
    /// unknown until they have been read.
    fileprivate init(reading stream: InputStream) {
        self.init()
        stream.open()
        defer { stream.close() }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = stream.read(&buffer, maxLength: buffer.count)
            guard count > 0 else { return }
            append(contentsOf: buffer[..<count])
        }
    }
}
