/// A regular expression as RFC 9485 defines it (I-Regexp): the small common part of all dialects, without lookahead,
/// lookbehind or backreferences. `init(ecma:)` reads the larger dialect of ECMA-262 for the same automaton.
///
/// `^` and `$` match the ends of the text. The RFC's grammar makes them ordinary characters, but its own translations
/// to other dialects make them anchors, and so does the compliance suite of JSONPath.
///
/// The time of a match is at most the length of the pattern times the length of the text, because an automaton reads each
/// character once. `steps` sets a lower limit.
package struct IRegexp: Sendable {
    package let pattern: String
    let program: PatternProgram

    package init(_ pattern: String) throws(IRegexpProblem) {
        try self.init(pattern, .iRegexp)
    }

    /// Reads a pattern as ECMA-262 does with the flag `u`. Lookahead, lookbehind and backreferences are reported as problems.
    package init(ecma pattern: String) throws(IRegexpProblem) {
        try self.init(pattern, .ecma)
    }

    private init(_ pattern: String, _ dialect: PatternParser.Dialect) throws(IRegexpProblem) {
        var parser = PatternParser(pattern, dialect)
        let expression = try parser.expression()
        var compiler = PatternCompiler()
        try compiler.compile(expression)
        self.pattern = pattern
        program = compiler.finish()
    }

    /// Whether the pattern matches the whole text.
    package func matches(_ text: String) -> Bool {
        var steps = Int.max
        return run(on: text, isAnchored: true, steps: &steps) ?? false
    }

    /// Whether the pattern matches some part of the text.
    package func isFound(in text: String) -> Bool {
        var steps = Int.max
        return run(on: text, isAnchored: false, steps: &steps) ?? false
    }

    /// The leftmost match in the text. If several matches begin at the same place, the longest of these.
    package func firstMatch(in text: String) -> Substring? {
        var search = Search(program)
        return search.firstMatch(in: text.unicodeScalars).map { text[$0] }
    }

    /// Matches the whole text (`isAnchored`) or any part of it in at most `steps` steps of the automaton; nil if more steps are
    /// needed.
    package func run(on text: String, isAnchored: Bool, steps: inout Int) -> Bool? {
        var text = text
        return text.withUTF8 { run(onUTF8: $0, isAnchored: isAnchored, steps: &steps) }
    }

    /// Like `run(on:)`, but takes the bytes of a text. Bytes that are not valid UTF-8 count as U+FFFD, as they do in a `String`.
    package func run(onUTF8 text: UnsafeBufferPointer<UInt8>, isAnchored: Bool, steps: inout Int) -> Bool? {
        program.run(text, isAnchored: isAnchored, steps: &steps)
    }
}

/// The reason why a string is not a pattern of its dialect, and the place of the problem.
package struct IRegexpProblem: Error, Equatable {
    package let message: String
    /// The place of the problem, as UTF-8 offsets in the pattern.
    package let range: Range<Int>
    package let hint: String?

    init(_ message: String, _ range: Range<Int>, hint: String? = nil) {
        self.message = message
        self.range = range
        self.hint = hint
    }
}
