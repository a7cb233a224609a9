package import Checking
package import Exchange
package import ReqcliAssembly
import ReqcliBasics
import RequestBuilding

/// Runs a load: sends each arrival at its time, and measures.
package struct LoadRun: Sendable {
    /// The time for which responses are awaited after the load was interrupted or aborted.
    private static let grace = Duration.seconds(10)
    /// The time between two looks at the clock, which show whether the generator keeps up.
    private static let beat = Duration.milliseconds(10)
    private static let beatsOfSecond = 100
    /// A request that would begin later than this is not sent.
    private static let longestDelay = Duration.seconds(1)

    private let plan: LoadPlan
    private let users: [LoadUser]
    /// The threads that take the requests in turn, or a user each; empty for the thread of the program.
    private let threads: [RequestThread]
    private let clock: WorldClock
    private let sample: @Sendable () -> ProcessorSample

    /// - Parameter users: The users of the plan, with their logins.
    package init(
        _ plan: LoadPlan, users: [LoadUser], threads: [RequestThread] = [], clock: WorldClock,
        sample: @escaping @Sendable () -> ProcessorSample
    ) {
        (self.plan, self.users, self.threads, self.clock, self.sample) = (plan, users, threads, clock, sample)
    }

    /// Runs until the last response.
    ///
    /// - Parameters:
    ///   - isInterrupted: Whether the user has asked for the end.
    ///   - onSecond: Called about once a second.
    package func result(
        isInterrupted: @escaping @Sendable () -> Bool, onSecond: @escaping @Sendable (LoadProgress) -> Void
    ) async -> LoadResult {
        let startedAt = clock.date()
        let book = LoadBook(actions: plan.actions.count, origin: clock.elapsed())
        // The first of the two to end cancels the other: all responses have been read, or the time for them is over.
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await sendAll(book) }
            group.addTask { await watch(book, isInterrupted, onSecond) }
            await group.next()
            group.cancelAll()
        }
        return LoadResult(plan, book.current, startedAt: startedAt, duration: clock.elapsed() - book.origin)
    }

    // MARK: Arrivals

    private func sendAll(_ book: LoadBook) async {
        await withDiscardingTaskGroup { group in
            switch plan.pace {
            case .schedule(let schedule):
                for part in 0..<max(1, threads.count) {
                    add(part, to: &group) { await send(part, of: schedule, book) }
                }
            case .users(let length):
                for (index, user) in users.enumerated() {
                    // The first calls are spread over the wait between two calls.
                    let start = (plan.think?.lowerBound ?? .zero) * index / users.count
                    add(index, to: &group) {
                        await wait(until: min(start, length), book)
                        await call(as: user, for: length, book)
                    }
                }
            }
        }
    }

    /// Sends the arrivals of one thread.
    private func send(_ part: Int, of schedule: Schedule, _ book: LoadBook) async {
        await withDiscardingTaskGroup { group in
            for (index, arrival) in schedule.arrivals.prefix(plan.most ?? .max).enumerated() {
                if !threads.isEmpty, index % threads.count != part { continue }
                await wait(until: arrival.time, book)
                if book.isStopped || Task.isCancelled { break }
                let (action, each) = plan.choice(arrival.number)
                // A request that is far too late isn't sent. After a pause, all of them would arrive at once.
                let isLost = clock.elapsed() - book.origin - arrival.time > Self.longestDelay
                guard book.begin(action, at: arrival.time, most: isLost ? 0 : plan.mostInFlight) else { continue }
                group.addTask { await send(each, action, arrival.number, dueAt: arrival.time, book) }
            }
        }
    }

    /// Begins the work of a thread or of a user.
    private func add(
        _ number: Int, to group: inout DiscardingTaskGroup, _ work: @escaping @Sendable () async -> Void
    ) {
        if threads.isEmpty {
            group.addTask(operation: work)
        } else {
            threads[number % threads.count].run(in: &group, work)
        }
    }

    private func wait(until time: Duration, _ book: LoadBook) async {
        while !book.isStopped, !Task.isCancelled {
            let rest = book.origin + time - clock.elapsed()
            if rest <= .zero { return }
            // A long wait is cut, so that an interruption is noticed.
            let part = min(rest, .milliseconds(100))
            if let thread = RequestThread.current { await thread.sleep(part) } else { try? await clock.sleep(part) }
        }
    }

    /// The calls of one user, one after the other.
    private func call(as user: LoadUser, for length: Duration, _ book: LoadBook) async {
        while clock.elapsed() - book.origin < length, !Task.isCancelled, let number = book.next(most: plan.most) {
            let (action, each) = plan.choice(number)
            let time = clock.elapsed() - book.origin
            _ = book.begin(action, at: time, most: .max)
            book.end(action, await user.call(each, arrival: number), dueAt: time)
            guard let think = plan.think else { continue }
            let wake = clock.elapsed() - book.origin + plan.dice.think(number, in: think)
            await wait(until: min(wake, length), book)
        }
    }

    private func send(_ each: CheckCase, _ action: Int, _ number: Int, dueAt time: Duration, _ book: LoadBook) async {
        book.end(action, await users[number % users.count].call(each, arrival: number), dueAt: time)
    }

    // MARK: Watching

    /// Watches the load, until it has been stopped and the time for the last responses is over.
    private func watch(
        _ book: LoadBook, _ isInterrupted: @Sendable () -> Bool, _ onSecond: (LoadProgress) -> Void
    ) async {
        book.note(sample(), at: .zero)
        var beats = 0
        while !Task.isCancelled {
            let planned = clock.elapsed() + Self.beat
            guard (try? await clock.sleep(Self.beat)) != nil else { return }
            let now = clock.elapsed()
            let time = now - book.origin
            book.woke(late: now - planned, at: time)
            if isInterrupted() { book.stop(.interrupted, at: time) }
            if let stop = book.stopTime, time - stop > Self.grace { return }
            beats += 1
            guard beats % Self.beatsOfSecond == 0 else { continue }
            book.note(sample(), at: time)
            let state = book.current
            if let broken = plan.abort.first(where: { !$0.allows(state.timeline.last(before: time)) }) {
                book.stop(.aborted(broken.text, after: time), at: time)
            }
            onSecond(LoadProgress(state, at: time))
        }
    }
}

