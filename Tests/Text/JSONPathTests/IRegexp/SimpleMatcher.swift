@testable import ReqcliJSONPath

/// Matches as `Program.run` does, with the same steps, without keeping states: at each character it visits each
/// instruction at most once.
struct SimpleMatcher {
    private let instructions: [PatternProgram.Instruction]
    /// The `take` instructions that wait for the next character.
    private var waiting: [Int] = []
    /// The `take` instructions that waited for the character before.
    private var previous: [Int] = []
    /// For each instruction, the character at which it was last reached.
    private var reached: [Int]
    private var pending: [Int] = []
    private var accepts = false
    private var work = 0

    init(_ program: PatternProgram) {
        instructions = program.instructions
        reached = Array(repeating: -1, count: program.instructions.count)
    }

    mutating func run(_ text: String.UnicodeScalarView, isAnchored: Bool, steps: inout Int) -> Bool? {
        var rest = text.makeIterator()
        var next = rest.next()
        var character = 0
        enter(0, at: 0, between: nil, and: next)
        while let scalar = next {
            if accepts, !isAnchored { return true }
            if waiting.isEmpty, isAnchored { return false }
            steps -= 1 + waiting.count + work
            if steps < 0 { return nil }
            work = 0
            character += 1
            next = rest.next()
            advance(over: scalar, character, next)
            if !isAnchored, !accepts { enter(0, at: character, between: scalar, and: next) }
        }
        return accepts
    }

    private mutating func advance(over scalar: Unicode.Scalar, _ character: Int, _ next: Unicode.Scalar?) {
        accepts = false
        swap(&previous, &waiting)
        waiting.removeAll(keepingCapacity: true)
        for index in previous.indices {
            let place = previous[index]
            if case .take(let set) = instructions[place], set.contains(scalar) {
                enter(place + 1, at: character, between: scalar, and: next)
            }
        }
    }

    /// Follows all instructions that read no character, beginning at one place.
    private mutating func enter(
        _ start: Int, at character: Int, between before: Unicode.Scalar?, and after: Unicode.Scalar?
    ) {
        pending.append(start)
        while let place = pending.popLast() {
            guard reached[place] != character else { continue }
            reached[place] = character
            work += 1
            switch instructions[place] {
            case .take: waiting.append(place)
            case .split(let one, let other):
                pending.append(other)
                pending.append(one)
            case .jump(let target): pending.append(target)
            case .check(let assertion):
                if assertion.holds(between: PatternAssertion.Side(before), and: PatternAssertion.Side(after)) {
                    pending.append(place + 1)
                }
            case .accept: accepts = true
            }
        }
    }
}
