package import RequestBuilding

extension AssembledRequest {
    /// Returns this request with more operators at the end. They set parts of the request that depend on the final URL.
    package func adding(
        from origin: Origin, secrets added: [ResolvedSecret] = [], _ change: (RequestBuilder) -> RequestBuilder
    ) throws(RequestBuildingError) -> AssembledRequest {
        let builder = builder.withOrigin(origin, change)
        let secrets = secrets + added
        return AssembledRequest(
            call: call, request: try builder.prepared(over: .ofProgram), builder: builder, secrets: secrets,
            redactor: secrets.redactor, policy: policy, durability: durability)
    }
}
