public import ReqcliNetworking

/// Operators that run a closure. With these operators you can write every operator that this library does not have.
extension RequestBuilder {
    /// Changes the URL. All changes to the URL run before the other changes to the request.
    ///
    /// ```swift
    /// extension RequestBuilder {
    ///     func removingQuery() -> RequestBuilder {
    ///         modifyURLComponents("removingQuery", subject: .query, effect: .removes) { $0.query = nil }
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The operator's name in ``operators`` and in errors.
    ///   - subject: The part that the operator changes, so that ``history()`` knows which earlier operators it overrides.
    ///   - effect: Whether the operator sets the part, adds to it or removes it.
    ///   - value: A short form of the new value.
    ///   - change: The change. An error that it throws becomes a ``RequestBuildingError`` that names the operator.
    public func modifyURLComponents(
        _ name: String = "modifyURLComponents", subject: RequestSubject = .other("URL components"),
        effect: RequestOperator.Effect = .sets, value: String? = nil,
        _ change: @escaping @Sendable (inout URLComponents) throws -> Void
    ) -> RequestBuilder {
        appending(name, subject, effect, value: value, .url { try $0.modify(change) })
    }

    /// Changes the request after its URL is known. The URL itself can't be changed here, only in
    /// ``modifyURLComponents(_:subject:effect:value:_:)``.
    ///
    /// ```swift
    /// extension RequestBuilder {
    ///     func traced(_ id: UUID) -> RequestBuilder {
    ///         modifyRequest("traced", subject: .header("X-Trace"), value: "\(id)") {
    ///             $0.headers.set("X-Trace", "\($0.method) \(id)")
    ///         }
    ///     }
    /// }
    /// ```
    public func modifyRequest(
        _ name: String = "modifyRequest", subject: RequestSubject = .other("request"),
        effect: RequestOperator.Effect = .sets, value: String? = nil,
        _ change: @escaping @Sendable (inout PreparedRequest) throws -> Void
    ) -> RequestBuilder {
        appending(name, subject, effect, value: value, .request { try $0.modify(change) })
    }

    /// Changes the request as a URLRequest, for properties that Foundation's own loader reads and ``PreparedRequest``
    /// does not have.
    ///
    /// ```swift
    /// extension RequestBuilder {
    ///     func cellular(_ isAllowed: Bool) -> RequestBuilder {
    ///         modifyURLRequest("cellular", subject: .other("cellular access"), value: "\(isAllowed)") {
    ///             $0.allowsCellularAccess = isAllowed
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// Changes to the method, headers, body and timeout are applied too. A closure that replaces the request also sets its timeout, which
    /// is 60 seconds in a new URLRequest. Repeated headers are joined in a URLRequest. Headers that
    /// the closure does not change stay separate in the request that is sent.
    public func modifyURLRequest(
        _ name: String = "modifyURLRequest", subject: RequestSubject = .other("request"),
        effect: RequestOperator.Effect = .sets, value: String? = nil,
        _ change: @escaping @Sendable (inout URLRequest) throws -> Void
    ) -> RequestBuilder {
        modifyRequest(name, subject: subject, effect: effect, value: value) { try $0.modifyAsURLRequest(change) }
    }
}
