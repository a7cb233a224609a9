import Foundation
import ReqcliBasics
import ReqcliText
import RequestBuilding

/// A signature for AWS that curl makes itself, with `--aws-sigv4 'aws:amz:eu-central-1:execute-api'`.
///
/// Older versions of curl sign many requests wrongly. They don't sort the query, don't encode the path, sign headers that the command
/// removes, and hash only the body of a POST. Such requests have no `CurlSignature`.
struct CurlSignature {
    /// The request that curl signs.
    let request: PreparedRequest
    let provider: String
    /// The account, as `-u` takes it.
    let account: String

    /// - Parameter request: The request before it is signed.
    init?(_ request: PreparedRequest) {
        guard let aws = request.signer?.aws, aws.place == .header, aws.signsPayload, !aws.accessKeyID.contains(":"),
            request.body?.readsFiles != true, request.feed == nil,
            !Self.removesHeaders(request), Self.isOrdinary(request.url.path(percentEncoded: true), aws),
            Self.isOrdinary(query: request.url.query(percentEncoded: true) ?? ""), Self.areOrdinary(request.headers)
        else { return nil }
        var request = request
        if aws.isForStorage || request.body != nil && request.method != .post {
            if request.headers[AWSSignature.payloadHeader] == nil {
                request.headers.set(AWSSignature.payloadHeader, SHA256.hash(request.body?.data ?? Data()).hex)
            }
        }
        if let token = aws.sessionToken { request.headers.set(AWSSignature.tokenHeader, token) }
        guard Self.areInOrder(request.headers) else { return nil }
        self.request = request
        provider = "aws:amz:\(aws.region):\(aws.service)"
        account = "\(aws.accessKeyID):\(aws.secretAccessKey)"
    }

    /// Whether the command has to remove a header that curl sends by itself.
    private static func removesHeaders(_ request: PreparedRequest) -> Bool {
        let headers = request.headers
        if headers["User-Agent"] == nil || headers["Accept"] == nil { return true }
        guard let body = request.body else { return false }
        let isLarge = body.size(fileSize: { _ in nil }).map { $0 > 1_000_000 } ?? true
        return headers["Content-Type"] == nil || isLarge || request.method == .head
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
            return [name, value].allSatisfy { PercentEncoding.queryComponent(PercentEncoding.decoded($0)) == $0 }
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
