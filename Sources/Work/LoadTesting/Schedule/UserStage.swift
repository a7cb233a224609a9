import RequestBuilding

/// A time in which the number of users changes evenly.
package struct UserStage: Sendable, Equatable {
    package let first: Int
    package let last: Int
    package let length: Duration
    package let isJudged: Bool

    package init(from first: Int, to last: Int, for length: Duration, isJudged: Bool = true) {
        (self.first, self.last, self.length, self.isJudged) = (first, last, length, isJudged)
    }

    /// The time in the stage, from `time`, at which a user calls; nil if there is none.
    ///
    /// - Parameter user: The number of the user, from 0.
    fileprivate func activity(of user: Int, from time: Duration) -> Duration? {
        // The user calls while the number of users is above this one.
        let (first, last) = (Double(self.first) - Double(user), Double(self.last) - Double(user))
        if first > 0, last > 0 { return time }
        guard first > 0 || last > 0 else { return nil }
        let change = length * (first / (first - last))
        return first > 0 ? (time < change ? time : nil) : max(time, change)
    }

    package var text: String { first == last ? "\(first)" : "\(first) to \(last)" }
}

extension [UserStage] {
    package var length: Duration { reduce(.zero) { $0 + $1.length } }
    package var judgedLength: Duration { filter(\.isJudged).length }
    package var most: Int { flatMap { [$0.first, $0.last] }.max() ?? 0 }

    /// The time from which a user calls again, and whether this call counts for thresholds; nil if the user has finished.
    func activity(of user: Int, from time: Duration) -> (time: Duration, isJudged: Bool)? {
        var start = Duration.zero
        for stage in self {
            defer { start += stage.length }
            guard time < start + stage.length,
                let active = stage.activity(of: user, from: Swift.max(.zero, time - start)), active < stage.length
            else { continue }
            return (start + active, stage.isJudged)
        }
        return nil
    }
}
