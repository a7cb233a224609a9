public import Foundation
public import RequestBuilding

/// An answer that is prepared: what a server would say, or how it would fail.
///
/// ```swift
/// Stub(json: #"{"items": []}"#)
/// Stub(json: #"{"items":"#).delayed(by: .milliseconds(80))
/// Stub(error: .timeout(.total))
/// ```
public struct Stub: Sendable {
    /// The status code.
    public var status: Int
    /// The header fields.
    public var headers: HeaderFields
    /// Where the body comes from.
    public var body: Body
    /// How long the answer takes: a range from which each answer's time is drawn, or none.
    public var delay: ClosedRange<Duration>?
    /// The failure that stands in place of the answer; one that is `truncated` comes after the body.
    public var error: TransportError.Kind?

    /// Where a body comes from.
    public enum Body: Hashable, Sendable {
        /// Bytes in memory.
        case data(Data)
        /// A file, read when it is asked for.
        case file(URL)
    }

    /// An answer with any body.
    public init(status: Int = 200, headers: HeaderFields = [:], body: Body = .data(Data())) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// An answer with these bytes.
    public init(data: Data, status: Int = 200, headers: HeaderFields = [:]) {
        self.init(status: status, headers: headers, body: .data(data))
    }

    /// An answer with JSON text, which may be broken: it is not looked at.
    public init(json: String, status: Int = 200) {
        self.init(data: Data(json.utf8), status: status, headers: ["Content-Type": "application/json"])
    }

    /// An answer with a file's content; a `.json` file is announced as JSON.
    public init(file: URL, status: Int = 200) {
        let isJSON = file.pathExtension.lowercased() == "json"
        self.init(status: status, headers: isJSON ? ["Content-Type": "application/json"] : [:], body: .file(file))
    }

    /// A failure in place of an answer.
    public init(error: TransportError.Kind) {
        self.init()
        self.error = error
    }

    /// The same answer, later.
    public func delayed(by delay: Duration) -> Stub {
        delayed(by: delay...delay)
    }

    /// The same answer, later by a time that is drawn anew for each request.
    public func delayed(by delay: ClosedRange<Duration>) -> Stub {
        var stub = self
        stub.delay = delay
        return stub
    }
}
