import CommandLineKit
import ReqcliAssembly
import ReqcliBasics

/// Shows output that is longer than the screen in the user's pager (`--pager`).
final class Pager: Sendable {
    private let screen: Output
    private let rows: Int
    private let columns: Int
    private let start: @Sendable () -> ReadingProgram?
    private let state = Mutex(State())

    private struct State {
        /// The bytes so far, as long as they fit on the screen.
        var held: [UInt8] = []
        var program: ReadingProgram?
        /// The output of the pager, or the screen if there is no pager.
        var output: Output?
    }

    /// Nil if stdout is not a terminal, or the user wants no pager.
    init?(_ context: Context) {
        guard context.terminal.isTerminal(.output) else { return nil }
        let command = context.variable("PAGER") ?? (try? context.configured("PAGER")) ?? "less"
        guard !command.isEmpty, command != "cat" else { return nil }
        screen = context.output
        (rows, columns) = (context.terminal.height(), max(1, context.terminal.width()))
        // `less` shows colours only with `-R`. `-X` leaves the text on the screen.
        start = { [pager = context.startPager] in pager("export LESS=\"${LESS-RX}\"; \(command)") }
    }

    /// The output to write to.
    var output: Output {
        Output { (bytes) throws(Output.Problem) in
            let output = self.state.withLock { self.take(bytes, &$0) }
            guard let output else { return }
            output.writeUnfiltered(bytes)
            if let problem = output.problem { throw problem }
        }.toTerminal
    }

    /// Keeps the bytes and returns nil as long as all bytes may fit on the screen. After that, returns the output for the bytes.
    private func take(_ bytes: [UInt8], _ state: inout State) -> Output? {
        if let output = state.output { return output }
        guard isLong(state.held + bytes) else {
            state.held += bytes
            return nil
        }
        state.program = start()
        let output = state.program.map { Output(descriptor: $0.descriptor) } ?? screen
        output.writeUnfiltered(state.held)
        state.output = output
        return output
    }

    /// Whether the output leaves no row for the prompt. A line that is wider than the screen takes several rows.
    private func isLong(_ bytes: [UInt8]) -> Bool {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
        return lines.reduce(0) { $0 + max(1, ($1.count + columns - 1) / columns) } >= rows
    }

    /// Shows the bytes that were held back, or waits until the user has left the pager.
    func finish() {
        let program = state.withLock { state in
            if state.output == nil { screen.writeUnfiltered(state.held) }
            state.output = state.output ?? screen
            return state.program
        }
        program?.finish()
    }
}
