public import Foundation

/// The reason why a request could not be made: the operator that failed, its origin, and what is wrong.
///
/// ```swift
/// do {
///     let request = try builder.makeRequest()
/// } catch {
///     error.code          // .invalidHost
///     error.operatorName  // "host"
///     print(error)        // host (environments/staging.json:4:5): "a b" is not a host name: …
/// }
/// ```
public struct RequestBuildingError: Error, Sendable {
    /// The kind of failure, for code that handles errors.
    public let code: Code

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

    init(
        _ code: Code, operator name: String = "makeRequest", subject: RequestSubject? = nil, origin: Origin? = nil,
        reason: String, underlying: (any Error)? = nil
    ) {
        self.code = code
        self.operatorName = name
        self.subject = subject
        self.origin = origin
        self.reason = reason
        self.underlying = underlying
    }

    /// A kind of failure.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The stable name.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        /// The text of the base URL is not a URL, or has parts that a base URL must not have.
        public static let invalidBaseURL = Code("invalidBaseURL")
        /// The scheme or the host is missing: neither an operator nor a base URL has set it.
        public static let missingHost = Code("missingHost")
        /// A scheme other than http and https.
        public static let invalidScheme = Code("invalidScheme")
        /// A host that is neither a name nor an address.
        public static let invalidHost = Code("invalidHost")
        /// A port outside 1...65535.
        public static let invalidPort = Code("invalidPort")
        /// A path or a segment that is not allowed in a URL.
        public static let invalidPath = Code("invalidPath")
        /// A raw query with a character that a URL cannot hold.
        public static let invalidQuery = Code("invalidQuery")
        /// The parts do not form a URL.
        public static let urlNotMade = Code("urlNotMade")
        /// A method that is not a token, or is CONNECT.
        public static let invalidMethod = Code("invalidMethod")
        /// A header name that is not a token.
        public static let invalidHeaderName = Code("invalidHeaderName")
        /// A header value with CR, LF, NUL or a control character other than tab.
        public static let invalidHeaderValue = Code("invalidHeaderValue")
        /// Credentials that the authentication scheme does not allow.
        public static let invalidCredentials = Code("invalidCredentials")
        /// A body that could not be encoded.
        public static let bodyNotEncoded = Code("bodyNotEncoded")
        /// A multipart boundary or part that cannot be sent.
        public static let invalidMultipart = Code("invalidMultipart")
        /// A timeout that is zero or negative.
        public static let invalidTimeout = Code("invalidTimeout")
        /// A closure passed to `modifyURLComponents`, `modifyRequest` or `modifyURLRequest` threw an error or broke the
        /// request.
        public static let operatorFailed = Code("operatorFailed")
    }
}

extension RequestBuildingError: CustomStringConvertible, LocalizedError {
    /// `operator (origin): reason`
    public var description: String {
        origin.map { "\(operatorName) (\($0)): \(reason)" } ?? "\(operatorName): \(reason)"
    }

    /// The same text as `description`.
    public var errorDescription: String? { description }
}

/// A failure inside an operator's step, before the operator's name and origin are known.
struct StepFailure: Error {
    let code: RequestBuildingError.Code
    let reason: String
    var underlying: (any Error)?

    init(_ code: RequestBuildingError.Code, _ reason: String, underlying: (any Error)? = nil) {
        self.code = code
        self.reason = reason
        self.underlying = underlying
    }
}

extension RequestOperator {
    /// The error that names this operator.
    func failure(_ error: any Error) -> RequestBuildingError {
        let step = error as? StepFailure ?? StepFailure(.operatorFailed, "\(error)", underlying: error)
        return RequestBuildingError(
            step.code, operator: name, subject: subject, origin: origin, reason: step.reason,
            underlying: step.underlying)
    }
}
