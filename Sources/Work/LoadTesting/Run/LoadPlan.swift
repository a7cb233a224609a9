package import Checking
package import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// A load, determined before any request is sent.
package struct LoadPlan: Sendable {
    /// A kind of arrival: a call, or a scenario.
    package struct Action: Sendable {
        package let id: String
        /// How often the action is chosen, compared with the others.
        package let weight: Int
        /// The wait between steps, and between the calls of a user.
        package let think: ClosedRange<Duration>?
        /// The names of the rows in reports: one for a call, one for each step of a scenario.
        package let rows: [String]
        /// The flow, once for each row of data. The rows are taken in turn. Empty for a load that was read from reports.
        package let flows: [Flow]
        /// The number of rows of data.
        let dataRows: Int
        package let requests: RequestCount

        package init(
            id: String, weight: Int, rows: [String]? = nil, think: ClosedRange<Duration>? = nil, flows: [Flow],
            dataRows: Int? = nil, requests: RequestCount = RequestCount()
        ) {
            (self.id, self.weight, self.rows, self.think, self.flows) = (id, weight, rows ?? [id], think, flows)
            (self.dataRows, self.requests) = (dataRows ?? flows.count, requests)
        }
    }

    package enum Pace: Sendable {
        /// Arrivals have their times before the load begins, whatever the server does.
        case schedule(Schedule)
        /// Each user calls again after the response.
        case users([UserStage])
    }

    /// The arrivals that one of several machines sends.
    package struct Part: Sendable, Equatable {
        package let shard: Shard
        /// The start of the load on all machines, in seconds since 1970.
        package let startAt: Double

        package init(_ shard: Shard, startAt: Double) { (self.shard, self.startAt) = (shard, startAt) }

        func has(_ number: Int) -> Bool { number % shard.count == shard.index - 1 }

        /// The number of the arrival that is this one among those of the part.
        func number(_ index: Int) -> Int { index * shard.count + shard.index - 1 }
    }

    package let environment: String
    package let actions: [Action]
    package let pace: Pace
    /// The number of users, each with a login. Arrivals take them in turn.
    package let users: Int
    /// The most arrivals; nil for no limit.
    package let most: Int?
    package let dice: LoadDice
    /// The conditions that decide, including those that are always checked. Empty for a load that is only rehearsed.
    package let thresholds: [Threshold]
    /// The conditions that end the load if they are not met.
    package let abort: [Threshold]
    /// The most requests at the same time. An arrival beyond this number is not sent, and has failed.
    package let mostInFlight: Int
    /// Whether stubs respond, so that the measurements prove nothing.
    package let isRehearsal: Bool
    /// The part of the load that this machine sends; nil for all of it.
    package let part: Part?
    /// The rows of all actions.
    package let rows: [String]
    /// The position of the first row of each action.
    let firstRows: [Int]

    package init(
        environment: String, actions: [Action], pace: Pace, users: Int, most: Int?, dice: LoadDice,
        thresholds: [Threshold], abort: [Threshold], mostInFlight: Int, isRehearsal: Bool = false, part: Part? = nil
    ) {
        (self.environment, self.actions, self.pace, self.users, self.most) = (environment, actions, pace, users, most)
        (self.dice, self.thresholds, self.abort) = (dice, thresholds, abort)
        (self.mostInFlight, self.isRehearsal, self.part) = (mostInFlight, isRehearsal, part)
        rows = actions.flatMap(\.rows)
        firstRows = actions.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.rows.count) }
    }

    package var schedule: Schedule? { if case .schedule(let schedule) = pace { schedule } else { nil } }

    package var length: Duration {
        switch pace {
        case .schedule(let schedule): schedule.length
        case .users(let stages): stages.length
        }
    }

    /// The length of the stages that count for thresholds, up to the last arrival.
    var judgedLength: Duration {
        switch pace {
        case .schedule(let schedule):
            schedule.judgedLength(
                until: most.flatMap { most in
                    most < schedule.expectedCount ? schedule.arrivals.dropFirst(most).first { _ in true }?.time : nil
                })
        case .users(let stages): stages.judgedLength
        }
    }

    /// The most requests a second; infinite for users who don't wait between their calls. A list that is not known before counts as
    /// one element; see `uncounted`.
    package var highestRate: Double {
        if let schedule { return schedule.highestRate * Double(actions.map(\.requests.ofArrival).max() ?? 1) }
        return actions.map { action in
            Double(users * action.requests.betweenWaits) / max(0, action.think?.lowerBound.seconds ?? 0)
        }.max() ?? 0
    }

    /// The first action whose requests can't be counted before the load, because it repeats a step for a list that is not known yet.
    package var uncounted: String? { actions.first { !$0.requests.areKnown }?.id }

    /// The number of arrivals, if it follows from the plan.
    package var expectedCount: Int? {
        let scheduled = schedule.map(\.expectedCount)
        return [scheduled, most].compactMap(\.self).min()
    }

    /// Whether there are more arrivals than rows of data. Users without a number of arrivals may have any number.
    package func needsMoreRows(than available: Int) -> Bool {
        let most = most ?? .max
        guard let schedule else { return most > available }
        return schedule.arrivals.prefix(min(most, available + 1)).reduce(0) { count, _ in count + 1 } > available
    }

    /// The users of this machine and the arrivals whose rows of data they use, up to a limit, for the logins before the load.
    package func logins(rows: Int, upTo limit: Int) -> [(user: Int, number: Int)] {
        let limit = min(limit, expectedCount ?? limit)
        if schedule == nil {
            // Users belong to a part, whatever the numbers of their calls.
            let own = (0..<users).filter { part?.has($0) ?? true }
            let numbers = (0..<rows).map { part?.number($0) ?? $0 }
            return Array(numbers.flatMap { number in own.map { (user: $0, number: number) } }.prefix(limit))
        }
        return (0..<min(limit, users * rows)).filter { part?.has($0) ?? true }.map { (user(of: $0), $0) }
    }

    /// The position of the action of an arrival, and its flow.
    package func choice(_ number: Int) -> (action: Int, flow: Flow) {
        let action = dice.action(number, weights: actions.map(\.weight))
        let flows = actions[action].flows
        return (action, flows[number % flows.count])
    }

    /// The user of an arrival.
    package func user(of number: Int) -> Int { number % users }

    /// The length, the rate and the users in one line.
    package var summary: String {
        let count = expectedCount.map { (schedule?.isRandom == true ? "about " : "") + LoadText.plain($0, "request") }
        let stages =
            switch pace {
            case .schedule(let schedule):
                schedule.stages.map { "\($0.rates.text) for \($0.length.text)" }.joined(separator: ", then ")
            case .users(let stages) where stages.count > 1:
                stages.map { "\($0.text) users for \($0.length.text)" }.joined(separator: ", then ")
            case .users: most == nil ? "for \(length.text)" : nil as String?
            }
        let logins = schedule == nil || users > 1 ? LoadText.plain(users, "user") : nil
        let parts = schedule == nil ? [count, logins, stages] : [count, stages, logins]
        return (parts + [part.map { "part \($0.shard.text)" }]).compactMap(\.self).joined(separator: ", ")
    }
}
