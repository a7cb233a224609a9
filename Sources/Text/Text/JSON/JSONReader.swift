import ReqcliBasics

/// Reads a text into a tape and checks the grammar. After a mistake, reading continues at a point from which the rest can be
/// understood.
package struct JSONReader {
    package struct Limits: Sendable {
        package let depth: Int
        /// The number of problems after which reading stops. Further problems mostly repeat the earlier ones.
        package let problems: Int

        package init(depth: Int = 512, problems: Int = 20) {
            self.depth = depth
            self.problems = problems
        }
    }

    /// The next item that the grammar expects.
    enum Expectation {
        case value
        case firstElement
        case firstKey
        case key
        case colon
        case comma
        case nothing
        case stopped
    }

    struct Container {
        let isObject: Bool
        let start: Int
        /// The index of the container's entry on the tape.
        let index: Int
    }

    private(set) var tape = JSONTape()
    var lexer: JSONLexer
    let syntax: JSONSyntax
    let limits: Limits
    var containers: [Container] = []
    var expectation = Expectation.value
    var held: JSONToken?
    /// The end of the last token. A missing item is reported at this place.
    var lastEnd = 0
    /// Whether the last mistake already explains a missing comma before the next item or a missing value after this
    /// key.
    var isExcused = false
    private var keyAwaitsValue = false

    init(_ bytes: UnsafeBufferPointer<UInt8>, syntax: JSONSyntax, limits: Limits) {
        lexer = JSONLexer(bytes, syntax: syntax, problemLimit: limits.problems)
        self.syntax = syntax
        self.limits = limits
        containers.reserveCapacity(16)
        tape.reserve(for: bytes)
    }

    var problems: [JSONProblem] { lexer.problems }

    /// Reads to the end of the text, or to the point where reading has to stop. Containers that are still open are closed at the
    /// end.
    mutating func read() {
        while expectation != .stopped, !lexer.hasEnough {
            let token = held ?? lexer.nextToken()
            held = nil
            if let end = step(token) {
                lastEnd = end
                passPunctuation()
            }
        }
        if keyAwaitsValue { _ = missing(at: lexer.end) }
        while let container = containers.popLast() { tape.close(container.index, at: lexer.end) }
    }

    /// Fast path: takes the expected colon or comma without making a token of it.
    private mutating func passPunctuation() {
        guard held == nil, !isExcused else { return }
        switch expectation {
        case .colon where lexer.pass(.colon): expectation = .value
        case .comma where lexer.pass(.comma):
            expectNextItem()
            lastEnd = lexer.position
        default: break
        }
    }

    /// Processes one token. Returns the end of the entries that it added to the tape; nil if it added no entry.
    private mutating func step(_ token: JSONToken) -> Int? {
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
            lexer.report(
                "there is text after the end of the JSON value", token.range, hint: "a file contains only one value")
            expectation = .stopped
            return nil
        case .stopped: return nil
        }
    }

    // MARK: The tape

    mutating func add(key token: JSONToken) -> Int {
        keyAwaitsValue = true
        tape.append(.string, token.range, isKey: true, hasEscapes: token.hasEscapes)
        return token.end
    }

    @inline(__always)
    mutating func add(_ kind: JSONValue.Kind, _ token: JSONToken) -> Int {
        countItem()
        tape.append(kind, token.range, isKey: false, hasEscapes: token.hasEscapes)
        return token.end
    }

    /// Adds a placeholder for a value that is missing in the text, because a key always has a value on the tape.
    mutating func missing(at offset: Int) -> Int { add(.invalid, JSONToken(.invalid, offset, offset)) }

    mutating func open(_ token: JSONToken, isObject: Bool) -> Int {
        countItem()
        let index = tape.open(isObject ? .object : .array, at: token.start)
        containers.append(Container(isObject: isObject, start: token.start, index: index))
        return token.end
    }

    mutating func close(at end: Int) -> Int {
        tape.close(containers.removeLast().index, at: end)
        afterValue()
        return end
    }

    @inline(__always)
    private mutating func countItem() {
        keyAwaitsValue = false
        if let parent = containers.last { tape.countItem(of: parent.index) }
    }

    mutating func afterValue() {
        expectation = containers.isEmpty ? .nothing : .comma
    }
}
