import Foundation
import ReqcliBasics
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// A signature for AWS that curl makes itself, with `--aws-sigv4 'aws:amz:eu-central-1:execute-api'`.
///
/// Some versions of curl sign many requests wrongly. They don't sort the query, don't encode the path, sign headers that the command
/// removes, and hash only the body of a POST. Such requests have no `CurlSignature`.
///
/// A command that shows secrets has none either: it gets the signed headers, which are valid for minutes, and not the key.
struct CurlSignature {
    /// The request that curl signs.
    let request: PreparedRequest
    let provider: String
    /// The account, as `-u` takes it.
    let account: String

    init?(_ input: RenderingInput, for format: CurlFormat) {
        var request = input.unsigned ?? input.request
        guard !input.isRevealing, let aws = request.signer?.aws, aws.place == .header, aws.signsPayload,
            !aws.accessKeyID.contains(":"), request.feed == nil, let body = Self.bytes(of: request.body),
            !(format.isExact && Self.removesHeaders(request)), request.body == nil || request.method != .head,
            Self.isOrdinary(request.url.path(percentEncoded: true), aws),
            Self.isOrdinary(query: request.url.query(percentEncoded: true) ?? ""), Self.areOrdinary(request.headers)
        else { return nil }
        if aws.isForStorage || request.body != nil && request.method != .post,
            request.headers[AWSSignature.payloadHeader] == nil
        {
            // The hash of a body in which a secret is masked would not match the body that is sent.
            if input.redactor.isSecret(in: Array(body)) { return nil }
            request.headers.set(AWSSignature.payloadHeader, SHA256.hash(body).hex)
        }
        if let token = aws.sessionToken { request.headers.set(AWSSignature.tokenHeader, token) }
        account = "\(aws.accessKeyID):\(aws.secretAccessKey)"
        guard Self.areInOrder(request.headers), Self.reads([account, aws.sessionToken ?? ""], input, format),
            request.body == nil || Self.passes(body, input, format)
        else { return nil }
        self.request = request
        provider = "aws:amz:\(aws.region):\(aws.service)"
    }

    /// The bytes of a body in memory; empty without a body. Nil for files, and for a form, which curl may send with another boundary.
    private static func bytes(of body: RequestBody?) -> Data? {
        switch body {
        case nil: Data()
        case .data(let data): data
        case .file, .multipart: nil
        }
    }

    /// Whether the shell can read each secret in these strings.
    private static func reads(_ strings: [String], _ input: RenderingInput, _ format: CurlFormat) -> Bool {
        var text = SecretText(input, in: format.shell.syntax)
        for string in strings { _ = text.pieces(of: string) }
        return text.masked.isEmpty
    }

    /// Whether the shell can pass the body to curl unchanged.
    private static func passes(_ body: Data, _ input: RenderingInput, _ format: CurlFormat) -> Bool {
        guard case .fed(let pieces) = CurlBody(.data(body), for: format) else { return true }
        var text = SecretText(input, in: format.shell.syntax)
        let parts = pieces.flatMap { text.parts(of: $0, for: format.shell) }
        return text.masked.isEmpty && format.shell.syntax.feeding(parts) != nil
    }

    /// Whether the command has to remove a header that curl sends by itself.
    private static func removesHeaders(_ request: PreparedRequest) -> Bool {
        let headers = request.headers
        if headers["User-Agent"] == nil || headers["Accept"] == nil { return true }
        guard let body = request.body else { return false }
        let isLarge = body.size(fileSize: { _ in nil }).map { $0 > 1_000_000 } ?? true
        return headers["Content-Type"] == nil || isLarge
    }

    /// Whether curl encodes the path as AWS does.
    private static func isOrdinary(_ path: String, _ aws: AWSSignature) -> Bool {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        return segments.enumerated().allSatisfy { index, segment in
            let isWhole = !segment.isEmpty || index == segments.count - 1
            return isWhole && segment != "." && segment != ".."
                && PercentEncoding.queryComponent(String(segment)) == segment
        }
    }

    /// Whether the query is sorted and encoded as AWS does it.
    private static func isOrdinary(query: String) -> Bool {
        let items = query.split(separator: "&", omittingEmptySubsequences: false)
        if query.isEmpty { return true }
        let pairs = items.map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return (name: parts[0], value: parts.count > 1 ? parts[1] : nil)
        }
        let isEncoded = pairs.allSatisfy { name, value in
            guard let value, !name.isEmpty else { return false }
            // curl 8 signs an encoded plus as a space.
            return [name, value].allSatisfy {
                PercentEncoding.queryComponent(PercentEncoding.decoded($0)) == $0 && !$0.contains("%2B")
            }
        }
        let names = pairs.map { ($0.name, $0.value ?? "") }
        return isEncoded && items.map(String.init) == items.map(String.init).sorted()
            && zip(names, names.dropFirst()).allSatisfy { $0 <= $1 }
    }

    /// Whether each header is there once, and curl reads its value as it is.
    private static func areOrdinary(_ headers: HeaderFields) -> Bool {
        let names = headers.map { $0.name.asciiLowercased }
        return Set(names).count == names.count && !names.contains("authorization") && !names.contains("x-amz-date")
            && !names.contains("date") && !names.contains("host")
            && headers.allSatisfy { field in
                !field.value.isEmpty && !field.value.contains("  ") && !field.value.contains("\t")
                    && field.value.first != " " && field.value.last != " "
            }
    }

    /// Whether the headers have the same order with and without their values, which curl sorts together.
    private static func areInOrder(_ headers: HeaderFields) -> Bool {
        let names = (headers.map { $0.name.asciiLowercased } + ["host", "x-amz-date"]).sorted()
        return names.map { $0 + ":" } == names.map { $0 + ":" }.sorted()
    }
}
