/// Runs a program as a deterministic automaton, one table lookup for each character. The table is filled during the match,
/// because a text needs only few of all the states that a program can be in.
///
/// With this table, the schema of `Tests/schema/compare.py` takes 22 ms; following all places of the program at each character
/// took 50 ms.
struct KnownStates {
    /// The information about the text up to a character. This information determines the rest of the match.
    private struct State: Hashable {
        /// The places where the program continues, in order. Instructions that read no character are not followed yet, because an
        /// assertion depends on the next character.
        let places: [UInt16]
        let before: PatternAssertion.Side
        let isAnchored: Bool
    }

    /// The effect of a character in a state.
    private struct Move {
        static let unknown = Move(state: -1, cost: 0)
        static let found = Move(state: -2, cost: 0)
        static let failed = Move(state: -3, cost: 0)

        /// The next state's position.
        let state: Int32
        /// The number of steps that the move costs: the number of instructions to visit, plus one for the character itself.
        let cost: Int32
    }

    private let instructions: [PatternProgram.Instruction]
    private let asksForWords: Bool
    private var states: [State] = []
    private var positions: [State: Int] = [:]
    /// For each state: the moves for the classes of ASCII characters, then the move for the end of the text.
    private var moves: [Move] = []
    /// The moves for characters outside ASCII, by state and character.
    private var otherMoves: [Int: Move] = [:]
    /// The class of each ASCII character: no instruction distinguishes characters of one class.
    private var classes: [UInt8] = []
    private var end = 0
    private var size = 0
    /// For each instruction, the visit in which it was last reached.
    private var reached: [Int] = []
    private var visit = 0

    /// The number of moves (8 bytes each) at which all states are discarded. The limit is necessary because some patterns need
    /// new states for each text.
    private static let largest = 16_384

    init(_ instructions: [PatternProgram.Instruction]) {
        self.instructions = instructions
        asksForWords = instructions.contains {
            if case .check(let assertion) = $0 { assertion.asksForWords } else { false }
        }
    }

    /// Matches the whole text (`isAnchored`) or any part of it in at most `steps` steps; nil if more steps are needed.
    mutating func run(_ text: UnsafeBufferPointer<UInt8>, isAnchored: Bool, steps: inout Int) -> Bool? {
        if classes.isEmpty { prepare() }
        var state = isAnchored ? 1 : 0
        var position = 0
        while position <= text.count {
            if size > Self.largest {
                let current = states[state]
                forget()
                state = index(of: current)
            }
            let move: Move
            if position == text.count || text[position] < 0x80 {
                let slot = state * (end + 1) + (position == text.count ? end : Int(classes[Int(text[position])]))
                if moves[slot].state == Move.unknown.state {
                    moves[slot] = makeMove(
                        from: state, over: position == text.count ? nil : Unicode.Scalar(text[position]))
                }
                move = moves[slot]
                position += 1
            } else {
                let (scalar, length) = Self.decode(text, at: position)
                move = otherMove(from: state, over: scalar)
                position += length
            }
            if move.state < 0 { return move.state == Move.found.state }
            steps -= Int(move.cost)
            if steps < 0 { return nil }
            state = Int(move.state)
        }
        return false
    }

    private mutating func otherMove(from state: Int, over scalar: Unicode.Scalar) -> Move {
        let key = state << 21 | Int(scalar.value)
        if let move = otherMoves[key] { return move }
        let move = makeMove(from: state, over: scalar)
        otherMoves[key] = move
        size += 4
        return move
    }

    /// The character that begins at a position, or U+FFFD for invalid bytes, and the number of its bytes.
    private static func decode(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> (Unicode.Scalar, length: Int) {
        var parser = Unicode.UTF8.ForwardParser()
        var rest = text[position...].makeIterator()
        return switch parser.parseScalar(from: &rest) {
        case .valid(let bytes): (Unicode.UTF8.decode(bytes), bytes.count)
        case .error(let length): ("\u{FFFD}", length)
        case .emptyInput: ("\u{FFFD}", 1)
        }
    }
}

// MARK: - Making states

extension KnownStates {
    private mutating func prepare() {
        (classes, end) = Self.classes(of: instructions)
        reached = Array(repeating: 0, count: instructions.count)
        forget()
    }

