import Assembly
import Foundation
import Glibc
import SourceText
import Synchronization

/// The log of a server. A reader that stops reading never holds up a response: past 1 MiB, lines are dropped and counted.
final class ServeLog: Sendable {
    private static let limit = 1 << 20

    private struct State {
        var waiting: [UInt8] = []
        var dropped = 0
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)
    private let finished = DispatchSemaphore(value: 0)
    let isJSON: Bool
    private let clock: WorldClock

    init(isJSON: Bool, clock: WorldClock) {
        self.isJSON = isJSON
        self.clock = clock
    }

    func add(_ request: LoggedRequest) { add(isJSON ? request.json.compact : request.text(at: timeOfDay)) }

    /// Adds what isn't about one request, for `--json`.
    func addEvent(_ members: KeyValuePairs<String, OrderedJSON?>) { add(OrderedJSON.object(members).compact) }

    /// Adds a line that isn't about one request.
    func addLine(_ text: String) { add("\(timeOfDay)  \(text)") }

    private func add(_ line: String) {
        let isFirst = state.withLock { state in
            let isFirst = state.waiting.isEmpty
            if state.waiting.count + line.utf8.count >= Self.limit {
                state.dropped += 1
                return false
            }
            state.waiting += line.utf8
            state.waiting.append(UInt8(ascii: "\n"))
            return isFirst
        }
        if isFirst { wake.signal() }
    }

    /// Writes what comes, on a thread of its own.
    func start(_ output: Output) {
        Thread.detachNewThread { [self] in
            while true {
                wake.wait()
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

    /// Writes the rest, and waits for it a moment: its reader may have stopped.
    func end() {
        state.withLock { $0.hasEnded = true }
        wake.signal()
        _ = finished.wait(timeout: .now() + .seconds(1))
    }

    private var timeOfDay: String {
        var (now, parts) = (time_t(clock.date()), tm())
        localtime_r(&now, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    }
}
