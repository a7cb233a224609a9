/// Describes a request step by step and makes it at the end.
///
/// A builder is a value that never changes: each operator returns a new one that knows one thing more, so a builder
/// can be kept, shared and continued in several directions. Nothing is computed and nothing fails before
/// ``makeRequest(baseURL:)``.
///
/// ```swift
/// let search = RequestBuilder.get("users/search")
///     .addingQueryItem("city", "San Francisco")
///     .header("Accept", "application/json")
/// let request = try search.makeRequest(baseURL: URL(string: "https://example.com/api"))
/// // GET https://example.com/api/users/search?city=San%20Francisco
/// ```
///
/// Operators are applied in order and a later one wins. Those that **set** (`header`, `queryItem`) replace what an
/// earlier one left; those that **add** (`addingHeader`, `addingQueryItem`) leave it and append; `removing…` takes it
/// away. The list can be read back from ``operators``, with the ``Origin`` of each.
public struct RequestBuilder: Sendable {
    /// What has been asked for, in order.
    public let operators: [RequestOperator]

    private let origin: Origin?

    /// A builder that asks for nothing yet: a GET of whatever base URL is given at the end.
    public init() {
        self.init(operators: [], origin: nil)
    }

    /// A builder for a path; see ``path(_:)``.
    public init(path: String) {
        self = RequestBuilder().path(path)
    }

    private init(operators: [RequestOperator], origin: Origin?) {
        self.operators = operators
        self.origin = origin
    }

    /// Names who asks for the operators that a closure applies; nil for nobody in particular.
    ///
    /// ```swift
    /// builder.withOrigin(Origin(layer: "settings", file: "app.plist")) { $0.timeout(.seconds(5)) }
    /// ```
    public func withOrigin<Failure: Error>(
        _ origin: Origin?, _ change: (RequestBuilder) throws(Failure) -> RequestBuilder
    ) throws(Failure) -> RequestBuilder {
        let changed = try change(RequestBuilder(operators: operators, origin: origin))
        return RequestBuilder(operators: changed.operators, origin: self.origin)
    }

    /// The operators of one builder after those of another, each with the origin that it has: in one go, since each
    /// operator that is put on a builder by itself costs a copy of its list.
    package init(joining builders: [RequestBuilder]) {
        var operators: [RequestOperator] = []
        operators.reserveCapacity(builders.reduce(0) { $0 + $1.operators.count })
        for builder in builders { operators += builder.operators }
        self.init(operators: operators, origin: nil)
    }

    /// The operators of another builder after those of this one, each with the origin that it has.
    public func appending(_ other: RequestBuilder) -> RequestBuilder {
        RequestBuilder(operators: operators + other.operators, origin: origin)
    }

    /// The one way in which operators accumulate.
    func appending(
        _ name: String, _ subject: RequestSubject, _ effect: RequestOperator.Effect = .sets, value: String? = nil,
        isImpliedByBody: Bool = false, _ step: RequestOperator.Step
    ) -> RequestBuilder {
        var operators = operators
        operators.append(
            RequestOperator(
                name: name, subject: subject, effect: effect, value: value, origin: origin,
                isImpliedByBody: isImpliedByBody, step: step))
        return RequestBuilder(operators: operators, origin: origin)
    }
}