    /// Discards all states except those at the start of a text.
    private mutating func forget() {
        states.removeAll(keepingCapacity: true)
        positions.removeAll(keepingCapacity: true)
        moves.removeAll(keepingCapacity: true)
        otherMoves.removeAll(keepingCapacity: true)
        size = 0
        for isAnchored in [false, true] {
            _ = index(of: State(places: isAnchored ? [0] : [], before: .end, isAnchored: isAnchored))
        }
    }

    private mutating func index(of state: State) -> Int {
        if let known = positions[state] { return known }
        positions[state] = states.count
        states.append(state)
        moves.append(contentsOf: repeatElement(.unknown, count: end + 1))
        size += end + 16 + state.places.count / 4
        return states.count - 1
    }

    /// - Parameter next: Nil at the end of the text.
    private mutating func makeMove(from index: Int, over next: Unicode.Scalar?) -> Move {
        let state = states[index]
        let side = side(next)
        let (waiting, accepts, work) = follow(state, to: side)
        if accepts, next == nil || !state.isAnchored { return .found }
        guard let next, !state.isAnchored || !waiting.isEmpty else { return .failed }
        var places: [UInt16] = []
        // All places of a repetition use the same set, so the last result for a set is kept.
        var last: (set: ScalarSet, contains: Bool)?
        for place in waiting {
            guard case .take(let set) = instructions[Int(place)] else { continue }
            let contains = last?.set === set ? last?.contains == true : set.contains(next)
            if contains { places.append(place + 1) }
            last = (set, contains)
        }
        places.sort()
        let following = State(places: places, before: side, isAnchored: state.isAnchored)
        return Move(state: Int32(self.index(of: following)), cost: Int32(1 + waiting.count + work))
    }

    /// The kind of a character. Word characters are distinguished from others only if the pattern has a word boundary, because
    /// the distinction doubles the number of states.
    private func side(_ scalar: Unicode.Scalar?) -> PatternAssertion.Side {
        scalar.map { asksForWords && ScalarSet.word.contains($0) ? .word : .other } ?? .end
    }

    /// Follows all instructions that read no character.
    ///
    /// - Returns: The `take` instructions that are reached, and the number of instructions visited.
    private mutating func follow(
        _ state: State, to after: PatternAssertion.Side
    ) -> (waiting: [UInt16], accepts: Bool, work: Int) {
        var (waiting, accepts, work) = ([UInt16](), false, 0)
        // If the match is not anchored, it may begin at every character.
        var pending = state.isAnchored ? state.places : state.places + [0]
        visit += 1
        while let next = pending.popLast() {
            let place = Int(next)
            guard reached[place] != visit else { continue }
            reached[place] = visit
            work += 1
            switch instructions[place] {
            case .take: waiting.append(next)
            case .split(let one, let other):
                pending.append(UInt16(other))
                pending.append(UInt16(one))
            case .jump(let target): pending.append(UInt16(target))
            case .check(let assertion):
                if assertion.holds(between: state.before, and: after) { pending.append(next + 1) }
            case .accept: accepts = true
            }
        }
        return (waiting, accepts, work)
    }

    /// Divides the ASCII characters into ranges that no set of the program splits, and numbers these ranges.
    private static func classes(of instructions: [PatternProgram.Instruction]) -> (classes: [UInt8], count: Int) {
        var edges = [Bool](repeating: false, count: 129)
        var known: Set<ObjectIdentifier> = []
        for instruction in instructions {
            switch instruction {
            case .take(let set): if known.insert(ObjectIdentifier(set)).inserted { set.markEdges(&edges) }
            case .check(let assertion): if assertion.asksForWords { ScalarSet.word.markEdges(&edges) }
            case .split, .jump, .accept: break
            }
        }
        var count: UInt8 = 1
        let classes = (0..<128).map { value in
            if value > 0, edges[value] { count += 1 }
            return count - 1
        }
        return (classes, Int(count))
    }
}
