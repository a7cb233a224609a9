import ReqcliDefinitions

/// The route of a request, and its variant. Both depend only on the request and the files, and not on choices, turns or the
/// journal.
struct RequestMatch {
    let served: ServedEndpoints
    let route: Router.Result
    /// The variant that `when` or the default selects; its inner value is nil if no variant applies. The outer value is nil if
    /// the variant is found later: only for requests with large bodies, it is found here.
    let variant: String??
    /// Hides the secrets of the request; nil if it can't have secrets of an endpoint.
    let mask: RequestMask?

    init(_ request: IncomingRequest, _ served: ServedEndpoints) {
        self.served = served
        route = served.router.route(request)
        mask =
            if case .found(_, let reading) = route { reading.knownMask } else { served.missSecrets.mask(of: request) }
        guard request.body.count > JournalEntry.bodyLimit, case .found(let pattern, let reading) = route,
            !pattern.variants.isEmpty
        else {
            variant = nil
            return
        }
        variant = .some(pattern.variants.chosen(for: request, reading, rest: served.rest))
    }
}
