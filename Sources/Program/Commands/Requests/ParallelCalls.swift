import CommandLineKit
import ReqcliBasics
import ReqcliText

/// Runs the command lines that one line stands for, some of them at the same time, and prints their output in their order. After an
/// error of one request, the others are still sent, as in curl.
///
/// The output of a call is kept in memory until all earlier calls are complete. So at most `jobs` calls are unfinished or kept.
struct ParallelCalls {
    private let lines: [ParsedArguments]
    private let jobs: Int
    private let context: Context

    init(_ lines: [ParsedArguments], jobs: Int, _ context: Context) {
        self.lines = lines
        self.jobs = jobs
        self.context = context
    }

    func status() async -> ExitStatus {
        var context = context
        // Several transfers can't share the one line of the terminal.
        if jobs > 1 { context.outputPreferences.showsProgress = false }
        return await withTaskGroup(of: (index: Int, status: ExitStatus).self) { group in
            var pages: [Page] = []
            var statuses: [Int: ExitStatus] = [:]
            var isStopped = false
            // The first line whose page isn't complete.
            var turn = 0
            while turn < lines.count {
                while !isStopped, pages.count < min(lines.count, turn + jobs),
                    pages.count - statuses.count < jobs
                {
                    let index = pages.count
                    let page = Page(context)
                    pages.append(page)
                    if index == turn { page.open() }
                    group.addTask { (index, await Program.run(lines[index], page.context)) }
                }
                guard let (index, status) = await group.next() else { break }
                statuses[index] = status
                isStopped = isStopped || status.signal != nil || status == .usage
                while statuses[turn] != nil {
                    turn += 1
                    if turn < pages.count { pages[turn].open() }
                }
            }
            return ExitStatus.worst(of: Array(statuses.values))
        }
    }
}

/// The output of one call. It is kept until all earlier calls are complete, and then printed.
private struct Page {
    let context: Context
    private let pieces: HeldPieces

    init(_ context: Context) {
        let pieces = HeldPieces()
        var held = context
        held.output = context.output.held(by: pieces)
        held.messages = context.messages.held(by: pieces)
        self.context = held
        self.pieces = pieces
    }

    func open() { pieces.open() }
}

/// The pieces that a call has written, to standard output or standard error.
private final class HeldPieces: Sendable {
    /// Nil as soon as pieces are written at once.
    private let pieces = Mutex<[(bytes: [UInt8], output: Output)]?>([])

    func write(_ bytes: [UInt8], to output: Output) throws(Output.Problem) {
        let isHeld = pieces.withLock { pieces in
            pieces?.append((bytes, output))
            return pieces != nil
        }
        if isHeld { return }
        output.writeUnfiltered(bytes)
        if let problem = output.problem { throw problem }
    }

    func open() {
        pieces.withLock { pieces in
            for piece in pieces ?? [] { piece.output.writeUnfiltered(piece.bytes) }
            pieces = nil
        }
    }
}

extension Output {
    /// An output whose bytes are kept until the pieces are opened, and then go to this output.
    fileprivate func held(by pieces: HeldPieces) -> Output {
        redirected { (bytes) throws(Problem) in try pieces.write(bytes, to: self) }
    }
}
