public import Foundation

/// Signs a request right before it is sent: adds headers or query items that follow from the finished request, a key and the time.
///
/// A client signs each attempt anew, also after a redirect to the same origin. After a redirect to another origin, a request is not
/// signed.
///
/// ```swift
/// let base = RequestBuilder().signing(.aws(AWSSignature(
///     service: "execute-api", region: "eu-central-1", accessKeyID: keyID, secretAccessKey: key)))
/// ```
public final class RequestSigner: Sendable {
    /// The signature of AWS, if this is one.
    package let aws: AWSSignature?
    private let make: @Sendable (PreparedRequest, Double) throws -> SignedRequest

    package init(
        aws: AWSSignature? = nil, _ make: @escaping @Sendable (PreparedRequest, Double) throws -> SignedRequest
    ) {
        self.aws = aws
        self.make = make
    }

    /// A signer that is a closure.
    ///
    /// - Parameter sign: Returns the request with its signature. The closure gets the finished request and the time.
    public convenience init(_ sign: @escaping @Sendable (PreparedRequest, Date) throws -> PreparedRequest) {
        self.init { SignedRequest(try sign($0, Date(timeIntervalSince1970: $1))) }
    }

    /// Signs requests for AWS (Signature Version 4).
    public static func aws(_ signature: AWSSignature) -> RequestSigner {
        RequestSigner(aws: signature) { try signature.signed($0, at: $1) }
    }

    /// Signs a request.
    ///
    /// - Parameter time: The time in seconds since 1970.
    package func signed(_ request: PreparedRequest, at time: Double) throws -> SignedRequest {
        do {
            var signed = try make(request, time)
            signed.request.signer = nil
            return signed
        } catch let failure as StepFailure {
            throw RequestBuildingError(
                failure.kind, operator: "signing", subject: .signature, reason: failure.reason)
        }
    }
}

extension RequestSigner {
    /// The request with a signature that is only shown. No file is read for it, so the body's hash is a word.
    package func shown(_ request: PreparedRequest, at time: Double) throws -> SignedRequest {
        guard let aws, request.body?.readsFiles == true else { return try signed(request, at: time) }
        return try aws.signed(request, at: time, hash: "<SHA-256 of the body>")
    }
}

extension RequestSigner: Hashable {
    /// Whether both are the same object.
    public static func == (one: RequestSigner, other: RequestSigner) -> Bool { one === other }
    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A request with its signature.
package struct SignedRequest: Sendable {
    package var request: PreparedRequest
    /// The text that was signed.
    package var text: [UInt8] = []
    /// The values that must not be shown: the signature, and others made from the key.
    package var secrets: [(name: String, value: String)] = []
    /// Values made from parts of the request. A value must not be shown if its source contains a secret.
    package var derived: [(name: String, value: String, source: [UInt8])] = []

    package init(_ request: PreparedRequest) { self.request = request }

    /// Sets a header that may contain the signature.
    package mutating func set(header name: String, _ value: String) throws {
        try RequestBuilder.check(name, [value])
        request.headers.set(name, value)
        if !request.holdsSecret(inHeader: name) { request.secretHeaders.append(name) }
    }

    /// Sets a query item that may contain the signature; nil removes it. It follows all other items.
    package mutating func set(queryItem name: String, _ value: String?) {
        guard var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true) else { return }
        let others = (parts.percentEncodedQuery ?? "").split(separator: "&").filter {
            PercentEncoding.decoded($0.prefix { $0 != "=" }) != name
        }
        let item = value.map { "\(PercentEncoding.queryComponent(name))=\(PercentEncoding.queryComponent($0))" }
        let items = others.map(String.init) + [item].compactMap(\.self)
        parts.percentEncodedQuery = items.isEmpty ? nil : items.joined(separator: "&")
        request.url = parts.url ?? request.url
        if value != nil { request.secretQueryItems.append(name) }
    }
}

extension RequestBuilder {
    /// Signs the request each time that a client sends it. ``makeRequest(baseURL:)`` makes a request without a signature.
    public func signing(_ signer: RequestSigner) -> RequestBuilder {
        appending("signing", .signature, value: signer.aws?.description ?? "", .request { $0.request.signer = signer })
    }

    /// Removes the signature of earlier operators.
    public func removingSigning() -> RequestBuilder {
        appending("removingSigning", .signature, .removes, .request { $0.request.signer = nil })
    }
}

extension PreparedRequest {
    /// The request with the signature that it has at a time. A client signs each request when it is sent.
    @_spi(Generated) public func signed(at time: Date) throws -> PreparedRequest {
        try signer?.signed(self, at: time.timeIntervalSince1970).request ?? self
    }
}

extension RequestSubject {
    package static let signature = RequestSubject.other("signature")
}
