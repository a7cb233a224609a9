import ReqcliBasics

/// A body that one producer makes while one consumer sends it. The body can be sent only once.
///
/// The feed stores a limited number of bytes: it asks the producer for more bytes only when few are left.
package final class BodyFeed: Sendable {
    /// The result of reading from the feed.
    package enum Outcome: Equatable, Sendable {
        case read(Int)
        /// No bytes are available yet. The consumer is woken when bytes arrive.
        case nothingYet
        case end
    }

    /// If fewer bytes than this are left, the feed asks the producer for more.
    private static let low = 64 << 10

    /// The number of bytes; nil if it is known only at the end of the body.
    package let length: Int?
    private let state = Mutex(State())
    private let askForMore: @Sendable () -> Void

    fileprivate struct State {
        /// The parts that have arrived and have not been read yet, oldest first.
        var parts: [[UInt8]] = []
        /// The number of bytes of the first part that have been read.
        var used = 0
        var left = 0
        var hasEnded = false
        var hasAsked = false
        var hasBegun = false
        var wake: (@Sendable () -> Void)?
    }

    /// - Parameter askForMore: Called when the producer should add the next part.
    package init(length: Int?, askForMore: @escaping @Sendable () -> Void) {
        self.length = length
        self.askForMore = askForMore
    }

    /// Adds the next part.
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

    /// Sets a function that is called each time that a part was added.
    package func whenMore(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

    /// Whether a part of the body has been read. The body then can't be sent from its beginning again.
    package var hasBegun: Bool { state.withLock(\.hasBegun) }

    /// Fills a buffer with bytes that are available.
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
