import ReqcliBasics

/// A place in a JSON text: the keys that lead to it, and the token around it. The text may be broken anywhere, as it is while
/// a person types.
package struct JSONLocation: Sendable, Equatable {
    package enum Role: Sendable, Equatable {
        case key
        case value
    }

    /// The steps from the outermost value: to the object whose key is at the place, or to the value at the place.
    package let path: [JSONValue.Step]
    /// Nil where the grammar expects neither a key nor a value, as after a complete value.
    package let role: Role?
    /// The string, number or word around the place with its quotes; empty if there is none.
    package let token: Range<Int>
    /// The keys of the innermost object, without the key at the place.
    package let siblings: [String]
    /// Whether the key at the place has a colon already.
    package let hasColon: Bool
    /// Whether another member or element follows without a comma in between.
    package let needsComma: Bool
    /// The end of the value before the place, if a comma is missing after it.
    package let lacksCommaAt: Int?
}

extension JSONDocument {
    /// The location of a byte. Comments have no location.
    package func location(at offset: Int) -> JSONLocation? {
        var scanner = LocationScanner(bytes: file.bytes, target: min(max(offset, 0), file.bytes.count))
        return scanner.location()
    }
}

/// Reads the tokens of a text from its start, and notes where the place is among them.
private struct LocationScanner {
    private struct Container {
        let isObject: Bool
        var key: String?
        var position = 0
        var expectsKey: Bool
        var isComplete = false
        var keys: [String] = []
    }

    private typealias Token = LooseTokens.Token

    let bytes: [UInt8]
    let target: Int
    private var tokens: LooseTokens
    private var stack: [Container] = []
    /// The end of the last token before the place.
    private var lastEnd = 0

    init(bytes: [UInt8], target: Int) {
        self.bytes = bytes
        self.target = target
        tokens = LooseTokens(bytes)
    }

    mutating func location() -> JSONLocation? {
        while true {
            let token = tokens.next()
            switch token.kind {
            case .comment where token.range.lowerBound < target && target <= token.range.upperBound: return nil
            case .comment: continue
            case .text where token.range.lowerBound <= target && target <= token.range.upperBound:
                return finish(token.range)
            case .end: return finish(target..<target)
            default:
                // The place is in the space before this token.
                if token.range.lowerBound >= target {
                    tokens.offset = token.range.lowerBound
                    return finish(target..<target)
                }
                take(token)
            }
        }
    }

    private mutating func take(_ token: Token) {
        lastEnd = token.range.upperBound
        switch token.kind {
        case .open(let isObject):
            stack.append(Container(isObject: isObject, expectsKey: isObject))
        case .close:
            _ = stack.popLast()
            completed()
        case .comma:
            guard let last = stack.indices.last else { return }
            stack[last].isComplete = false
            stack[last].expectsKey = stack[last].isObject
            if stack[last].isObject { stack[last].key = nil } else { stack[last].position += 1 }
        case .colon:
            guard let last = stack.indices.last else { return }
            stack[last].expectsKey = false
            stack[last].isComplete = false
        case .text:
            guard let last = stack.indices.last, stack[last].isObject, stack[last].key == nil || stack[last].isComplete
            else { return completed() }
            let key = text(token.range)
            stack[last].key = key
            stack[last].keys.append(key)
            stack[last].expectsKey = false
            stack[last].isComplete = false
        case .comment, .end: break
        }
    }

    private mutating func completed() {
        guard let last = stack.indices.last else { return }
        stack[last].isComplete = true
    }

    private mutating func finish(_ token: Range<Int>) -> JSONLocation {
        let around = stack
        var path: [JSONValue.Step] = around.dropLast().compactMap { step(in: $0) }
        guard let inner = around.last else {
            return JSONLocation(
                path: [], role: .value, token: token, siblings: [], hasColon: false, needsComma: false,
                lacksCommaAt: nil)
        }
        let isKey = inner.isObject && (inner.expectsKey || inner.isComplete)
        if !isKey, let last = step(in: inner) { path.append(last) }
        // The rest of the container: its other keys, and what follows the place.
        var rest = self
        rest.tokens.offset = max(tokens.offset, token.upperBound)
        if isKey, let last = rest.stack.indices.last {
            rest.stack[last].expectsKey = false
            rest.stack[last].key = ""
            rest.stack[last].isComplete = false
        }
        let (following, keys) = rest.rest(of: around.count, isKey: isKey)
        let isValueDone = inner.isComplete && !inner.isObject
        var needsComma = false
        var hasColon = false
        if let following {
            if case .colon = following.kind { hasColon = true }
            switch following.kind {
            case .text, .open: needsComma = true
            default: break
            }
        }
        return JSONLocation(
            path: path, role: isValueDone && token.isEmpty ? nil : isKey ? .key : .value, token: token,
            siblings: isKey ? inner.keys + keys : inner.keys.filter { $0 != inner.key } + keys, hasColon: hasColon,
            needsComma: needsComma, lacksCommaAt: isKey && inner.isComplete ? lastEnd : nil)
    }

    /// The next token, and the keys up to the end of the container.
    private mutating func rest(of depth: Int, isKey: Bool) -> (following: Token?, keys: [String]) {
        let known = stack.last?.keys.count ?? 0
        var following: Token?
        while true {
            let token = tokens.next()
            if case .comment = token.kind { continue }
            if following == nil {
                following = token
                // Another key right after an unfinished one is not its value.
                if isKey, let last = stack.indices.last, case .text = token.kind { stack[last].key = nil }
            }
            if case .end = token.kind { break }
            if case .close = token.kind, stack.count <= depth { break }
            take(token)
        }
        return (following, stack.count == depth ? Array((stack.last?.keys ?? []).dropFirst(known)) : [])
    }

    private func step(in container: Container) -> JSONValue.Step? {
        container.isObject ? container.key.map { .key($0) } : .index(container.position)
    }

    private func text(_ range: Range<Int>) -> String {
        let inner = JSONValue.innerRange(of: range, in: bytes)
        return JSONStringText.decoded(bytes, inner)
    }
}
