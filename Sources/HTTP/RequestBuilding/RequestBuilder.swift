/// Describes a request step by step and makes it at the end.
///
/// A builder is a value that never changes: each operator returns a new builder with one more change, so a builder can be kept,
/// shared and extended in several directions. The request is made, and errors are thrown, only by ``makeRequest(baseURL:)``.
///
/// ```swift
/// let search = RequestBuilder.get("users/search")
///     .addingQueryItem("city", "San Francisco")
///     .header("Accept", "application/json")
/// let request = try search.makeRequest(baseURL: URL(string: "https://example.com/api"))
/// // GET https://example.com/api/users/search?city=San%20Francisco
/// ```
///
/// Operators are applied in order, and a later operator wins. Operators that **set** (`header`, `queryItem`) replace the earlier
/// value. Operators that **add** (`addingHeader`, `addingQueryItem`) keep the earlier value and append another. Operators named
/// `removing…` remove the earlier value. The property ``operators`` lists all operators, with the ``Origin`` of each.
public struct RequestBuilder: Sendable {
    /// The operators, in order.
    public let operators: [RequestOperator]

    /// The origin of operators that are added.
    let origin: Origin?

    /// A builder without operators. It makes a GET request for the base URL that is given at the end.
    public init() {
        self.init(operators: [], origin: nil)
    }

    /// A builder for a path below the base path; see ``path(_:)``.
    public init(path: String) {
        self = RequestBuilder().path(path)
    }

    /// A builder without operators, whose operators get this origin.
    package init(origin: Origin) {
        self.init(operators: [], origin: origin)
    }

    private init(operators: [RequestOperator], origin: Origin?) {
        self.operators = operators
        self.origin = origin
    }

    /// Sets the origin of the operators that a closure applies; nil for none.
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

    /// A builder with the operators of these builders, one after the other, each with its origin. This is faster than appending
    /// the builders one by one, because each call of `appending` copies the list.
    package init(joining builders: [RequestBuilder]) {
        var operators: [RequestOperator] = []
        operators.reserveCapacity(builders.reduce(0) { $0 + $1.operators.count })
        for builder in builders { operators += builder.operators }
        self.init(operators: operators, origin: nil)
    }

    /// A builder with these operators.
    init(_ operators: [RequestOperator]) {
        self.init(operators: operators, origin: nil)
    }

    /// Appends the operators of another builder, each with its origin.
    public func appending(_ other: RequestBuilder) -> RequestBuilder {
        RequestBuilder(operators: operators + other.operators, origin: origin)
    }

    /// Adds an operator. All operators are added here.
    func appending(
        _ name: String, _ subject: RequestSubject, _ effect: RequestOperator.Effect = .sets, value: String? = nil,
        bodyTie: RequestOperator.BodyTie = .none, _ step: RequestOperator.Step
    ) -> RequestBuilder {
        var operators = operators
        operators.append(
            RequestOperator(
                name: name, subject: subject, effect: effect, value: value, origin: origin, bodyTie: bodyTie,
                step: step))
        return RequestBuilder(operators: operators, origin: origin)
    }
}
