import ReqcliBasics

/// A body that comes while it is sent, from one producer to one consumer, and can be sent once.
///
/// It holds a bounded number of bytes: more is asked for only when few are left.
package final class BodyFeed: Sendable {
    /// What the consumer gets.
    package enum Outcome: Equatable, Sendable {
        case read(Int)
        /// No bytes are here. The consumer is woken when that changes.
        case nothingYet
        case end
    }

    /// Below this many bytes more is asked for.
    private static let low = 64 << 10

    /// The number of bytes; nil if only the end of the body tells it.
    package let length: Int?
    private let state = Mutex(State())
    private let askForMore: @Sendable () -> Void

    fileprivate struct State {
        /// The parts that came and were not read yet, oldest first.
        var parts: [[UInt8]] = []
        /// How much of the first part is read.
        var used = 0
        var left = 0
        var hasEnded = false
        var hasAsked = false
        var hasBegun = false
        var wake: (@Sendable () -> Void)?
    }

    /// - Parameter askForMore: Called when the producer is to give the next part.
    package init(length: Int?, askForMore: @escaping @Sendable () -> Void) {
        self.length = length
        self.askForMore = askForMore
    }

    /// Gives the next part.
    package func append(_ part: [UInt8], isLast: Bool) {
        let wake = state.withLock { state in
            if !part.isEmpty { state.parts.append(part) }
            state.left += part.count
            state.hasEnded = isLast
            state.hasAsked = false
            return state.wake
        }
        wake?()
    }

    /// Calls a function each time that something has come.
    package func whenMore(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

    /// Whether something of the body has been read, which can't be read again.
    package var hasBegun: Bool { state.withLock(\.hasBegun) }

    /// Fills a buffer with what is here.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        let (outcome, asks) = state.withLock { state in
            let count = state.take(into: buffer)
            let asks = !state.hasEnded && !state.hasAsked && state.left < Self.low
            if asks { state.hasAsked = true }
            return (count > 0 ? Outcome.read(count) : state.hasEnded ? .end : .nothingYet, asks)
        }
        if asks { askForMore() }
        return outcome
    }
}

extension BodyFeed.State {
    fileprivate mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let part = parts.first else { return 0 }
        hasBegun = true
        let count = min(buffer.count, part.count - used)
        part[used..<(used + count)].withUnsafeBytes { buffer.copyMemory(from: $0) }
        used += count
        left -= count
        if used == part.count {
            parts.removeFirst()
            used = 0
        }
        return count
    }
}

extension BodyFeed: Hashable {
    package static func == (one: BodyFeed, other: BodyFeed) -> Bool { one === other }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
