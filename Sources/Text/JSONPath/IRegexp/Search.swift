/// Finds the leftmost match of a pattern in one pass over the text. If several matches begin at the same place, finds the
/// longest.
struct Search {
    private let instructions: [PatternProgram.Instruction]
    /// The `take` instructions that wait for the next character. The instructions of the leftmost start come first.
    private var waiting: [(place: Int, start: String.Index)] = []
    /// For each instruction, the character at which it was last reached.
    private var reached: [Int]
    private var pending: [Int] = []
    private var best: Range<String.Index>?

    init(_ program: PatternProgram) {
        instructions = program.instructions
        reached = Array(repeating: -1, count: program.instructions.count)
    }

    mutating func firstMatch(in text: String.UnicodeScalarView) -> Range<String.Index>? {
        var index = text.startIndex
        var character = 0
        var before: Unicode.Scalar?
        var after = text.first
        while true {
            // The new start is entered after all others. If two starts lead to the same instruction, the leftmost start is
            // therefore kept.
            if best == nil { enter(0, from: index, at: index, character, between: before, and: after) }
            guard let scalar = after, best == nil || !waiting.isEmpty else { return best }
            text.formIndex(after: &index)
            character += 1
            (before, after) = (scalar, index == text.endIndex ? nil : text[index])
            advance(over: scalar, to: index, character, after)
        }
    }

    private mutating func advance(
        over scalar: Unicode.Scalar, to index: String.Index, _ character: Int, _ next: Unicode.Scalar?
    ) {
        let threads = waiting
        waiting.removeAll(keepingCapacity: true)
        for thread in threads where best.map({ thread.start <= $0.lowerBound }) ?? true {
            guard case .take(let set) = instructions[thread.place], set.contains(scalar) else { continue }
            enter(thread.place + 1, from: thread.start, at: index, character, between: scalar, and: next)
        }
    }

    /// Follows all instructions that read no character, beginning at one place.
    private mutating func enter(
        _ first: Int, from start: String.Index, at index: String.Index, _ character: Int,
        between before: Unicode.Scalar?, and after: Unicode.Scalar?
    ) {
        pending.append(first)
        while let place = pending.popLast() {
            guard reached[place] != character else { continue }
            reached[place] = character
            switch instructions[place] {
            case .take: waiting.append((place, start))
            case .split(let one, let other): pending += [other, one]
            case .jump(let target): pending.append(target)
            case .check(let assertion):
                if assertion.holds(between: PatternAssertion.Side(before), and: PatternAssertion.Side(after)) {
                    pending.append(place + 1)
                }
            case .accept: accept(start..<index)
            }
        }
    }

    private mutating func accept(_ match: Range<String.Index>) {
        guard let best, best.lowerBound < match.lowerBound else {
            self.best = match
            return
        }
    }
}
