import Checking
import ReqcliBasics

/// The measurements of a running load.
final class LoadBook: Sendable {
    struct State: Sendable {
        var tallies: [Tally]
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

    init(actions: Int, origin: Duration) {
        state = Mutex(State(tallies: Array(repeating: Tally(), count: actions)))
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

    /// Notes that the time of an arrival has come. Returns false if too many requests are under way to send it.
    func begin(_ action: Int, at time: Duration, most: Int) -> Bool {
        state.withLock { state in
            state.tallies[action].due()
            state.timeline.due(at: time)
            guard state.inFlight < most else {
                state.tallies[action].failed(
                    most == 0 ? "not sent: too late" : "not sent: \(most) requests were under way"
                ) { nil }
                if most == 0 { state.timeline.late(at: time) }
                state.timeline.ended(at: time, latency: nil)
                return false
            }
            state.inFlight += 1
            return true
        }
    }

    /// Notes the result of an arrival.
    ///
    /// - Parameter time: The time at which the arrival was due.
    func end(_ action: Int, _ call: LoadedCall, dueAt time: Duration) {
        state.withLock { state in
            state.inFlight -= 1
            if let began = call.began {
                let delay = began - origin - time
                state.tallies[action].begun(after: delay)
                if delay > Timeline.longestDelay { state.timeline.late(at: time) }
            }
            let ended = call.ended - origin
            let isPassed = call.isPassed && call.began != nil
            state.timeline.ended(at: ended, latency: isPassed ? ended - time : nil)
            if isPassed {
                state.tallies[action].passed(after: ended - time, service: call.service)
            } else {
                state.tallies[action].failed(call.cause) { call.reasons }
                if call.lackedResources { state.shortage = state.shortage ?? call.reasons }
            }
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
