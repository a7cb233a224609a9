import ReqcliBasics

/// A pattern as instructions for an automaton that can be in several places at once.
final class PatternProgram: Sendable {
    enum Instruction: Sendable {
        /// Continues if the next character is in the set.
        case take(ScalarSet)
        /// Continues at both places.
        case split(Int, Int)
        case jump(Int)
        /// Continues if the assertion holds.
        case check(PatternAssertion)
        case accept
    }

    let instructions: [Instruction]
    /// The known states. They are kept from one text to the next, because most texts are short and making the states takes longer
    /// than using them.
    private let knownStates: Mutex<KnownStates>

    init(_ instructions: [Instruction]) {
        self.instructions = instructions
        knownStates = Mutex(KnownStates(instructions))
    }

    /// Matches the whole text (`isAnchored`) or any part of it in at most `steps` steps; nil if more steps are needed.
    func run(_ text: UnsafeBufferPointer<UInt8>, isAnchored: Bool, steps: inout Int) -> Bool? {
        let result = knownStates.withLockIfAvailable { $0.run(text, isAnchored: isAnchored, steps: &steps) }
        if let result { return result }
        // Another thread uses the kept states. The text of that thread may be long, so this call makes its own states instead of
        // waiting.
        var states = KnownStates(instructions)
        return states.run(text, isAnchored: isAnchored, steps: &steps)
    }

    /// The maximum number of instructions. Each repetition of a counted part has its own instructions, so a short pattern can
    /// give a very long program.
    static let longest = 10_000
}

/// Compiles a pattern to a program.
struct PatternCompiler {
    private var instructions: [PatternProgram.Instruction] = []
    private var work = 0

    mutating func compile(_ pattern: Pattern) throws(IRegexpProblem) {
        // Counts patterns in addition to instructions, because repeating an empty pattern adds no instruction.
        work += 1
        if work > PatternProgram.longest || instructions.count > PatternProgram.longest {
            throw IRegexpProblem("the pattern is too large", 0..<0, hint: "use fewer repetitions")
        }
        switch pattern {
        case .empty: break
        case .scalars(let set): instructions.append(.take(set))
        case .assertion(let assertion): instructions.append(.check(assertion))
        case .sequence(let pieces):
            for piece in pieces { try compile(piece) }
        case .choice(let branches): try compile(choice: branches)
        case .repeated(let inner, let least, let most): try compile(inner, least: least, most: most)
        }
    }

    consuming func finish() -> PatternProgram {
        PatternProgram(instructions + [.accept])
    }

    private mutating func compile(choice branches: [Pattern]) throws(IRegexpProblem) {
        var exits: [Int] = []
        for branch in branches.dropLast() {
            let split = placeholder()
            try compile(branch)
            exits.append(placeholder())
            instructions[split] = .split(split + 1, instructions.count)
        }
        if let last = branches.last { try compile(last) }
        for exit in exits { instructions[exit] = .jump(instructions.count) }
    }

    private mutating func compile(_ inner: Pattern, least: Int, most: Int?) throws(IRegexpProblem) {
        for _ in 0..<least { try compile(inner) }
        guard let most else {
            let split = placeholder()
            try compile(inner)
            instructions.append(.jump(split))
            instructions[split] = .split(split + 1, instructions.count)
            return
        }
        var exits: [Int] = []
        for _ in least..<most {
            exits.append(placeholder())
            try compile(inner)
        }
        for exit in exits { instructions[exit] = .split(exit + 1, instructions.count) }
    }

    /// Adds a placeholder for an instruction whose target is not known yet.
    private mutating func placeholder() -> Int {
        instructions.append(.accept)
        return instructions.count - 1
    }
}
