/// Reads a text as a stream of JSON events, checks the grammar as it goes, and goes on behind a mistake where the
/// rest can still be understood.
///
/// The tree (`JSONDocument`) is built from these events, and a printer can consume them without building anything.
package struct JSONReader {
    package struct Event {
        package enum Kind: UInt8, Sendable {
            case beginObject
            case endObject
            case beginArray
            case endArray
            case key
            case string
            case number
            case `true`
            case `false`
            case null
            /// Stands where a value had to be and none could be read: a problem says why.
            case invalid
        }

        package let kind: Kind
        package let start: Int
        package let end: Int
        package let hasEscapes: Bool
    }

    package struct Limits: Sendable {
        package let depth: Int
        /// Reading stops after so many problems: what follows is mostly their echo.
        package let problems: Int

        package init(depth: Int = 512, problems: Int = 20) {
            self.depth = depth
            self.problems = problems
        }
    }

    /// What the grammar wants next.
    private enum Expectation {
        case value
        case firstElement
        case firstKey
        case key
        case colon
        case comma
        case nothing
        case stopped
    }

    private struct Container {
        let isObject: Bool
        let start: Int
    }

    private var lexer: JSONLexer
    private let syntax: JSONSyntax
    private let limits: Limits
    private var containers: [Container] = []
    private var expectation = Expectation.value
    private var held: JSONToken?
    /// Where the last token that was taken ends: the place of what is missing.
    private var lastEnd = 0
    /// A mistake just told already explains why the next item has no comma, or this key no value.
    private var isExcused = false

    package init(_ bytes: UnsafeBufferPointer<UInt8>, syntax: JSONSyntax = .strict, limits: Limits = Limits()) {
        lexer = JSONLexer(bytes, syntax: syntax, problemLimit: limits.problems)
        self.syntax = syntax
        self.limits = limits
        containers.reserveCapacity(16)
    }

    package var problems: [JSONProblem] { lexer.problems }

    /// The next event, or nil at the end or where reading had to stop.
    package mutating func next() -> Event? {
        while expectation != .stopped, !lexer.hasEnough {
            let token = held ?? lexer.nextToken()
            held = nil
            if let event = step(token) {
                lastEnd = event.end
                return event
            }
        }
        return nil
    }

    /// Takes one token; nil if it made no event.
    private mutating func step(_ token: JSONToken) -> Event? {
        if token.kind == .end { return endOfText(token) }
        switch expectation {
        case .value: return value(token)
        case .firstElement:
            return token.kind == .closeBracket ? close(token) : value(token)
        case .firstKey:
            return token.kind == .closeBrace ? close(token) : key(token)
        case .key: return key(token)
        case .colon: return colon(token)
        case .comma: return comma(token)
        case .nothing:
            lexer.report("there is text after the end of the JSON value", token.range, hint: "a file holds one value")
            expectation = .stopped
            return nil
        case .stopped: return nil
        }
    }

    @inline(__always)
    private func event(_ kind: Event.Kind, _ token: JSONToken) -> Event {
        Event(kind: kind, start: token.start, end: token.end, hasEscapes: token.hasEscapes)
    }

    private mutating func afterValue() {
        expectation = containers.isEmpty ? .nothing : .comma
    }
}

// MARK: - Values

extension JSONReader {
    private mutating func value(_ token: JSONToken) -> Event? {
        switch token.kind {
        case .string:
            // The comma is likely to be inside a string that was never closed.
            isExcused = !token.isComplete
            return scalar(.string, token)
        case .number: return scalar(.number, token)
        case .true: return scalar(.true, token)
        case .false: return scalar(.false, token)
        case .null: return scalar(.null, token)
        case .openBrace: return open(token, isObject: true)
        case .openBracket: return open(token, isObject: false)
        case .invalid: return scalar(.invalid, token)
        case .word:
            lexer.report("\"\(shown(token))\" is not a JSON value", token.range, hint: wordHint(token))
            return scalar(.invalid, token)
        case .stray:
            lexer.report("\"\(shown(token))\" can't start a value", token.range)
            return scalar(.invalid, token)
        case .comma, .colon, .closeBrace, .closeBracket, .end: return missingValue(token)
        }
    }

    @inline(__always)
    private mutating func scalar(_ kind: Event.Kind, _ token: JSONToken) -> Event {
        afterValue()
        return event(kind, token)
    }

    private mutating func open(_ token: JSONToken, isObject: Bool) -> Event? {
        guard containers.count < limits.depth else {
            lexer.report("the nesting is deeper than \(limits.depth) levels", token.range, code: .jsonDepth)
            expectation = .stopped
            return nil
        }
        containers.append(Container(isObject: isObject, start: token.start))
        expectation = isObject ? .firstKey : .firstElement
        return event(isObject ? .beginObject : .beginArray, token)
    }

    private mutating func missingValue(_ token: JSONToken) -> Event? {
        guard let container = containers.last else {
            lexer.report("expected a value, found \"\(shown(token))\"", token.range)
            expectation = .stopped
            return nil
        }
        if !container.isObject, token.kind == .closeBrace || token.kind == .closeBracket {
            // A comma led here, or nothing yet: an array's first element may be absent.
            let closes = token.kind == .closeBracket || containers.contains(where: \.isObject)
            if closes, expectation == .value, syntax == .strict { reportTrailingComma() }
            return close(token)
        }
        lexer.report("expected a value, found \"\(shown(token))\"", token.range)
        guard container.isObject, token.kind != .colon else { return nil }
        held = token
        expectation = .comma
        return Event(kind: .invalid, start: token.start, end: token.start, hasEscapes: false)
    }

