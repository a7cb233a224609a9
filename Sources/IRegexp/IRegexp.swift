/// A regular expression as RFC 9485 defines it (I-Regexp): the small common part of the dialects, with no way to look
/// back or ahead.
///
/// `^` and `$` stand for the ends of the text. The grammar calls them ordinary characters, but the RFC's own translations
/// to other dialects make anchors of them, and so does the compliance suite of JSONPath.
///
/// It is run as an automaton that reads each character once, so no pattern and no text can make it take more than their
/// product; `steps` bounds even that.
package struct IRegexp: Sendable {
    package let pattern: String
    let program: Program

    package init(_ pattern: String) throws(IRegexpProblem) {
        var parser = PatternParser(pattern)
        let expression = try parser.expression()
        var compiler = Compiler()
        try compiler.compile(expression)
        self.pattern = pattern
        program = compiler.finish()
    }

    /// Whether the pattern describes the text from its first character to its last.
    package func matches(_ text: String) -> Bool {
        var steps = Int.max
        return run(on: text, isAnchored: true, steps: &steps) ?? false
    }

    /// Whether the pattern describes some part of the text.
    package func isFound(in text: String) -> Bool {
        var steps = Int.max
        return run(on: text, isAnchored: false, steps: &steps) ?? false
    }

    /// Matches the whole text (`isAnchored`) or any part of it, in at most `steps` steps of the automaton; nil if they
    /// were not enough.
    package func run(on text: String, isAnchored: Bool, steps: inout Int) -> Bool? {
        var matcher = Matcher(program)
        return matcher.run(text.unicodeScalars, isAnchored: isAnchored, steps: &steps)
    }
}

/// Why a text is not an I-Regexp, and where.
package struct IRegexpProblem: Error, Equatable {
    package let message: String
    /// UTF-8 offsets in the pattern.
    package let range: Range<Int>
    package let hint: String?

    init(_ message: String, _ range: Range<Int>, hint: String? = nil) {
        self.message = message
        self.range = range
        self.hint = hint
    }
}
