/// Parses the grammar of RFC 9485 or the grammar of ECMA-262. Errors about syntax of other dialects have a hint.
struct PatternParser {
    enum Dialect {
        case iRegexp
        /// ECMA-262 with the flag `u`.
        case ecma
    }

    let dialect: Dialect
    private let scalars: [Unicode.Scalar]
    /// The UTF-8 offset of each scalar, and the offset of the end.
    private let offsets: [Int]
    var position = 0
    private var depth = 0

    /// The maximum depth of nested parentheses. The parser and the compiler use recursion for each level.
    static let deepest = 100

    init(_ pattern: String, _ dialect: Dialect) {
        self.dialect = dialect
        scalars = Array(pattern.unicodeScalars)
        offsets = scalars.reduce(into: [0]) { $0.append($0[$0.count - 1] + UTF8.width($1)) }
    }

    mutating func expression() throws(IRegexpProblem) -> Pattern {
        let pattern = try choice()
        if peek() == ")" {
            throw problem("this \")\" has no matching \"(\"", hint: #"write \) for the character itself"#)
        }
        return pattern
    }

    private mutating func choice() throws(IRegexpProblem) -> Pattern {
        var branches = [try sequence()]
        while take("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence() throws(IRegexpProblem) -> Pattern {
        var pieces: [Pattern] = []
        while let next = peek(), next != "|", next != ")" {
            let piece = try atom()
            if dialect == .ecma, next != "(", case .assertion = piece, isRepeated {
                throw problem("an assertion can't be repeated", hint: "remove the repetition")
            }
            pieces.append(try quantified(piece))
        }
        return pieces.count == 1 ? pieces[0] : pieces.isEmpty ? .empty : .sequence(pieces)
    }

    private mutating func atom() throws(IRegexpProblem) -> Pattern {
        guard let scalar = peek() else { return .empty }
        switch scalar {
        case "(": return try group()
        case "[": return .scalars(try characterClass())
        case ".":
            position += 1
            return .scalars(dialect == .ecma ? .ecmaAnyInLine : .anyInLine)
        case "^", "$":
            position += 1
            return .assertion(scalar == "^" ? .startOfText : .endOfText)
        case "\\":
            if dialect == .ecma, let assertion = takeWordBoundary() { return .assertion(assertion) }
            return .scalars(ScalarSet([try escape()]))
        case "*", "+", "?", "{":
            throw problem("\"\(scalar)\" has nothing to repeat", hint: "write \\\(scalar) for the character itself")
        case "]", "}":
            throw problem(
                "\"\(scalar)\" has no matching opening bracket", hint: "write \\\(scalar) for the character itself")
        default:
            position += 1
            return .scalars(ScalarSet(scalar))
        }
    }

    private mutating func group() throws(IRegexpProblem) -> Pattern {
        let start = position
        position += 1
        depth += 1
        if depth > Self.deepest {
            throw problem("parentheses are nested more than \(Self.deepest) levels deep", from: start)
        }
        if dialect == .ecma {
            try ecmaGroupOptions(from: start)
        } else if peek() == "?" {
            throw problem(
                "a group cannot have options here", from: start, to: position + 1,
                hint: "an I-Regexp has plain groups only; write (…)")
        }
        let pattern = try choice()
        guard take(")") else {
            throw problem("this \"(\" is never closed", from: start, to: start + 1, hint: "add the missing \")\"")
        }
        depth -= 1
        return pattern
    }
}

// MARK: - Quantifiers

extension PatternParser {
    private mutating func quantified(_ pattern: Pattern) throws(IRegexpProblem) -> Pattern {
        let start = position
        let result: Pattern
        switch peek() {
        case "*": result = .repeated(pattern, least: 0, most: nil)
        case "+": result = .repeated(pattern, least: 1, most: nil)
        case "?": result = .repeated(pattern, least: 0, most: 1)
        case "{": return try counted(pattern)
        default: return pattern
        }
        position += 1
        return try onlyQuantifier(result, start)
    }

    private mutating func counted(_ pattern: Pattern) throws(IRegexpProblem) -> Pattern {
        let start = position
        position += 1
        guard let least = try count() else {
            throw problem("expected a number after \"{\"", hint: #"write {2}, {2,} or {2,5}; or \{ for the character"#)
        }
        var most: Int? = least
        if take(",") { most = try count() }
        guard take("}") else {
            throw problem("this \"{\" is never closed", from: start, to: start + 1, hint: "add the missing \"}\"")
        }
        if let most, most < least {
            throw problem(
                "{\(least),\(most)} has a minimum above its maximum", from: start, hint: "swap the two numbers")
        }
        return try onlyQuantifier(.repeated(pattern, least: least, most: most), start)
    }

    private mutating func count() throws(IRegexpProblem) -> Int? {
        let start = position
        var value = 0
        while let digit = peek(), ("0"..."9").contains(digit) {
            value = value * 10 + Int(digit.value - 0x30)
            position += 1
            if value > PatternProgram.longest { throw problem("this count is too large", from: start) }
        }
        return position > start ? value : nil
    }

    private var isRepeated: Bool {
        switch peek() {
        case "*", "+", "?", "{": true
        default: false
        }
    }

    private mutating func onlyQuantifier(_ pattern: Pattern, _ start: Int) throws(IRegexpProblem) -> Pattern {
        // Skips the `?` of a lazy repetition, which matches the same texts as a greedy one.
        if dialect == .ecma { _ = take("?") }
        guard isRepeated else { return pattern }
        throw problem(
            "a second repetition can't follow the first", from: start, to: position + 1,
            hint: (dialect == .ecma ? "" : "an I-Regexp has no lazy or possessive form; ")
                + "put parentheses around the first repetition to repeat it")
    }
}

// MARK: - Characters and classes

extension PatternParser {
    private mutating func characterClass() throws(IRegexpProblem) -> ScalarSet {
        let start = position
        position += 1
        let isNegated = take("^")
        var items: [ScalarSet.Item] = []
        if dialect == .iRegexp, take("-") { items.append(.range(0x2D...0x2D)) }
        while let next = peek(), next != "]" {
            if next == "-", dialect == .iRegexp {
                // A hyphen is an ordinary character only if it is the last character of a class.
                guard peek(1) == "]" else { throw notBetweenTwo() }
                position += 1
                items.append(.range(0x2D...0x2D))
            } else {
                items.append(try classItem())
            }
        }
        guard take("]") else {
            throw problem("this \"[\" is never closed", from: start, to: start + 1, hint: "add the missing \"]\"")
        }
        if items.isEmpty, dialect == .iRegexp {
            throw problem(
                "this \"[ ]\" contains no character", from: start, hint: #"write \] for the character ] itself"#)
        }
        return ScalarSet(items, isNegated: isNegated)
    }

    private mutating func classItem() throws(IRegexpProblem) -> ScalarSet.Item {
        let start = position
        let first = try classCharacter()
        guard peek() == "-", let next = peek(1), next != "]", dialect == .ecma || next != "-" else { return first }
        guard case .range(let low) = first else { throw notBetweenTwo() }
        position += 1
        guard case .range(let high) = try classCharacter() else {
            throw problem("the end of a range must be a single character", from: start)
        }
        if high.lowerBound < low.lowerBound {
            throw problem("this range runs backwards", from: start, hint: "swap its ends")
        }
        return .range(low.lowerBound...high.lowerBound)
    }

    private func notBetweenTwo() -> IRegexpProblem {
        problem("this \"-\" is not between two characters", hint: #"write \- for the character itself"#)
    }

    private mutating func classCharacter() throws(IRegexpProblem) -> ScalarSet.Item {
        guard let scalar = peek() else { throw problem("the pattern ends inside \"[ ]\"") }
        if scalar == "\\" { return try escape(isInClass: true) }
        if scalar == "[", dialect == .iRegexp {
            throw problem("\"[\" is not allowed inside \"[ ]\"", hint: #"write \[ for the character itself"#)
        }
        position += 1
        return .range(scalar.value...scalar.value)
    }

    private mutating func escape(isInClass: Bool = false) throws(IRegexpProblem) -> ScalarSet.Item {
        let start = position
        position += 1
        guard let scalar = peek() else {
            throw problem("the pattern ends with a single \"\\\"", from: start, hint: #"write \\ for a backslash"#)
        }
        position += 1
        if dialect == .ecma { return try ecmaEscape(scalar, from: start, isInClass: isInClass) }
        switch scalar {
        case "n": return .range(0x0A...0x0A)
        case "r": return .range(0x0D...0x0D)
        case "t": return .range(0x09...0x09)
        case "p", "P": return try category(start, isNegated: scalar == "P")
        case "(", ")", "*", "+", "-", ".", "?", "[", "\\", "]", "^", "{", "|", "}":
            return .range(scalar.value...scalar.value)
        default:
            let instead: [Unicode.Scalar: String] = [
                "d": "write [0-9]", "D": "write [^0-9]", "w": "write [A-Za-z0-9_]", "W": "write [^A-Za-z0-9_]",
                "$": "write [$]", "s": #"write [ \t\n\r]"#, "S": #"write [^ \t\n\r]"#,
                "b": "an I-Regexp has no word boundaries",
            ]
            throw problem(
                "\"\\\(scalar)\" is not an escape of I-Regexp", from: start,
                hint: instead[scalar] ?? "write the character without \\")
        }
    }

    private mutating func category(_ start: Int, isNegated: Bool) throws(IRegexpProblem) -> ScalarSet.Item {
        var name = ""
        if take("{") {
            while let next = peek(), next != "}", name.count < 20 {
                name.unicodeScalars.append(next)
                position += 1
            }
            if take("}"), let set = CategorySet(named: name) { return isNegated ? .allBut(set) : .categories(set) }
        }
        throw problem(
            #"\p takes the name of a Unicode category"#, from: start,
            hint: #"write \p{L} for letters, \p{Nd} for digits"#)
    }
}

// MARK: - Reading

extension PatternParser {
    func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        position + distance < scalars.count ? scalars[position + distance] : nil
    }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek() == scalar else { return false }
        position += 1
        return true
    }

    /// A problem at `position`, or a problem with the scalars between `start` and `end`.
    func problem(
        _ message: String, from start: Int? = nil, to end: Int? = nil, hint: String? = nil
    ) -> IRegexpProblem {
        let first = min(start ?? position, scalars.count)
        let last = min(max(end ?? (start == nil ? position + 1 : position), first), scalars.count)
        return IRegexpProblem(message, offsets[first]..<offsets[last], hint: hint)
    }
}
