public import Foundation

/// Why a request could not be made: which operator failed, who asked for it, and what is wrong.
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
    /// The kind of failure, to decide by.
    public let code: Code

    /// The operator that failed; `makeRequest` where no single one is to blame.
    public let operatorName: String

    /// The part of the request that it was to change.
    public let subject: RequestSubject?

    /// Who asked for it.
    public let origin: Origin?

    /// What was found, what was expected, what to do.
    public let reason: String

    /// The error behind it, such as an `EncodingError`.
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

        /// The base URL's text is not a URL, or carries parts that a base URL can't have.
        public static let invalidBaseURL = Code("invalidBaseURL")
        /// No operator and no base URL gave a scheme or a host.
        public static let missingHost = Code("missingHost")
        /// A scheme other than http and https.
        public static let invalidScheme = Code("invalidScheme")
        /// A host that is neither a name nor an address.
        public static let invalidHost = Code("invalidHost")
        /// A port outside 1...65535.
        public static let invalidPort = Code("invalidPort")
        /// A path or a segment that can't be part of a URL.
        public static let invalidPath = Code("invalidPath")
        /// The parts don't make up a URL.
        public static let urlNotMade = Code("urlNotMade")
        /// A method that is not a token, or is CONNECT.
        public static let invalidMethod = Code("invalidMethod")
        /// A header name that is not a token.
        public static let invalidHeaderName = Code("invalidHeaderName")
        /// A header value with CR, LF, NUL or another control character than a tab.
        public static let invalidHeaderValue = Code("invalidHeaderValue")
        /// Credentials that the scheme can't carry.
        public static let invalidCredentials = Code("invalidCredentials")
        /// A body that could not be encoded.
        public static let bodyNotEncoded = Code("bodyNotEncoded")
        /// A multipart boundary or part that can't be sent.
        public static let invalidMultipart = Code("invalidMultipart")
        /// A timeout that is not above zero.
        public static let invalidTimeout = Code("invalidTimeout")
        /// A closure given to `modifyURLComponents` or `modifyURLRequest` threw, or broke the request.
        public static let operatorFailed = Code("operatorFailed")
    }
}

extension RequestBuildingError: CustomStringConvertible, LocalizedError {
    /// `operator (origin): reason`
    public var description: String {
        origin.map { "\(operatorName) (\($0)): \(reason)" } ?? "\(operatorName): \(reason)"
    }

    /// The description.
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
