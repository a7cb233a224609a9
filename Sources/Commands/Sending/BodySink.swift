import Foundation

/// Where the bytes of a body go, chunk by chunk.
protocol BodySink: AnyObject {
    /// False when nobody wants more.
    func write(_ chunk: Data) throws(WritingProblem) -> Bool
    /// Called once, when the whole body was written.
    func finish() throws(WritingProblem)
    /// Called instead of `finish` where the body doesn't come to its end.
    func abandon()
}

extension BodySink {
    func abandon() {}
}

/// Discards the body.
final class NoSink: BodySink {
    func write(_ chunk: Data) -> Bool { true }
    func finish() {}
}

/// Writes the body unchanged.
final class OutputSink: BodySink {
    private let output: Output

    init(_ output: Output) { self.output = output }

    func write(_ chunk: Data) -> Bool { output.writeUnfiltered(Array(chunk)) }
    func finish() {}
}

/// Keeps the whole body in memory.
final class WholeSink: BodySink {
    /// A server that never stops sending must not take all memory.
    static let limit = 256 << 20

    private(set) var bytes: [UInt8] = []

    func write(_ chunk: Data) throws(WritingProblem) -> Bool {
        guard bytes.count + chunk.count <= Self.limit else {
            throw WritingProblem(
                "it is larger than \(Self.limit >> 20) MiB, and --json and --select need all of it at once; "
                    + "--output FILE takes any size")
        }
        bytes += chunk
        return true
    }

    func finish() {}
}
