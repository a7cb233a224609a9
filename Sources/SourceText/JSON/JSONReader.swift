import ASCII

/// Reads a text as a stream of JSON events and checks the grammar. After a mistake, reading goes on where the rest can
/// still be understood.
///
/// `JSONDocument` is built from these events. Nothing else is built to read a text.
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
            /// A placeholder for a value that could not be read. A problem says why.
            case invalid
        }

        package let kind: Kind
        package let start: Int
        package let end: Int
        package let hasEscapes: Bool
    }

    package struct Limits: Sendable {
        package let depth: Int
        /// The number of problems after which reading stops. Further problems mostly repeat the earlier ones.
        package let problems: Int

        package init(depth: Int = 512, problems: Int = 20) {
            self.depth = depth
            self.problems = problems
        }
    }

    /// The grammar's next expected item.
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
    }

    var lexer: JSONLexer
    let syntax: JSONSyntax
    let limits: Limits
    var containers: [Container] = []
    var expectation = Expectation.value
    var held: JSONToken?
    /// The end of the last token, which is reported as the place of a missing item.
    var lastEnd = 0
    /// Whether the last mistake already explains a missing comma before the next item or a missing value after this
    /// key.
    var isExcused = false

    package init(_ bytes: UnsafeBufferPointer<UInt8>, syntax: JSONSyntax = .strict, limits: Limits = Limits()) {
        lexer = JSONLexer(bytes, syntax: syntax, problemLimit: limits.problems)
        self.syntax = syntax
        self.limits = limits
        containers.reserveCapacity(16)
    }

    package var problems: [JSONProblem] { lexer.problems }

    /// The next event; nil at the end of the text or where reading had to stop.
    package mutating func next() -> Event? {
        while expectation != .stopped, !lexer.hasEnough {
            let token = held ?? lexer.nextToken()
            held = nil
            if let event = step(token) {
                lastEnd = event.end
                passPunctuation()
                return event
            }
        }
        return nil
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

    /// Processes one token. Returns nil if it gives no event.
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
    func event(_ kind: Event.Kind, _ token: JSONToken) -> Event {
        Event(kind: kind, start: token.start, end: token.end, hasEscapes: token.hasEscapes)
    }

    mutating func afterValue() {
        expectation = containers.isEmpty ? .nothing : .comma
    }
}
