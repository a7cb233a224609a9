/// A path with values in it. Each value stays inside its segment.
///
/// The text between the values keeps its meaning, as in ``RequestBuilder/path(_:)``. The values are encoded.
///
/// ```swift
/// builder.path(filling: "/users/\(name)/feed")  // name "a/b": /users/a%2Fb/feed
/// ```
///
/// When the request is made, a nil value is an error. A value that leaves its segment empty is also an error, because the path
/// would have two slashes in a row. In ``RequestBuilder/path(fillingSegments:)`` a whole segment can be left out.
@_spi(Generated) public struct PathText: Hashable, Sendable, ExpressibleByStringInterpolation {
    fileprivate enum Piece: Hashable, Sendable {
        case written(String)
        case value(String?)
    }

    private let pieces: [Piece]

    /// A path without values.
    public init(stringLiteral value: String) { pieces = [.written(value)] }

    /// A path with values.
    public init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

    /// Collects the text and the values of a path.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pieces: [Piece] = []

        /// An empty path.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds literal text.
        public mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { pieces.append(.written(literal)) }
        }

        /// Adds a value.
        public mutating func appendInterpolation(_ value: String?) { pieces.append(.value(value)) }
        /// Adds a whole number.
        public mutating func appendInterpolation(_ value: Int?) { pieces.append(.value(value.map { "\($0)" })) }
        /// Adds a number.
        public mutating func appendInterpolation(_ value: Double?) {
            pieces.append(.value(value.map { JSONLiteral.number($0).text }))
        }
        /// Adds `true` or `false`.
        public mutating func appendInterpolation(_ value: Bool?) { pieces.append(.value(value.map { "\($0)" })) }
        /// Adds a JSON value.
        public mutating func appendInterpolation(_ value: JSONLiteral?) { pieces.append(.value(value?.text)) }
    }
}

extension PathText {
    /// The path, percent-encoded.
    func encoded() throws(StepFailure) -> String {
        try filled(PathFilling(), "a value of the path is nil, but the path needs it")
    }

    /// The path as one percent-encoded segment. A slash in the path is part of the segment.
    func encodedSegment() throws(StepFailure) -> String {
        try filled(PathFilling(isOneSegment: true), "a value of the segment is nil, but the segment needs it")
    }

    private func filled(_ empty: PathFilling, _ lack: String) throws(StepFailure) -> String {
        var filling = empty
        func check(_ ending: PathFilling.Ending?) throws(StepFailure) {
            guard ending == .emptySegment else { return }
            throw StepFailure(.invalidPath, "a segment of the path is empty, which would double a slash")
        }
        for piece in pieces {
            switch piece {
            case .value(let value?): filling.fill(value)
            case .value(nil): throw StepFailure(.invalidPath, lack)
            case .written(let text): try check(filling.write(text))
            }
        }
        try check(filling.end())
        return filling.path
    }
}

extension RequestBuilder {
    /// Sets the path from text with values, as ``path(_:)`` does. The values stay inside their segments. Nil changes nothing.
    @_spi(Generated) public func path(filling text: PathText?) -> RequestBuilder {
        guard let text else { return self }
        let encoded = Result { () throws(StepFailure) in try text.encoded() }
        return appending(
            "path(filling:)", .path, value: (try? encoded.get()) ?? "", .url { $0.setPath(try encoded.get()) })
    }

    /// Sets the base path from text with values, as ``basePath(_:)`` does. The values stay inside their segments.
    @_spi(Generated) public func basePath(filling text: PathText) -> RequestBuilder {
        let encoded = Result { () throws(StepFailure) in try text.encoded() }
        return appending(
            "basePath(filling:)", .basePath, value: (try? encoded.get()) ?? "",
            .url { $0.setBasePath(try encoded.get()) })
    }

    /// Sets the path below the base path from segments. A segment may be text with values. Nil segments are left out.
    ///
    /// ```swift
    /// builder.path(fillingSegments: ["v1", "employee", id.map { "\($0)" }])
    /// ```
    @_spi(Generated) public func path(fillingSegments segments: [PathText?]) -> RequestBuilder {
        let encoded = Result { () throws(StepFailure) in
            var texts: [String] = []
            for case let segment? in segments { texts.append(try segment.encodedSegment()) }
            return texts.joined(separator: "/")
        }
        return appending(
            "path(fillingSegments:)", .path, value: (try? encoded.get()) ?? "", .url { $0.setPath(try encoded.get()) })
    }
}
