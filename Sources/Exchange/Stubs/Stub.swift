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
    /// Where the body comes from.
    public var body: Body
    /// How long the response takes: a range from which each response's time is drawn, or none.
    ///
    /// If the time is longer than a limit of the request, that limit ends the request as it does with a server: see
    /// `Timeouts`.
    public var delay: ClosedRange<Duration>?
    /// The failure in place of the response.
    ///
    /// A ``TransportError`` without a target gets the one of the request. If its kind is `truncated`, it comes after the
    /// body.
    public var error: (any Error)?
    /// Whether a check has to fail on the response. The transport doesn't look at it.
    package var mustFail = false

    /// Where a body comes from.
    public enum Body: Hashable, Sendable {
        /// Bytes in memory.
        case data(Data)
        /// A file, read when it is asked for.
        case file(URL)
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

    /// A response with JSON text, which may be broken: it is not looked at.
    public init(json: String, status: Int = 200) {
        self.init(data: Data(json.utf8), status: status, headers: ["Content-Type": "application/json"])
    }

    /// A response with a file's content; a `.json` file is announced as JSON.
    public init(file: URL, status: Int = 200) {
        let isJSON = file.pathExtension.lowercased() == "json"
        self.init(status: status, headers: isJSON ? ["Content-Type": "application/json"] : [:], body: .file(file))
    }

    /// A failure of the network, with the message that it has there.
    public init(error: TransportError.Kind) {
        self.init(error: TransportError(error, target: ""))
    }

    /// Any failure, thrown as it is.
    public init(error: any Error) {
        self.init()
        self.error = error
    }
}

extension Stub {
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

    /// This stub with a delay that is drawn anew for each request.
    public func delayed(by delay: ClosedRange<Duration>) -> Stub {
        var stub = self
        stub.delay = delay
        return stub
    }
}
