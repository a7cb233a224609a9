/// A pattern for ids and tags: `*` stands for any text, dots included, and `?` for one character.
package struct Glob: Sendable, Equatable {
    package let text: String
    private let pattern: [Unicode.Scalar]

    package init(_ text: String) {
        self.text = text
        pattern = Array(text.unicodeScalars)
    }

    package var isLiteral: Bool { !pattern.contains("*") && !pattern.contains("?") }

    package func matches(_ text: String) -> Bool { positions(after: text).contains(pattern.count) }

    /// Whether a text that begins with `start` could match.
    package func couldMatch(textBeginningWith start: String) -> Bool { !positions(after: start).isEmpty }

    /// All positions in the pattern that are possible after a text. All of them are followed at the same time, so that no
    /// backtracking is needed.
    private func positions(after text: String) -> Set<Int> {
        var positions = closure([0])
        for scalar in text.unicodeScalars {
            var next: Set<Int> = []
            for position in positions where position < pattern.count {
                switch pattern[position] {
                case "*": next.insert(position)
                case "?", scalar: next.insert(position + 1)
                default: continue
                }
            }
            positions = closure(next)
            if positions.isEmpty { break }
        }
        return positions
    }

    /// The positions, and the positions after stars, because a star may also stand for an empty text.
    private func closure(_ positions: Set<Int>) -> Set<Int> {
        var result = positions
        for start in positions {
            var position = start
            while position < pattern.count, pattern[position] == "*" {
                position += 1
                result.insert(position)
            }
        }
        return result
    }
}
