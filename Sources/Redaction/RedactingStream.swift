/// Masks secrets in bytes that come in chunks, wherever the chunks are cut.
///
/// ```swift
/// var stream = RedactingStream(redactor)
/// while let chunk = next() { write(stream.redact(chunk)) }
/// write(stream.finish())
/// ```
package struct RedactingStream: Sendable {
    private let redactor: Redactor
    private var waiting: [UInt8] = []

    package init(_ redactor: Redactor) {
        self.redactor = redactor
    }

    /// What can be shown by now; up to the longest secret's length is held back.
    package mutating func redact(_ chunk: some Sequence<UInt8>) -> [UInt8] {
        guard !redactor.isEmpty else { return Array(chunk) }
        waiting += chunk
        // Where the longest form still fits, a match that starts there is known to be one or none.
        return take(upTo: waiting.count - redactor.longest + 1)
    }

    /// What was held back.
    package mutating func finish() -> [UInt8] {
        take(upTo: waiting.count)
    }

    /// Decides about every place before `end`.
    private mutating func take(upTo end: Int) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        while index < end {
            if let match = redactor.match(at: index, in: waiting) {
                result += redactor.mask(of: match)
                index = match.range.upperBound
            } else {
                result.append(waiting[index])
                index += 1
            }
        }
        waiting.removeFirst(index)
        return result
    }
}
