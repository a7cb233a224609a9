import ReqcliDefinitions

/// The route of a request, and its variant. Both depend only on the request and the files, and not on choices, turns or the
/// journal.
struct RequestMatch {
    let served: ServedEndpoints
    let route: Router.Result
    /// The variant that `when` or the default selects for the endpoint; the inner value is nil if there is none. For requests
    /// with large bodies, the variant is found here; for other requests, it is found later.
    let variant: String??
    /// The secrets in the request; nil if the request can't have secrets.
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
