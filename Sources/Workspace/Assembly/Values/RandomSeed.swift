import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// A seed, with which random values are the same on every machine. Each value is a hash of the seed, the call and the place, and
/// not the next one of a stream: a new placeholder changes no other value.
package final class RandomSeed: Sendable {
    private let text: String
    private let state = Mutex((isUsed: false, counts: [[UInt8]: Int]()))

    package init(_ text: String) { self.text = text }

    /// A seed that other runs don't have, which is short enough to be typed.
    package convenience init(from random: [UInt8]) {
        self.init(String(random.prefix(5).reduce(0) { $0 << 8 | Int($1) }))
    }

    /// The seed, if a random value was made with it.
    package var used: String? { state.withLock { $0.isUsed ? text : nil } }

    /// 32 random bytes for a placeholder of a call.
    func bytes(for call: Call, at place: Place) -> [UInt8] {
        let file = place.file.name.split(separator: "/").last.map(String.init) ?? ""
        let spot = [call.endpoint.id, call.environment.name, call.occasion, file, "\(place.range.lowerBound)"]
        // A secret could be guessed from the value.
        let arguments = call.arguments.filter { call.endpoint.parameters[named: $0.name]?.isSecret != true }
            .map { "\($0.name)=\($0.source.text)" }
        return hash(spot + arguments)
    }

    /// 32 random bytes for a placeholder in the response of a stub. They are others each time that the words are the same, so that
    /// equal requests and equal placeholders get different values.
    package func bytes(forResponse words: [String]) -> [UInt8] {
        let key = hash(["response"] + words)
        let count = state.withLock { state in
            // Limits the memory of a server that runs for long.
            if state.counts.count >= 10_000 { state.counts = [:] }
            defer { state.counts[key, default: 0] += 1 }
            return state.counts[key] ?? 0
        }
        return SHA256.hash(key + String(count).utf8)
    }

    private func hash(_ words: [String]) -> [UInt8] {
        state.withLock { $0.isUsed = true }
        return SHA256.hash(OrderedJSON.array(([text] + words).map { .string($0) }).compact.utf8)
    }
}

extension ParameterArgument.Source {
    fileprivate var text: String {
        switch self {
        case .text(let text): text
        case .file(let path): "@\(path)"
        case .value(let value): value.plainText
        }
    }
}

extension [UInt8] {
    /// The first 16 bytes as a random UUID (RFC 9562, version 4).
    var uuid: String {
        var bytes = Array(prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let hex = Array(bytes.hex.utf8)
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(decoding: hex[$0], as: UTF8.self) }
            .joined(separator: "-")
    }
}
