import Foundation
import Glibc
import ReqcliAssembly
import ReqcliBasics
import ReqcliText

/// The log of a server. A reader that stops reading never delays a response. If more than 1 MiB waits to be read, further lines
/// are dropped and counted.
final class ServeLog: Sendable {
    private static let limit = 1 << 20
    /// Lines within this time are written together.
    private static let pause = DispatchTimeInterval.milliseconds(10)

    private struct State {
        var waiting: [UInt8] = []
        var dropped = 0
        var hasEnded = false
        /// The second and its time of day as a string, kept because all lines of a second share it.
        var time: (second: time_t, text: String) = (-1, "")
    }

    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)
    private let ending = DispatchSemaphore(value: 0)
    private let finished = DispatchSemaphore(value: 0)
    let isJSON: Bool
    private let output: Output
    /// Whether the log goes to `/dev/null`.
    let isDiscarded: Bool
    private let clock: WorldClock

    init(_ output: Output, isJSON: Bool, clock: WorldClock) {
        self.output = output
        isDiscarded = output.isDiscarded
        self.isJSON = isJSON
        self.clock = clock
    }

    /// Adds a request and its response.
    ///
    /// - Parameter request: The entry, which is not made if the log goes to `/dev/null`.
    func add(_ request: @autoclosure () -> LoggedRequest) {
        if isDiscarded { return }
        let request = request()
        if isJSON { return add(request.json.compact) }
        add { request.append(to: &$0, at: $1) }
    }

    /// Adds an event that isn't about a single request, for `--json`.
    func addEvent(_ members: KeyValuePairs<String, OrderedJSON?>) { add(OrderedJSON.object(members).compact) }

    /// Adds a line that isn't about a single request.
    func addLine(_ text: String) { add { $0 += "\($1)  \(text)".utf8 } }

    private func add(_ line: String) { add { bytes, _ in bytes += line.utf8 } }

    /// Adds a line.
    ///
    /// - Parameter append: Appends the line to the bytes. Its second argument is the time of day.
    private func add(_ append: (inout [UInt8], String) -> Void) {
        // JSON objects don't show the time of day, so it isn't formatted for them.
        let second = isJSON ? 0 : time_t(clock.date())
        let isFirst = state.withLock { state in
            if state.time.second != second { state.time = (second, Self.text(of: second)) }
            let start = state.waiting.count
            append(&state.waiting, state.time.text)
            state.waiting.append(.lineFeed)
            if state.waiting.count > Self.limit {
                state.waiting.removeSubrange(start...)
                state.dropped += 1
                return false
            }
            return start == 0
        }
        if isFirst { wake.signal() }
    }

    /// Writes lines as they arrive, on a separate thread.
    func start() {
        Thread.detachNewThread { [self] in
            while true {
                wake.wait()
                _ = ending.wait(timeout: .now() + Self.pause)
                let (bytes, hasEnded) = take()
                if !bytes.isEmpty { output.write(bytes) }
                if hasEnded { break }
            }
            finished.signal()
        }
    }

    private func take() -> (bytes: [UInt8], hasEnded: Bool) {
        let (bytes, dropped, hasEnded) = state.withLock { state in
            defer { (state.waiting, state.dropped) = ([], 0) }
            return (state.waiting, state.dropped, state.hasEnded)
        }
        if dropped == 0 { return (bytes, hasEnded) }
        let text = "\(dropped) \(dropped == 1 ? "line is" : "lines are") missing, because the log was not read"
        let line = isJSON ? OrderedJSON.object(["event": "dropped", "lines": .int(dropped)]).compact : text
        return (bytes + Array((line + "\n").utf8), hasEnded)
    }

    /// Writes the remaining lines. Waits only a moment, because the reader of the log may have stopped reading.
    func end() {
        state.withLock { $0.hasEnded = true }
        ending.signal()
        wake.signal()
        _ = finished.wait(timeout: .now() + .seconds(1))
    }

    /// Whether lines could not be written. A closed pipe is not a failure.
    var hasFailed: Bool { if case .failed = output.problem { true } else { false } }

    private static func text(of second: time_t) -> String {
        var (second, parts) = (second, tm())
        localtime_r(&second, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    }
}
