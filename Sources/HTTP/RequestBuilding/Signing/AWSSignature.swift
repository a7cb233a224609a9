import Foundation
import ReqcliBasics

/// The account, and the rules, of a signature for AWS (Signature Version 4).
public struct AWSSignature: Hashable, Sendable {
    /// The part of the request that carries the signature.
    public enum Place: Hashable, Sendable {
        /// The header `Authorization`.
        case header
        /// The query, for a URL that is valid for a while.
        case query(expires: Duration)
    }

    /// The name of the service, such as `s3` or `execute-api`.
    package var service: String
    /// The region, such as `eu-central-1`.
    package var region: String
    /// The public part of the key.
    package var accessKeyID: String
    /// The secret part of the key.
    package var secretAccessKey: String
    /// The token of a temporary key.
    package var sessionToken: String?
    /// The part of the request that carries the signature.
    package var place: Place
    /// Whether the body is signed, too.
    package var signsPayload: Bool
    /// The rules for the path. They depend on the service.
    package var pathRules: PathRules
    /// Whether all headers are signed, or only those that belong to the request itself. A URL with a signature is opened by programs
    /// that send other headers.
    package var signsOtherHeaders: Bool

    /// The path as it is signed.
    package struct PathRules: Hashable, Sendable {
        /// Whether dot segments and empty segments are left out.
        package var normalizes: Bool
        /// Whether the path is encoded once more than it is in the URL.
        package var encodesTwice: Bool
        package init(normalizes: Bool, encodesTwice: Bool) {
            (self.normalizes, self.encodesTwice) = (normalizes, encodesTwice)
        }
    }

    /// A signature; by default in a header, with the body.
    public init(
        service: String, region: String, accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil,
        place: Place = .header, signsPayload: Bool = true
    ) {
        self.service = service
        self.region = region
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
        self.place = place
        self.signsPayload = signsPayload
        let isForStorage = Self.isForStorage(service)
        self.pathRules = PathRules(normalizes: !isForStorage, encodesTwice: !isForStorage)
        self.signsOtherHeaders = place == .header
    }
}

extension AWSSignature: CustomStringConvertible {
    /// Service and region, without the key.
    public var description: String { "AWS \(service) in \(region)" }

    /// The signature with its texts changed.
    package func mappingTexts(_ change: (String) -> String) -> AWSSignature {
        var changed = self
        changed.service = change(service)
        changed.region = change(region)
        changed.accessKeyID = change(accessKeyID)
        changed.secretAccessKey = change(secretAccessKey)
        changed.sessionToken = sessionToken.map(change)
        return changed
    }

    /// S3 signs the path as it is. Other services encode it twice, without dot segments.
    package var isForStorage: Bool { Self.isForStorage(service) }

    private static func isForStorage(_ service: String) -> Bool {
        ["s3", "s3-outposts", "s3-object-lambda", "s3express"].contains(service)
    }
}

extension AWSSignature {
    private static let algorithm = "AWS4-HMAC-SHA256"
    private static let unsignedPayload = "UNSIGNED-PAYLOAD"
    package static let payloadHeader = "X-Amz-Content-Sha256"
    package static let tokenHeader = "X-Amz-Security-Token"

    /// - Parameter hash: The text in place of the body's hash, for a signature that is only shown.
    func signed(_ request: PreparedRequest, at time: Double, hash: String? = nil) throws -> SignedRequest {
        try checkValues()
        var signed = SignedRequest(request)
        signed.request.url = Self.withoutPlus(request.url)
        let stamp = Timestamp.text(time).filter { !"-:".contains($0) } + "Z"
        let scope = "\(stamp.prefix(8))/\(region)/\(service)/aws4_request"
        let payload = try payload(of: request, hash)
        let isOwn = request.headers[Self.payloadHeader] != nil
        if !isOwn, isForStorage ? place == .header : !signsPayload {
            signed.request.headers.set(Self.payloadHeader, payload)
        }
        switch place {
        case .header:
            signed.request.headers.remove("Authorization")
            signed.request.headers.set("X-Amz-Date", stamp)
            if let sessionToken { try signed.set(header: Self.tokenHeader, sessionToken) }
        case .query(let expires):
            signed.set(queryItem: "X-Amz-Signature", nil)
            signed.set(queryItem: "X-Amz-Algorithm", Self.algorithm)
            signed.set(queryItem: "X-Amz-Credential", "\(accessKeyID)/\(scope)")
            signed.set(queryItem: "X-Amz-Date", stamp)
            signed.set(queryItem: "X-Amz-Expires", String(expires.components.seconds))
            signed.set(queryItem: "X-Amz-SignedHeaders", signedHeaders(of: signed.request).names)
            if let sessionToken { signed.set(queryItem: Self.tokenHeader, sessionToken) }
        }
        let headers = signedHeaders(of: signed.request)
        let message = WireMessage(
            signed.request, defaults: WireDefaults(userAgent: nil, accept: nil), fileSize: { _ in nil })
        let target = message.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = canonicalPath(String(target[0]))
        let query = Self.canonicalQuery(target.count > 1 ? target[1] : "")
        let canonical = [message.method, path, query, headers.lines, headers.names, payload].joined(separator: "\n")
        let text = [Self.algorithm, stamp, scope, SHA256.hash(canonical.utf8).hex].joined(separator: "\n")
        let key = scope.split(separator: "/").reduce(Array("AWS4\(secretAccessKey)".utf8)) { key, part in
            HashAlgorithm.sha256.code(of: Array(part.utf8), key: key)
        }
        let signature = HashAlgorithm.sha256.code(of: Array(text.utf8), key: key).hex
        switch place {
        case .header:
            let value =
                "\(Self.algorithm) Credential=\(accessKeyID)/\(scope), SignedHeaders=\(headers.names), Signature=\(signature)"
            try signed.set(header: "Authorization", value)
        case .query: signed.set(queryItem: "X-Amz-Signature", signature)
        }
        signed.text = Array(canonical.utf8)
        signed.secrets = [("signature", signature)]
        signed.derived =
            [
                ("path", path, Array(target[0].utf8)),
                ("query", query, Array((target.count > 1 ? target[1] : "").utf8)),
                ("body hash", payload, request.body?.data.map(Array.init) ?? []),
            ]
            + request.headers.map { ("header \($0.name)", Self.trimmed($0.value), Array($0.value.utf8)) }
        return signed
    }

