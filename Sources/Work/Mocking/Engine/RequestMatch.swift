import ReqcliDefinitions

/// The route of a request, and its variant. Both depend only on the request and the files, and not on choices, turns or the
/// journal.
struct RequestMatch {
    let served: ServedEndpoints
    let route: Router.Result
    /// The variant that `when` or the default selects; its inner value is nil if no variant applies. The outer value is nil if
    /// the variant is found later: only for requests with large bodies, it is found here.
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
