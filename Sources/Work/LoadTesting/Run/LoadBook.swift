import Checking
import ReqcliBasics

/// The measurements of a running load.
final class LoadBook: Sendable {
    struct State: Sendable {
        /// The measurements of each row of the plan.
        var tallies: [Tally]
        /// The measurements of the stages that count for no threshold.
        var unjudged = Tally()
        var timeline = Timeline()
        var health = Health()
        var inFlight = 0
        /// Why requests could not be sent from this machine; nil if all could.
        var shortage: String?
        var ending = LoadResult.Ending.complete
        /// The time at which no more arrivals begin, because the load was aborted or interrupted.
        var stop: Duration?
        var taken = 0
    }

    private let state: Mutex<State>
    /// The time on the clock at which the load begins.
    let origin: Duration

    init(rows: Int, origin: Duration) {
        state = Mutex(State(tallies: Array(repeating: Tally(), count: rows)))
        self.origin = origin
    }

    var current: State { state.withLock(\.self) }
    /// The time at which the load was stopped; nil if it goes on.
    var stopTime: Duration? { state.withLock(\.stop) }
    var isStopped: Bool { state.withLock { $0.stop != nil } }

    /// The number of the next arrival of any user; nil if there are no more.
    func next(most: Int?) -> Int? {
        state.withLock { state in
            guard state.stop == nil, state.taken < most ?? .max else { return nil }
            defer { state.taken += 1 }
            return state.taken
        }
    }

    /// Notes that an arrival begins. Returns false if too many are under way to begin it.
    func begin(most: Int) -> Bool {
        state.withLock { state in
            guard state.inFlight < most else { return false }
            state.inFlight += 1
            return true
        }
    }

    func finish() { state.withLock { $0.inFlight -= 1 } }

    /// Notes an arrival that is not sent.
    func refuse(_ row: Int, at time: Duration, isJudged: Bool, isLate: Bool, most: Int) {
        state.withLock { state in
            state.change(row, isJudged) { tally in
                tally.due()
                tally.failed(isLate ? "not sent: too late" : "not sent: \(most) requests were under way") { nil }
            }
            state.timeline.due(at: time)
            if isLate { state.timeline.late(at: time) }
            state.timeline.ended(at: time, latency: nil)
        }
    }

    /// Notes the result of a call.
    ///
    /// - Parameter time: The time at which the call was due.
    func end(_ row: Int, _ call: LoadedCall, dueAt time: Duration, isJudged: Bool) {
        let ended = call.ended - origin
        let isPassed = call.isPassed && call.began != nil
        state.withLock { state in
            state.timeline.due(at: time)
            if let began = call.began, began - origin - time > Timeline.longestDelay { state.timeline.late(at: time) }
            state.timeline.ended(at: ended, latency: isPassed ? ended - time : nil)
            state.change(row, isJudged) { tally in
                tally.due()
                if let began = call.began { tally.begun(after: began - origin - time) }
                if isPassed {
                    tally.passed(after: ended - time, service: call.service)
                } else {
                    tally.failed(call.cause) { call.reasons }
                }
            }
            if !isPassed, call.lackedResources { state.shortage = state.shortage ?? call.reasons }
        }
    }

    func stop(_ ending: LoadResult.Ending, at time: Duration) {
        state.withLock { state in
            guard state.stop == nil else { return }
            (state.stop, state.ending) = (time, ending)
        }
    }

    func woke(late delay: Duration, at time: Duration) { state.withLock { $0.health.woke(late: delay, at: time) } }

    func note(_ sample: ProcessorSample, at time: Duration) { state.withLock { $0.health.note(sample, at: time) } }
}

extension LoadBook.State {
    fileprivate mutating func change(_ row: Int, _ isJudged: Bool, _ change: (inout Tally) -> Void) {
        if isJudged { change(&tallies[row]) } else { change(&unjudged) }
    }
}
