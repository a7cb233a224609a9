import RequestBuilding

/// A reason why a load proves nothing, whatever its thresholds say.
package struct LoadFinding: Sendable, Equatable {
    package enum Kind: String, Sendable {
        /// Arrivals began later than planned.
        case behind
        /// The machine of the generator had too little time for it.
        case processor
        /// The generator had too few descriptors, local ports or memory.
        case resources
        /// Nothing was measured.
        case empty
        /// Parts of the load are missing, or don't belong together.
        case parts
    }

    package let kind: Kind
    package let message: String
    package let hint: String

    init(_ kind: Kind, _ message: String, hint: String) {
        self.kind = kind
        self.message = message
        self.hint = hint
    }
}

/// The processor time of the program up to now, as the system counts it.
package struct ProcessorSample: Sendable, Equatable {
    /// The processor time of each thread, by its number.
    package var threads: [Int: Duration]
    /// The time for which the container has stopped the program, because it had used its share.
    package var throttled: Duration

    package init(threads: [Int: Duration] = [:], throttled: Duration = .zero) {
        self.threads = threads
        self.throttled = throttled
    }
}

/// Watches whether the generator had enough processor time to keep to its schedule.
package struct Health: Sendable {
    private static let mostBusy = 0.9
    private static let mostThrottled = 0.01
    static let longestPause = Duration.milliseconds(100)
    /// A shorter time is not compared, because the first requests take more time than later ones.
    private static let shortest = Duration.seconds(3)

    private var samples: [(time: Duration, sample: ProcessorSample)] = []
    private var first: (time: Duration, sample: ProcessorSample)?
    private(set) var finding: LoadFinding?

    /// The share of one core that the program has used.
    package private(set) var usedCores = 0.0

    /// Notes that a wait of a few milliseconds has taken longer.
    mutating func woke(late delay: Duration, at time: Duration) {
        guard time >= .zero, delay > Self.longestPause else { return }
        found("the generator stood still for \(Int(delay.seconds * 1000)) ms at \(Int(time.seconds)) s")
    }

    /// Notes a sample. Samples are taken every second. Those before the start of the load don't count.
    mutating func note(_ sample: ProcessorSample, at time: Duration) {
        if time < .zero { return }
        first = first ?? (time, sample)
        samples.append((time, sample))
        if samples.count > Timeline.span + 1 { samples.removeFirst() }
        guard let start = samples.first, let first, time > first.time else { return }
        let used = sample.threads.reduce(0) { $0 + ($1.value - (first.sample.threads[$1.key] ?? .zero)).seconds }
        usedCores = used / (time - first.time).seconds
        guard time - start.time >= Self.shortest else { return }
        let length = (time - start.time).seconds
        let busiest = sample.threads.compactMap { id, used in
            start.sample.threads[id].map { (used - $0).seconds / length }
        }
        if let share = busiest.max(), share > Self.mostBusy {
            found(
                "a thread of the generator was busy for \(Self.percent(share)) of the time until \(Int(time.seconds)) s"
            )
        }
        let throttled = (sample.throttled - start.sample.throttled).seconds / length
        if throttled > Self.mostThrottled {
            found(
                "the container stopped the generator for \(Self.percent(throttled)) of the time until \(Int(time.seconds)) s"
            )
        }
    }

    private mutating func found(_ message: String) {
        finding =
            finding
            ?? LoadFinding(
                .processor, message,
                hint:
                    "use a machine with more free processor time, or lower the rate: the latencies include the generator's delays"
            )
    }

    private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
}

extension Timeline {
    /// Arrivals of which too many began late, in any ten seconds.
    var finding: LoadFinding? {
        guard let worst = spans.first(where: { $0.counts.late * 100 > $0.counts.due }) else { return nil }
        return LoadFinding(
            .behind,
            "\(worst.counts.late) of the \(worst.counts.due) arrivals after \(worst.start) s began more than 10 ms late",
            hint: "use a machine with more free processor time, or lower the rate")
    }
}