    /// A signature with an empty value is valid, and is refused by AWS with a message that doesn't name the value.
    private func checkValues() throws {
        let values = [
            ("service", service), ("region", region), ("accessKeyID", accessKeyID),
            ("secretAccessKey", secretAccessKey), ("sessionToken", sessionToken ?? "none"),
        ]
        for (name, value) in values where value.utf8.allSatisfy({ $0 == .space }) {
            throw StepFailure(.operatorFailed, "the signature for AWS has an empty \"\(name)\"")
        }
    }

    /// The hash of the body, or the words that say that it isn't signed.
    private func payload(of request: PreparedRequest, _ given: String?) throws -> String {
        if let own = request.headers[Self.payloadHeader] { return own }
        if !signsPayload || isForStorage && place != .header { return Self.unsignedPayload }
        guard request.feed == nil else {
            throw StepFailure(
                .operatorFailed,
                "a body that is produced while it is sent can't be signed for AWS; write \"payload\": \"unsigned\" to sign the rest"
            )
        }
        if let given { return given }
        var hash = SHA256.Running()
        for piece in request.body?.pieces ?? [] {
            switch piece {
            case .data(let data): hash.add(Array(data))
            case .file(let path): try Self.add(path, to: &hash)
            }
        }
        return hash.value.hex
    }

    /// The URL with `%20` in place of each `+` in its query. Some servers read a `+` as a space and others as itself, so that
    /// there is no signature that all of them accept. AWS's own clients send a space.
    private static func withoutPlus(_ url: URL) -> URL {
        guard url.query(percentEncoded: true)?.utf8.contains(UInt8(ascii: "+")) == true,
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return url }
        parts.percentEncodedQuery = parts.percentEncodedQuery?.replacing("+", with: "%20")
        return parts.url ?? url
    }

    /// Reads a file once before it is sent.
    private static func add(_ path: String, to hash: inout SHA256.Running) throws {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let file = FileHandle(forReadingAtPath: path)
        else {
            throw StepFailure(
                .operatorFailed,
                "\"\(path)\" can't be read before it is sent, so the body can't be signed for AWS; write \"payload\": \"unsigned\" to sign the rest"
            )
        }
        defer { try? file.close() }
        while let part = try file.read(upToCount: 1 << 20), !part.isEmpty { hash.add(Array(part)) }
    }

    // MARK: The canonical request

    /// Headers that proxies, libraries or connections change on the way.
    private static let unsigned: Set<String> = [
        "authorization", "connection", "expect", "keep-alive", "proxy-authorization", "te", "trailer",
        "transfer-encoding",
        "upgrade", "user-agent", "x-amzn-trace-id",
    ]

    /// The headers that are signed.
    package func signedHeaders(of request: PreparedRequest) -> (names: String, lines: String) {
        let message = WireMessage(request, defaults: WireDefaults(userAgent: nil, accept: nil), fileSize: { _ in nil })
        var values = ["host": [message.headers["Host"] ?? ""]]
        for field in request.headers where !field.name.isSameHeader(as: "Host") {
            values[field.name.asciiLowercased, default: []].append(field.value)
        }
        let isSigned = { (name: String) in
            signsOtherHeaders
                ? !Self.unsigned.contains(name)
                : name == "host" || name.hasPrefix("content-") && name != "content-length" || name.hasPrefix("x-amz-")
        }
        let signed = values.filter { isSigned($0.key) }.sorted { $0.key < $1.key }
        let lines = signed.map { name, values in
            "\(name):\(values.map(Self.trimmed).joined(separator: ","))\n"
        }
        return (signed.map(\.key).joined(separator: ";"), lines.joined())
    }

    /// A value without whitespace at its ends, and with single spaces in it.
    private static func trimmed(_ value: String) -> String {
        value.utf8.split { $0 == .space || $0 == UInt8(ascii: "\t") }.map { String(Substring($0)) }.joined(
            separator: " ")
    }

    private func canonicalPath(_ path: String) -> String {
        var segments = path.split(separator: "/", omittingEmptySubsequences: false)
        if pathRules.normalizes {
            var kept: [Substring] = []
            for segment in segments where segment != "." && !segment.isEmpty {
                if segment == ".." { _ = kept.popLast() } else { kept.append(segment) }
            }
            segments = [""] + kept + (path.hasSuffix("/") || kept.isEmpty ? [""] : [])
        }
        return segments.map {
            pathRules.encodesTwice ? PercentEncoding.queryComponent(String($0)) : PercentEncoding.reencoded($0)
        }.joined(separator: "/")
    }

    /// The items sorted by name and value, encoded as AWS encodes them.
    private static func canonicalQuery(_ query: Substring) -> String {
        let items = query.split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                PercentEncoding.reencoded($0)
            }
            return (name: parts[0], value: parts.count > 1 ? parts[1] : "")
        }
        return items.sorted { ($0.name, $0.value) < ($1.name, $1.value) }.map { "\($0.name)=\($0.value)" }
            .joined(separator: "&")
    }
}
