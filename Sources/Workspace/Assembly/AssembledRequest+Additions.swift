@_spi(Generated) package import RequestBuilding

extension AssembledRequest {
    /// Returns this request with more operators at the end. They set parts of the request that depend on the final URL.
    package func adding(
        from origin: Origin, secrets added: [ResolvedSecret] = [], _ change: (RequestBuilder) -> RequestBuilder
    ) throws(RequestBuildingError) -> AssembledRequest {
        let builder = builder.withOrigin(origin, change)
        let secrets = secrets + added
        let redactor = secrets.redactor
        return AssembledRequest(
            call: call, request: try builder.prepared(over: .ofProgram).markingHeaders(with: redactor),
            builder: builder,
            secrets: secrets, redactor: redactor, policy: policy, durability: durability,
            signatures: signatures)
    }

    /// The request for a person to read, without the built-in timeouts. They would add flags to every command, but rarely matter.
    ///
    /// - Parameter keepingHeaders: Whether the request keeps the headers that no file and no flag sets.
    package func requestWithoutDefaults(keepingHeaders: Bool) -> PreparedRequest {
        var shown = request
        let builtIn = partsLeftToDefault
        if builtIn.contains(.setting(TransferSetting.connectTimeout.name)) { shown.transfer.timeouts.connect = nil }
        if builtIn.contains(.setting(TransferSetting.idleTimeout.name)) { shown.transfer.timeouts.idle = nil }
        guard !keepingHeaders else { return shown }
        for field in request.headers where builtIn.contains(.header(field.name)) { shown.headers.remove(field.name) }
        return shown
    }
}
