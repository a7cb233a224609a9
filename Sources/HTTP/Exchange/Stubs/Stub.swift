public import Foundation
public import RequestBuilding

/// A prepared response or failure.
///
/// ```swift
/// Stub(json: #"{"items": []}"#).named("empty")
/// Stub(json: #"{"items":"#).delayed(by: .milliseconds(80))
/// Stub(error: .timeout(.total))
/// Stub(error: URLError(.notConnectedToInternet))
/// ```
public struct Stub: Sendable {
    /// The stub's name in messages.
    public var name: String?
    /// The status code.
    public var status: Int
    /// The header fields.
    public var headers: HeaderFields
    /// The source of the body.
    public var body: Body
    /// The range from which the delay of each response is picked; nil for no delay.
    ///
    /// If the delay is longer than a limit of the request, the request times out as it does with a server: see
    /// `Timeouts`.
    public var delay: ClosedRange<Duration>?
    /// The time over which the body arrives, at an even rate.
    public var bodyTime: Duration?
    /// The error that is thrown instead of a response; nil for a normal response.
    ///
    /// A ``TransportError`` without a target gets the target of the request. An error of the kind `truncated` is thrown after the
    /// body.
    public var error: (any Error)?
    /// Whether the error is thrown after the head and the body, whatever its kind is.
    private var failsAfterBody = false
    /// Whether a check must fail for this response. The transport ignores this flag.
    package var mustFail = false
    /// Whether placeholders in the stub are filled before the stub is used. The transport ignores this flag.
    package var isFilled = false

    /// The source of a body.
    public enum Body: Hashable, Sendable {
        /// Bytes in memory.
        case data(Data)
        /// A file, read for each response.
        case file(path: String)
    }

    /// A response with any body.
    public init(status: Int = 200, headers: HeaderFields = [:], body: Body = .data(Data())) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A response with these bytes.
    public init(data: Data, status: Int = 200, headers: HeaderFields = [:]) {
        self.init(status: status, headers: headers, body: .data(data))
    }

    /// A response with JSON text. The text is not checked, so it may be invalid.
    public init(json: String, status: Int = 200) {
        self.init(data: Data(json.utf8), status: status, headers: ["Content-Type": "application/json"])
    }

    /// A response with the content of a file. A `.json` file gets a JSON Content-Type.
    public init(file path: String, status: Int = 200) {
        let isJSON = path.lowercased().hasSuffix(".json")
        self.init(
            status: status, headers: isJSON ? ["Content-Type": "application/json"] : [:], body: .file(path: path))
    }

    /// A network failure, with the usual message.
    public init(error: TransportError.Kind) {
        self.init(error: TransportError(error, target: ""))
    }

    /// Any error, thrown unchanged.
    ///
    /// - Parameter status: The status of a response whose body ends with the error; nil for an error in place of a response.
    public init(error: any Error, status: Int? = nil) {
        self.init(status: status ?? 200)
        self.error = error
        failsAfterBody = status != nil
    }
}

extension Stub {
    /// Whether the error ends the response in place of preceding it.
    package var errorEndsBody: Bool { failsAfterBody || (error as? TransportError)?.kind == .truncated }

    /// This stub with a name.
    public func named(_ name: String) -> Stub {
        var stub = self
        stub.name = name
        return stub
    }

    /// This stub with a delay.
    public func delayed(by delay: Duration) -> Stub {
        delayed(by: delay...delay)
    }

    /// This stub with a delay that is picked from a range for each request.
    public func delayed(by delay: ClosedRange<Duration>) -> Stub {
        var stub = self
        stub.delay = delay
        return stub
    }

    /// This stub with a body that arrives evenly over this time, as on a slow network.
    public func takingTime(_ time: Duration) -> Stub {
        var stub = self
        stub.bodyTime = time
        return stub
    }
}
