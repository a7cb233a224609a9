import ReqcliDefinitions

/// The route of a request, and its variant. They depend on the request and the files alone, not on choices, turns or the journal.
struct RequestMatch {
    let served: ServedEndpoints
    let route: Router.Result
    /// The variant that `when` or the default selects for the endpoint; the inner value is nil if there is none. It is found
    /// here only for requests with large bodies, and for others when it is needed.
    let variant: String??
    /// The secrets in the request; nil if it can have none.
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