extension Threshold {
    /// The number of responses below which a share of errors says little.
    private static let fewest = 20

    /// Whether a load goes on after these counts of its last seconds.
    fileprivate func allows(_ counts: Timeline.Counts) -> Bool {
        guard unit != .percent || counts.ended >= Self.fewest else { return true }
        let measured = unit == .percent ? Double(counts.errors) / Double(counts.ended) * 100 : Double(counts.errors)
        return comparison.holds(measured, value)
    }
}

/// The measurements of a running load that the view shows.
package struct LoadProgress: Sendable {
    package let time: Duration
    private let counts: Timeline.Counts
    private let inFlight: Int
    private let total: Int
    private let latencies: Histogram

    init(_ state: LoadBook.State, at time: Duration) {
        self.time = time
        counts = state.timeline.last(before: time)
        inFlight = state.inFlight
        total = state.tallies.reduce(0) { $0 + $1.endedCount }
        latencies = state.timeline.latencies.suffix(1 + Timeline.span / state.timeline.width).reduce(into: .coarse) {
            $0.add($1)
        }
    }

    /// The last ten seconds on one line.
    package var line: String {
        let span = min(Double(Timeline.span), max(1, time.seconds))
        var parts = [
            "\(Int(time.seconds.rounded()))s", "\(LoadText.count(total)) requests",
            LoadText.rate(Double(counts.ended) / span),
            "\(LoadText.count(counts.errors)) errors",
        ]
        for percent in [50.0, 99] {
            guard let time = latencies.percentile(percent) else { continue }
            parts.append("p\(Int(percent)) \(LoadText.time(time))")
        }
        return (parts + ["\(LoadText.count(inFlight)) under way"]).joined(separator: "  ")
    }
}
