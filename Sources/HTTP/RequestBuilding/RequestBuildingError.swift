import Foundation

/// The reason why a request could not be made: the operator that failed, its origin, and what is wrong.
///
/// ```swift
/// do {
///     let request = try builder.makeRequest()
/// } catch {
///     error.kind          // .invalidHost
///     error.operatorName  // "host"
///     print(error)        // host (environments/staging.json:4:5): "a b" is not a host name: …
/// }
/// ```
public struct RequestBuildingError: Error, Sendable {
    /// The kind of failure, for code that handles errors.
    public let kind: Kind

    /// The operator that failed; `makeRequest` if no single operator is the cause.
    public let operatorName: String

    /// The part of the request that the operator changes.
    public let subject: RequestSubject?

    /// The origin of the operator.
    public let origin: Origin?

    /// The message: what was found, what was expected and what to do.
    public let reason: String

    /// The error that caused this one, such as an `EncodingError`.
    public let underlying: (any Error)?

    package init(
        _ kind: Kind, operator name: String = "makeRequest", subject: RequestSubject? = nil, origin: Origin? = nil,
        reason: String, underlying: (any Error)? = nil
    ) {
        self.kind = kind
        self.operatorName = name
        self.subject = subject
        self.origin = origin
        self.reason = reason
        self.underlying = underlying
    }

    /// The kinds of failure.
    public enum Kind: String, Hashable, Sendable {
        /// The text of the base URL is not a URL, or has parts that a base URL must not have.
        case invalidBaseURL
        /// The scheme or the host is missing: neither an operator nor a base URL has set it.
        case missingHost
        /// A scheme other than http and https.
        case invalidScheme
        /// A host that is neither a name nor an address.
        case invalidHost
        /// A port outside 1...65535.
        case invalidPort
        /// A path or a segment that is not allowed in a URL.
        case invalidPath
        /// A raw query with a character that a URL cannot hold.
        case invalidQuery
        /// The parts do not form a URL.
        case urlNotMade
        /// A method that is not a token, or is CONNECT.
        case invalidMethod
        /// A header name that is not a token.
        case invalidHeaderName
        /// A header value with CR, LF, NUL or a control character other than tab.
        case invalidHeaderValue
        /// Credentials that the authentication scheme does not allow.
        case invalidCredentials
        /// A body that could not be encoded.
        case bodyNotEncoded
        /// A multipart boundary or part that cannot be sent.
        case invalidMultipart
        /// A timeout that is zero or negative.
        case invalidTimeout
        /// A closure passed to `modifyURLComponents`, `modifyRequest` or `modifyURLRequest` threw an error or broke the
        /// request.
        case operatorFailed
    }
}

extension RequestBuildingError: DescribedError {
    /// `operator (origin): reason`
    public var description: String {
        origin.map { "\(operatorName) (\($0)): \(reason)" } ?? "\(operatorName): \(reason)"
    }
}

/// A failure inside an operator's step, before the operator's name and origin are known.
struct StepFailure: Error {
    let kind: RequestBuildingError.Kind
    let reason: String
    var underlying: (any Error)?

    init(_ kind: RequestBuildingError.Kind, _ reason: String, underlying: (any Error)? = nil) {
        self.kind = kind
        self.reason = reason
        self.underlying = underlying
    }
}

extension RequestOperator {
    /// The error that names this operator.
    func failure(_ error: any Error) -> RequestBuildingError {
        let step = error as? StepFailure ?? StepFailure(.operatorFailed, "\(error)", underlying: error)
        return RequestBuildingError(
            step.kind, operator: name, subject: subject, origin: origin, reason: step.reason,
            underlying: step.underlying)
    }
}
