/// The measurements of an action, or of all actions of a load together.
package struct Tally: Sendable {
    /// The number of arrivals whose time has come.
    package private(set) var arrivals = 0
    /// The number of arrivals that were sent.
    package private(set) var sent = 0
    /// The times from when each arrival was due until its response had been read. Arrivals that failed are left out.
    package private(set) var latencies = Histogram()
    /// The times from the first byte of each request until its response had been read.
    package private(set) var service = Histogram()
    /// The times from when each arrival was due until it was sent.
    package private(set) var delays = Histogram()
    package private(set) var errors: [String: ErrorKind] = [:]

    /// Errors that have the same cause.
    package struct ErrorKind: Sendable, Equatable {
        package fileprivate(set) var count = 0
        /// The first errors of this kind, without secrets.
        package fileprivate(set) var examples: [String] = []

        init(count: Int = 0, examples: [String] = []) { (self.count, self.examples) = (count, examples) }
    }

    package init() {}

    package var errorCount: Int { errors.values.reduce(0) { $0 + $1.count } }
    /// The number of arrivals that have passed or failed.
    package var endedCount: Int { Int(latencies.count) + errorCount }

    mutating func due() { arrivals += 1 }

    mutating func begun(after delay: Duration) {
        sent += 1
        delays.add(max(.zero, delay))
    }

    mutating func passed(after latency: Duration, service time: Duration) {
        latencies.add(latency)
        service.add(time)
    }

    private static let mostExamples = 5
    private static let mostKinds = 40

    /// - Parameter example: Makes the text of the error. It is only called for the first errors of a kind, so that a server that fails
    ///   costs no more time than one that doesn't.
    mutating func failed(_ kind: String, example: () -> String?) {
        let kind = errors[kind] != nil || errors.count < Self.mostKinds ? kind : "other errors"
        errors[kind, default: ErrorKind()].count += 1
        guard errors[kind, default: ErrorKind()].examples.count < Self.mostExamples, let example = example() else {
            return
        }
        errors[kind]?.examples.append(example)
    }

    init(
        arrivals: Int, sent: Int, latencies: Histogram, service: Histogram, delays: Histogram,
        errors: [String: ErrorKind]
    ) {
        (self.arrivals, self.sent, self.latencies) = (arrivals, sent, latencies)
        (self.service, self.delays, self.errors) = (service, delays, errors)
    }

    mutating func add(_ other: Tally) {
        arrivals += other.arrivals
        sent += other.sent
        latencies.add(other.latencies)
        service.add(other.service)
        delays.add(other.delays)
        for (kind, more) in other.errors {
            errors[kind, default: ErrorKind()].count += more.count
            let room = max(0, Self.mostExamples - (errors[kind]?.examples.count ?? 0))
            errors[kind]?.examples += more.examples.prefix(room)
        }
    }
}

/// The arrivals of a load by time: counts for each second, and latencies for each window.
package struct Timeline: Sendable {
    package struct Counts: Sendable, Equatable {
        /// The arrivals that were due in this time, and those of them that began too late.
        package fileprivate(set) var due = 0
        package fileprivate(set) var late = 0
        /// The arrivals that ended in this time, and those of them that failed.
        package fileprivate(set) var ended = 0
        package fileprivate(set) var errors = 0

        init(due: Int = 0, late: Int = 0, ended: Int = 0, errors: Int = 0) {
            (self.due, self.late, self.ended, self.errors) = (due, late, ended, errors)
        }

        fileprivate static func + (one: Counts, other: Counts) -> Counts {
            var sum = one
            sum.due += other.due
            sum.late += other.late
            sum.ended += other.ended
            sum.errors += other.errors
            return sum
        }
    }

    /// A delay that is longer than this is too long.
    static let longestDelay = Duration.milliseconds(10)
    /// The seconds over which rules are applied.
    static let span = 10
    private static let mostWindows = 600

    private(set) var seconds: [Counts] = []
    /// The length of a window in seconds. It is doubled when there are too many windows.
    package private(set) var width = 1
    /// The latencies of each window, by the times at which the responses had been read.
    package private(set) var latencies: [Histogram] = []

    /// The counts of each window.
    package var windows: [Counts] {
        stride(from: 0, to: seconds.count, by: width).map { start in
            seconds[start..<min(start + width, seconds.count)].reduce(Counts(), +)
        }
    }

    init() {}

    /// - Parameter rows: The windows of a timeline.
    init(width: Int, rows: [(counts: Counts, latencies: Histogram)]) {
        self.width = width
        latencies = rows.map(\.latencies)
        seconds = rows.flatMap { [$0.counts] + Array(repeating: Counts(), count: width - 1) }
    }

    /// Adds the windows of another part of the load, which began at the same time.
    mutating func add(_ other: Timeline) {
        var other = other
        while width < other.width { double() }
        while other.width < width { other.double() }
        let missing = other.seconds.count - seconds.count
        if missing > 0 { seconds += Array(repeating: Counts(), count: missing) }
        for (index, counts) in other.seconds.enumerated() { seconds[index] = seconds[index] + counts }
        let lacking = other.latencies.count - latencies.count
        if lacking > 0 { latencies += Array(repeating: .coarse, count: lacking) }
        for (index, window) in other.latencies.enumerated() { latencies[index].add(window) }
    }

    mutating func due(at time: Duration) { change(time) { $0.due += 1 } }

    mutating func late(at time: Duration) { change(time) { $0.late += 1 } }

    /// - Parameter latency: Nil for an arrival that failed.
    mutating func ended(at time: Duration, latency: Duration?) {
        change(time) { counts in
            counts.ended += 1
            if latency == nil { counts.errors += 1 }
        }
        guard let latency else { return }
        while Self.second(time) / width >= Self.mostWindows { double() }
        let window = Self.second(time) / width
        if window >= latencies.count {
            latencies += Array(repeating: .coarse, count: window + 1 - latencies.count)
        }
        latencies[window].add(latency)
    }

    /// The counts of the last full seconds before a time.
    func last(before time: Duration) -> Counts {
        let end = min(Self.second(time), seconds.count)
        return seconds[max(0, end - Self.span)..<end].reduce(Counts(), +)
    }

    /// The counts of each span of ten seconds, or of the whole time if it is shorter, with the second in which the span begins.
    var spans: [(start: Int, counts: Counts)] {
        let last = max(0, seconds.count - Self.span)
        return (0...last).map { start in
            (start, seconds[start..<min(start + Self.span, seconds.count)].reduce(Counts(), +))
        }
    }

    private mutating func double() {
        width *= 2
        latencies = stride(from: 0, to: latencies.count, by: 2).map { index in
            var sum = latencies[index]
            if index + 1 < latencies.count { sum.add(latencies[index + 1]) }
            return sum
        }
    }

    private mutating func change(_ time: Duration, _ change: (inout Counts) -> Void) {
        let second = Self.second(time)
        if second >= seconds.count {
            seconds += Array(repeating: Counts(), count: second + 1 - seconds.count)
        }
        change(&seconds[second])
    }

    private static func second(_ time: Duration) -> Int { max(0, Int(time.components.seconds)) }
}
