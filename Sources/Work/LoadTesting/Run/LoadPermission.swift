package import ReqcliDefinitions
import RequestBuilding

/// Whether a load may be sent to a server, before anything is sent.
package enum LoadPermission: Sendable, Equatable {
    case allowed
    /// The user has to agree.
    case asks
    case refused(reason: String, hint: String)

    /// The limits for a server other than this machine, if the policy has no `load`.
    static let usualRate = 50.0
    static let usualUsers = 50
    static let usualLength = Duration.seconds(600)

    /// - Parameters:
    ///   - isLocal: Whether all servers are on this machine.
    ///   - mayChange: Whether a method may change something on a server.
    ///   - limit: `load` of the environment's policy.
    package init(of plan: LoadPlan, isLocal: Bool, mayChange: Bool, limit: LoadLimit?) {
        let rate = plan.highestRate
        let shown = rate.isFinite ? RateText.text(rate) : "users without --think"
        if limit != .nothing, limit != nil || !isLocal, let action = plan.uncounted {
            self = .refused(
                reason:
                    "the requests of \(action) can't be counted before the load, and a limit applies in the environment "
                    + "\(plan.environment): a step repeats for each element of a list that is not known yet",
                hint: "write the list into \"forEach\", or load the endpoints of the steps")
            return
        }
        switch limit {
        case .nothing:
            self = .refused(
                reason: "the policy of the environment \(plan.environment) allows no load",
                hint: "\"policy\": {\"load\": false} forbids it; name another environment with --env")
            return
        case .rate(let most) where rate > most:
            self = .refused(
                reason: "\(shown) can be more than \(RateText.text(most)), which the policy of the environment "
                    + "\(plan.environment) allows",
                hint: rate.isFinite ? "lower the rate" : "pass --rate, or --think with a longer wait")
            return
        case .rate: break
        case nil where isLocal: break
        case nil:
            // Users who make a given number of calls need this time at the highest rate.
            let length =
                plan.schedule == nil && plan.most != nil && rate.isFinite
                ? Duration.seconds(Double(plan.most ?? 0) / max(rate, 0.001)) : plan.length
            if rate > Self.usualRate || plan.users > Self.usualUsers || length > Self.usualLength {
                self = .refused(
                    reason:
                        "without \"load\" in the policy of the environment \(plan.environment), a load of another machine "
                        + "has at most 50/s, 50 users and 10 minutes; found \(shown), \(plan.users) users and \(length.text)",
                    hint: "if the server may get more, write \"policy\": {\"load\": \"200/s\"} into the environment")
                return
            }
        }
        self = !isLocal || mayChange ? .asks : .allowed
    }
}
