import ReqcliDefinitions

/// The route of a request, and its variant. They depend on the request and the files alone, not on choices, turns or the journal.
struct RequestMatch {
    let served: ServedEndpoints
    let route: Router.Result
    /// The variant by `when` or by default of the endpoint that was found, nil if there is none. Known for large bodies only: for
    /// others it is found where it is needed.
    let variant: String??
    /// What is secret in the request; nil if nothing can be.
    let secrets: RequestSecrets?

    init(_ request: IncomingRequest, _ served: ServedEndpoints) {
        self.served = served
        route = served.router.route(request)
        secrets =
            if case .found(_, let reading) = route { reading.secrets } else { served.missSecrets.secrets(in: request) }
        guard request.body.count > JournalEntry.bodyLimit, case .found(let pattern, let reading) = route,
            !pattern.variants.isEmpty
        else {
            variant = nil
            return
        }
        variant = .some(pattern.variants.chosen(for: request, reading, rest: served.rest))
    }
}
