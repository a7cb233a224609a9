package import Checking
package import Exchange
package import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
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
        let now = clock.date()
        let startedAt = max(now, plan.part?.startAt ?? now)
        let book = LoadBook(rows: plan.rows.count, origin: clock.elapsed() + .seconds(startedAt - now))
        if let part = plan.part, now > part.startAt {
            let late = LoadFinding(
                .parts,
                "this part was ready \(LoadText.time(.seconds(now - part.startAt))) after the start, and sent nothing",
                hint: "start all parts earlier, or pass a later time to --start-at")
            return LoadResult(plan, book.current, startedAt: startedAt, duration: .zero, adding: late)
        }
        // The first of the two to end cancels the other: all responses have been read, or the time for them is over.
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await sendAll(book) }
            group.addTask { await watch(book, isInterrupted, onSecond) }
            await group.next()
            for user in users { user.cancel() }
            group.cancelAll()
        }
        return LoadResult(plan, book.current, startedAt: startedAt, duration: max(.zero, clock.elapsed() - book.origin))
    }

    // MARK: Arrivals

    private func sendAll(_ book: LoadBook) async {
        await withDiscardingTaskGroup { group in
            switch plan.pace {
            case .schedule(let schedule):
                for thread in 0..<max(1, threads.count) {
                    add(thread, to: &group) { await send(thread, of: schedule, book) }
                }
            case .users(let stages):
                for (index, user) in users.enumerated() where plan.part?.has(index) ?? true {
                    // The first calls are spread over the wait between two calls.
                    let think = plan.actions.compactMap(\.think?.lowerBound).min() ?? .zero
                    add(index, to: &group) {
                        await call(as: user, index, from: think * index / users.count, in: stages, book)
                    }
                }
            }
        }
    }

    /// Sends the arrivals of one thread.
    private func send(_ thread: Int, of schedule: Schedule, _ book: LoadBook) async {
        let arrivals = schedule.arrivals.prefix(plan.most ?? .max).lazy.filter { plan.part?.has($0.number) ?? true }
        await withDiscardingTaskGroup { group in
            for (index, arrival) in arrivals.enumerated() {
                if !threads.isEmpty, index % threads.count != thread { continue }
                await wait(until: arrival.time, book)
                if book.isStopped || Task.isCancelled { break }
                // A request that is far too late isn't sent. After a pause, all of them would arrive at once.
                let isLost = clock.elapsed() - book.origin - arrival.time > Self.longestDelay
                guard !isLost, book.begin(most: plan.mostInFlight) else {
                    book.refuse(
                        plan.firstRows[plan.choice(arrival.number).action], at: arrival.time,
                        isJudged: arrival.isJudged, isLate: isLost, most: plan.mostInFlight)
                    continue
                }
                group.addTask {
                    let user = users[plan.user(of: arrival.number)]
                    await run(arrival.number, as: user, dueAt: arrival.time, isJudged: arrival.isJudged, book)
                }
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
    private func call(
        as user: LoadUser, _ index: Int, from start: Duration, in stages: [UserStage], _ book: LoadBook
    ) async {
        var start = start
        let shard = plan.part?.shard
        while !Task.isCancelled,
            let next = stages.activity(of: index, from: max(start, clock.elapsed() - book.origin))
        {
            await wait(until: next.time, book)
            // Each part takes every N-th number.
            let most = plan.most.map { ($0 + (shard?.count ?? 1) - (shard?.index ?? 1)) / (shard?.count ?? 1) }
            guard !Task.isCancelled, let taken = book.next(most: most) else { return }
            let number = shard.map { taken * $0.count + $0.index - 1 } ?? taken
            let time = max(.zero, clock.elapsed() - book.origin)
            _ = book.begin(most: .max)
            await run(number, as: user, dueAt: time, isJudged: next.isJudged, book)
            start = clock.elapsed() - book.origin
            guard let think = plan.actions[plan.choice(number).action].think else { continue }
            start += plan.dice.think(number, in: think)
        }
    }

    /// Runs the flow of an arrival. Its later steps are due when they can be sent.
    private func run(
        _ number: Int, as user: LoadUser, dueAt time: Duration, isJudged: Bool, _ book: LoadBook
    ) async {
        let (action, flow) = plan.choice(number)
        let due = Mutex((time: time, step: 0))
        await user.run(flow, arrival: number) {
            guard let think = plan.actions[action].think else { return }
            let wake = due.withLock { due in
                due.step += 1
                due.time = clock.elapsed() - book.origin + plan.dice.think(number, step: due.step, in: think)
                return due.time
            }
            await wait(until: wake, book)
        } note: { row, call in
            let time = due.withLock { due in
                defer { due.time = call.ended - book.origin }
                return due.time
            }
            book.end(plan.firstRows[action] + row, call, dueAt: time, isJudged: isJudged)
        }
        book.finish()
    }

    // MARK: Watching

    /// Waits for the start of all parts. This time says nothing about the generator.
    private func waitForStart(_ book: LoadBook, _ isInterrupted: @Sendable () -> Bool) async {
        while !Task.isCancelled, !book.isStopped {
            let rest = book.origin - clock.elapsed()
            if rest <= .zero { return }
            if isInterrupted() { book.stop(.interrupted, at: .zero) }
            try? await clock.sleep(min(rest, .milliseconds(100)))
        }
    }

    /// Watches the load, until it has been stopped and the time for the last responses is over.
    private func watch(
        _ book: LoadBook, _ isInterrupted: @Sendable () -> Bool, _ onSecond: (LoadProgress) -> Void
    ) async {
        await waitForStart(book, isInterrupted)
        book.note(sample(), at: max(.zero, clock.elapsed() - book.origin))
        var beats = 0
        while !Task.isCancelled {
            let planned = clock.elapsed() + Self.beat
            guard (try? await clock.sleep(Self.beat)) != nil else { return }
            let now = clock.elapsed()
            let time = now - book.origin
            book.woke(late: now - planned, at: time)
            if isInterrupted() { book.stop(.interrupted, at: max(.zero, time)) }
            if let stop = book.stopTime {
                for user in users { user.stop() }
                if time - stop > Self.grace { return }
            }
            beats += 1
            guard beats % Self.beatsOfSecond == 0, time > .zero else { continue }
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
    /// The rate and the 99th percentile of each of the last windows.
    private let recent: (rates: [Double], p99: [Double])
    private static let mostBars = 20

    init(_ state: LoadBook.State, at time: Duration) {
        self.time = time
        counts = state.timeline.last(before: time)
        inFlight = state.inFlight
        total = state.tallies.reduce(state.unjudged.endedCount) { $0 + $1.endedCount }
        latencies = state.timeline.latencies.suffix(1 + Timeline.span / state.timeline.width).reduce(into: .coarse) {
            $0.add($1)
        }
        // The last window isn't over.
        let rates = state.timeline.windows.dropLast().suffix(Self.mostBars).map { Double($0.ended) }
        let times = state.timeline.latencies.dropLast().suffix(Self.mostBars)
        recent = (rates, times.map { $0.percentile(99)?.seconds ?? 0 })
    }

    /// The rate and the 99th percentile over time, as bars.
    package var sparklines: String {
        [("rate", recent.rates), ("p99", recent.p99)].filter { $0.1.count > 1 }.map { name, values in
            let top = max(values.max() ?? 0, .leastNonzeroMagnitude)
            let bars = Array("▁▂▃▄▅▆▇█")
            return "  \(name) " + String(values.map { bars[min(7, Int($0 / top * 7.99))] })
        }.joined()
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
