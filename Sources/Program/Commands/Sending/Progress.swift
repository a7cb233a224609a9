import CommandLineKit
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// Shows the progress of a slow transfer, or how long it has been waiting, on one line of the terminal. The line is overwritten
/// again and again, and erased at the end.
///
/// The line appears after a second, because shorter transfers don't need it.
final class Progress: Sendable {
    private static let patience = Duration.seconds(1)
    private static let interval = Duration.milliseconds(200)

    private let messages: Output
    private let width: @Sendable () -> Int
    private let elapsed: @Sendable () -> Duration
    private let state: Mutex<State>

    private struct State {
        var transfer: TransferProgress?
        /// The number of cells of the line that are in use.
        var shown = 0
        var isOver = false
    }

    /// Nil if stderr is not a terminal, or if the terminal can't overwrite a line.
    init?(_ context: Context) {
        guard context.outputPreferences.showsProgress, context.terminal.isTerminal(.error),
            context.variable("TERM") != "dumb"
        else { return nil }
        messages = context.messages
        width = context.terminal.width
        elapsed = context.world.clock.elapsed
        state = Mutex(State())
        let sleep = context.world.clock.sleep
        Task.detached { [weak self] in
            while (try? await sleep(Self.interval)) != nil, let self, draw() {}
        }
    }

    /// Begins a transfer, after the previous one is done.
    ///
    /// - Parameter skipped: The number of bytes of the body that need not be transferred.
    func begin(_ direction: TransferProgress.Direction, total: Int?, skipped: Int = 0) {
        state.withLock { state in
            state.transfer = TransferProgress(
                direction: direction, total: total.map { $0 + skipped }, start: elapsed(), skipped: skipped,
                count: skipped)
        }
    }

    /// Shows that a request is being sent: the bytes sent so far, or only the time if `size` is nil.
    func beginExchange(uploading size: Int?) {
        begin(size == nil ? .waiting : .sending, total: size)
    }

    /// Erases the line until another transfer begins.
    func pause() {
        state.withLock { state in
            erase(&state)
            state.transfer = nil
        }
    }

    func add(_ count: Int) {
        state.withLock { $0.transfer?.count += count }
    }

    /// Erases the line for good.
    func end() {
        state.withLock { state in
            erase(&state)
            state.isOver = true
        }
    }

    /// Returns false after the end.
    private func draw() -> Bool {
        state.withLock { state in
            guard !state.isOver, let transfer = state.transfer else { return !state.isOver }
            let time = elapsed() - transfer.start
            guard time >= Self.patience else { return true }
            let text = TerminalText.truncated(transfer.text(after: time), to: max(1, width() - 1))
            let cells = TerminalText.width(of: text)
            // Spaces overwrite the rest of a longer previous line.
            messages.writeUnfiltered("\r" + text + String(repeating: " ", count: max(0, state.shown - cells)))
            state.shown = cells
            return true
        }
    }

    private func erase(_ state: inout State) {
        guard state.shown > 0 else { return }
        messages.writeUnfiltered("\r" + String(repeating: " ", count: state.shown) + "\r")
        state.shown = 0
    }
}

/// The state of a running transfer.
struct TransferProgress: Sendable {
    enum Direction: Sendable {
        /// A body is being sent. Only the transport knows how much of the body has been sent.
        case sending
        case receiving
        case waiting
    }

    let direction: Direction
    let total: Int?
    /// When the transfer began, on the context's clock.
    let start: Duration
    var skipped = 0
    var count = 0

    /// `━───────── 112.3 MiB of 1.0 GiB  11%  45.2 MiB/s  22 s left`
    func text(after time: Duration) -> String {
        let seconds = time.seconds
        if direction == .waiting {
            let frame = Self.frames[Int(seconds / Self.frameTime) % Self.frames.count]
            return "\(frame) waiting  \(Self.time(seconds.rounded(.down)))"
        }
        if direction == .sending {
            return "sending\(total.map { " \(Self.size($0))" } ?? "")  \(Self.time(seconds))"
        }
        let rate = Double(count - skipped) / max(seconds, 0.001)
        var parts = [Self.size(count) + (total.map { " of \(Self.size($0))" } ?? "")]
        if let total, total > 0 {
            parts.insert(Self.bar(filled: Double(count) / Double(total)), at: 0)
            parts.append("\(min(100, count * 100 / total))%")
        }
        parts.append("\(Self.size(Int(rate)))/s")
        if let total, rate > 0, total > count { parts.append("\(Self.time(Double(total - count) / rate)) left") }
        return parts.joined(separator: "  ")
    }

    /// A bar of ten cells.
    private static func bar(filled share: Double) -> String {
        let count = max(0, min(10, Int(share * 10)))
        return String(repeating: "━", count: count) + String(repeating: "─", count: 10 - count)
    }

    private static let frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
    private static let frameTime = 0.2

    static func size(_ count: Int) -> String {
        guard count >= 1024 else { return count == 1 ? "1 byte" : "\(count) bytes" }
        var value = Double(count)
        var unit = ""
        for next in ["KiB", "MiB", "GiB", "TiB"] where value >= 1024 {
            value /= 1024
            unit = next
        }
        return "\((value * 10).rounded() / 10) \(unit)"
    }

    private static func time(_ seconds: Double) -> String {
        guard seconds < 360_000 else { return "days" }
        let whole = Int(seconds.rounded())
        if whole < 60 { return "\(whole) s" }
        let twoDigits: (Int) -> String = { $0 < 10 ? "0\($0)" : "\($0)" }
        let minutes = whole / 60 % 60
        return whole < 3600
            ? "\(minutes):\(twoDigits(whole % 60)) min" : "\(whole / 3600):\(twoDigits(minutes)) h"
    }
}