    private func wordHint(_ token: JSONToken) -> String {
        let word = shown(token)
        if let first = word.unicodeScalars.first, "“”„‘’«»".unicodeScalars.contains(first) {
            return "use straight double quotes"
        }
        switch word.lowercased() {
        case "true", "yes", "on": return "did you mean true?"
        case "false", "no", "off": return "did you mean false?"
        case "none", "nil", "undefined", "null": return "did you mean null?"
        case "nan", "infinity", "inf": return "JSON has no such number"
        default: return "put text in double quotes"
        }
    }

    private func shown(_ token: JSONToken) -> String {
        // Enough bytes for forty characters: a message is no place for a megabyte.
        String(lexer.text(token.start..<min(token.end, token.start + 160)).prefix(40))
    }
}

// MARK: - Objects, commas, ends

extension JSONReader {
    private mutating func key(_ token: JSONToken) -> Event? {
        switch token.kind {
        case .string:
            isExcused = !token.isComplete
            expectation = .colon
            return event(.key, token)
        case .invalid:
            expectation = .colon
            return event(.key, token)
        case .word, .true, .false, .null, .number:
            lexer.report("a key takes double quotes", token.range, hint: "write \"\(shown(token))\"")
            expectation = .colon
            return event(.key, token)
        case .closeBrace, .closeBracket:
            if expectation == .key, syntax == .strict || token.kind == .closeBracket { reportTrailingComma() }
            return close(token)
        case .comma:
            let found = expectation == .firstKey ? "\",\"" : "a second comma"
            lexer.report("expected a key, found \(found)", token.range, hint: "take it out")
            return nil
        default:
            lexer.report("expected a key in double quotes, found \"\(shown(token))\"", token.range)
            expectation = .stopped
            return nil
        }
    }

    private mutating func colon(_ token: JSONToken) -> Event? {
        let isExcused = isExcused
        self.isExcused = false
        expectation = .value
        if token.kind == .colon { return nil }
        if token.kind == .stray {
            lexer.report("expected a colon, found \"\(shown(token))\"", token.range, hint: "write : here")
            return nil
        }
        held = token
        if isExcused {
            self.isExcused = true
            expectation = .comma
            return Event(kind: .invalid, start: lastEnd, end: lastEnd, hasEscapes: false)
        }
        if token.kind == .comma || token.kind == .closeBrace || token.kind == .closeBracket {
            lexer.report("this key has no value", lastEnd..<lastEnd, hint: "write : and a value behind it")
            expectation = .comma
            return Event(kind: .invalid, start: lastEnd, end: lastEnd, hasEscapes: false)
        }
        lexer.report("a colon is missing before this value", lastEnd..<lastEnd, hint: "write : here")
        return nil
    }

    private mutating func comma(_ token: JSONToken) -> Event? {
        switch token.kind {
        case .comma:
            expectNextItem()
            lastEnd = token.end
        case .closeBrace, .closeBracket: return close(token)
        case .stray, .colon:
            lexer.report("expected a comma, found \"\(shown(token))\"", token.range)
            isExcused = true
        default:
            if !isExcused { lexer.report("a comma is missing here", lastEnd..<lastEnd, hint: "write , here") }
            expectNextItem()
            held = token
        }
        return nil
    }

    @inline(__always)
    private mutating func expectNextItem() {
        isExcused = false
        expectation = containers.last?.isObject == true ? .key : .value
    }

    private mutating func close(_ token: JSONToken) -> Event? {
        guard let container = containers.last else { return nil }
        let isBrace = token.kind == .closeBrace
        guard container.isObject == isBrace else { return closeMismatched(container, token) }
        containers.removeLast()
        isExcused = false
        afterValue()
        return event(container.isObject ? .endObject : .endArray, token)
    }

    /// A bracket may close something further out: then the inner one was forgotten. Otherwise it is one too many.
    private mutating func closeMismatched(_ container: Container, _ token: JSONToken) -> Event? {
        let isBrace = token.kind == .closeBrace
        lexer.report(
            "expected \"\(container.isObject ? "}" : "]")\", found \"\(isBrace ? "}" : "]")\"", token.range,
            related: ("it would close the one opened here", container.start..<container.start + 1))
        guard containers.contains(where: { $0.isObject == isBrace }) else { return nil }
        held = token
        containers.removeLast()
        afterValue()
        return Event(
            kind: container.isObject ? .endObject : .endArray, start: token.start, end: token.start, hasEscapes: false)
    }

    private mutating func reportTrailingComma() {
        let comma = max(lastEnd - 1, 0)
        lexer.report("JSON has no trailing commas", comma..<lastEnd, hint: "take out the last comma")
    }

    private mutating func endOfText(_ token: JSONToken) -> Event? {
        if let container = containers.last {
            lexer.report(
                "this \"\(container.isObject ? "{" : "[")\" is never closed", container.start..<container.start + 1,
                hint: "add the missing \"\(container.isObject ? "}" : "]")\"")
        } else if expectation == .value {
            lexer.report("the text is empty; expected a JSON value", 0..<0)
        }
        expectation = .stopped
        return nil
    }
}
