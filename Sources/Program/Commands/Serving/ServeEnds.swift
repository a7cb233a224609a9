import CommandLineKit
import Foundation
import Glibc
import ReqcliText

/// The events that end a server. The first one counts.
final class ServeEnds: Sendable {
    enum End: Sendable {
        /// The control API was asked to end the server, or standard input has ended.
        case asked
        case signal(Int32)
        case programEnded(ExitStatus)

        /// The signal to end a program with if it is still running.
        var signal: Int32 { if case .signal(let number) = self { number } else { SIGTERM } }
    }

    private let ends: AsyncStream<End>
    private let feed: AsyncStream<End>.Continuation

    init() { (ends, feed) = AsyncStream.makeStream() }

    func add(_ end: End) { feed.yield(end) }

    func next() async -> End {
        for await end in ends { return end }
        return .asked
    }

    /// Reads standard input to notice its end.
    func addWhenInputEnds() {
        Thread.detachNewThread { [self] in
            var bytes = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(STDIN_FILENO, &bytes, bytes.count)
                if count == 0 || count < 0 && errno != EINTR { break }
            }
            add(.asked)
        }
    }
}
