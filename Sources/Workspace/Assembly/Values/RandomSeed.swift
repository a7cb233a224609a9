import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// A seed, with which random values are the same on every machine. Each value is a hash of the seed, the endpoint, the case and the
/// place, and not the next one of a stream: a new header or placeholder changes no other value.
package final class RandomSeed: Sendable {
    private struct State {
        var isUsed = false
        var counts: [[UInt8]: Int] = [:]
    }

    package let text: String
    private let placeholders = PlaceholderBook()
    private let state = Mutex(State())

    package init(_ text: String) { self.text = text }

    /// A seed that other runs don't have, which is short enough to be typed.
    package convenience init(from random: [UInt8]) {
        self.init(String(random.prefix(5).reduce(0) { $0 << 8 | Int($1) }))
    }

    /// The seed, if a random value was made with it.
    package var used: String? { state.withLock { $0.isUsed ? text : nil } }

    /// 32 random bytes for a placeholder of a call.
    func bytes(for call: Call, at place: Place) -> [UInt8] {
        state.withLock { $0.isUsed = true }
        return SeededBytes.of(
            seed: text, endpoint: call.endpoint.id, environment: call.environment.name, occasion: call.occasion,
            placeholder: placeholders.name(of: place, in: call.workspace))
    }

    /// 32 random bytes for a placeholder in the response of a stub. They are others each time that the words are the same, so that
    /// equal requests get different values.
    package func bytes(forResponse words: [String]) -> [UInt8] {
        let key = SeededBytes.of([text, "response"] + words)
        let count = state.withLock { state in
            state.isUsed = true
            // Limits the memory of a server that runs for long.
            if state.counts.count >= 10_000 { state.counts = [:] }
            defer { state.counts[key, default: 0] += 1 }
            return state.counts[key] ?? 0
        }
        return SHA256.hash(key + String(count).utf8)
    }
}
