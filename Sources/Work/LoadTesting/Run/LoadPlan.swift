package import Checking
import ReqcliText
import RequestBuilding

/// A load, determined before any request is sent.
package struct LoadPlan: Sendable {
    /// A call that arrivals make.
    package struct Action: Sendable {
        package let id: String
        /// How often the action is chosen, compared with the others.
        package let weight: Int
        /// The case of the call, once for each row of data. The rows are taken in turn.
        package let cases: [CheckCase]

        package init(id: String, weight: Int, cases: [CheckCase]) {
            (self.id, self.weight, self.cases) = (id, weight, cases)
        }
    }

    package enum Pace: Sendable {
        /// Arrivals have their times before the load begins, whatever the server does.
        case schedule(Schedule)
        /// Each user calls again after the response.
        case users(Duration)
    }

    package let environment: String
    package let actions: [Action]
    package let pace: Pace
    /// The number of users, each with a login. Arrivals take them in turn.
    package let users: Int
    /// The most arrivals; nil for no limit.
    package let most: Int?
    /// The wait of a user between two calls.
    package let think: ClosedRange<Duration>?
    package let dice: LoadDice
    /// The conditions that decide, including those that are always checked. Empty for a load that is only rehearsed.
    package let thresholds: [Threshold]
    /// The conditions that end the load if they are not met.
    package let abort: [Threshold]
    /// The most requests at the same time. An arrival beyond this number is not sent, and has failed.
    package let mostInFlight: Int
    /// Whether stubs respond, so that the measurements prove nothing.
    package let isRehearsal: Bool

    package init(
        environment: String, actions: [Action], pace: Pace, users: Int, most: Int?, think: ClosedRange<Duration>?,
        dice: LoadDice, thresholds: [Threshold], abort: [Threshold], mostInFlight: Int,
        isRehearsal: Bool = false
    ) {
        (self.environment, self.actions, self.pace, self.users, self.most) = (environment, actions, pace, users, most)
        (self.think, self.dice, self.thresholds, self.abort) = (think, dice, thresholds, abort)
        (self.mostInFlight, self.isRehearsal) = (mostInFlight, isRehearsal)
    }

    package var schedule: Schedule? { if case .schedule(let schedule) = pace { schedule } else { nil } }

    package var length: Duration {
        switch pace {
        case .schedule(let schedule): schedule.length
        case .users(let length): length
        }
    }

    /// The most requests a second; infinite for users who don't wait between their calls.
    package var highestRate: Double {
        if let schedule { return schedule.highestRate }
        return Double(users) / max(0, think?.lowerBound.seconds ?? 0)
    }

    /// The number of requests, if it follows from the plan.
    package var expectedCount: Int? {
        let scheduled = schedule.map(\.expectedCount)
        return [scheduled, most].compactMap(\.self).min()
    }

    /// The action and the case of an arrival.
    func choice(_ number: Int) -> (action: Int, each: CheckCase) {
        let action = dice.action(number, weights: actions.map(\.weight))
        let cases = actions[action].cases
        return (action, cases[number % cases.count])
    }
}
