import ReqcliBasics

/// Reduces a JSON text, as it arrives, to the parts of a scope.
///
/// The result is a JSON text in which each of these parts has its place: the same names, the same order, the same numbers of elements
/// before it. Memory grows with the result, not with the text. What is left out is only checked for its grammar: invalid UTF-8 and
/// unpaired surrogates in it are not noticed.
///
/// ```swift
/// var pruner = JSONPruner(keeping: path.scope)
/// for chunk in body { guard pruner.read(chunk) else { break } }
/// let text = pruner.finish()
/// ```
package struct JSONPruner: Sendable {
    private let root: JSONScope
    private var printer = JSONPrinter(layout: .compact)
    /// The open containers that are looked at in part, the outermost first.
    private var open: [Container] = []
    private var left: LeftOut?
    private var keyStart = 0
    /// The start of the current item of the innermost of the open containers, with the comma before it.
    private var itemStart = 0
    private var memberScope: JSONScope?
    private let placeholders: Int
    /// The number of bytes that were read.
    package private(set) var consumed = 0
    /// The number of the byte, counted from 0, that is not JSON; for a text that is cut off, the number of its bytes. Nil while the
    /// text is JSON.
    package private(set) var mistake: Int?

    private struct Container {
        let scope: JSONScope
        var count = 0
    }

    /// A value that is being left out.
    private struct LeftOut {
        let depth: Int
        /// The size of the result to return to.
        let start: Int
        let hasPlaceholder: Bool
    }

    /// - Parameter placeholders: Up to this size of the result, a value that is left out becomes `0`, so that a message can tell what
    ///   there is. Later it is left out with its name.
    package init(keeping root: JSONScope, placeholders: Int = 1 << 20) {
        self.root = root
        self.placeholders = placeholders
    }

    package var size: Int { printer.output.bytes.count }

    /// Reads the next part of the text. Returns false if the text is not JSON.
    package mutating func read(_ chunk: UnsafeRawBufferPointer) -> Bool {
        var position = 0
        while position < chunk.count, mistake == nil {
            let before = (state: printer.state, depth: printer.containers.count, size: size)
            switch printer.step(chunk, position) {
            case .next(let next): position = next
            case .stops(let offset, _): mistake = consumed + offset
            }
            if left != nil {
                leaveOut()
            } else if before.depth <= open.count {
                look(at: before.state, depth: before.depth, size: before.size, next: consumed + position)
            }
        }
        consumed += chunk.count
        return mistake == nil
    }

    /// The reduced text; nil if the text is not JSON, or cut off.
    package mutating func finish() -> [UInt8]? {
        guard mistake == nil else { return nil }
        printer.endLastToken()
        if left != nil { leaveOut() }
        guard printer.state == .topLevel, printer.valueCount == 1 else {
            mistake = consumed
            return nil
        }
        return printer.output.bytes
    }

    /// Looks at what the last step read in a container that is kept in part.
    private mutating func look(at state: JSONPrinter.State, depth: Int, size before: Int, next: Int) {
        switch state {
        case .topLevel, .firstElement, .element, .memberValue:
            if printer.containers.count < depth {
                open.removeLast()
            } else if printer.state != .byteOrderMark, printer.state != state || printer.containers.count > depth {
                begin(at: before, depth, next)
            }
        case .firstKey, .key:
            keyStart = before
            if printer.containers.count < depth { open.removeLast() }
        case .string:
            if printer.isKey, printer.state == .colon { memberScope = scopeOfMember() }
        case .comma:
            if printer.containers.count < depth {
                open.removeLast()
            } else if printer.state == .key || printer.state == .element {
                passComma(before)
            }
        default: break
        }
    }

    /// Decides about a value that has begun.
    private mutating func begin(at start: Int, _ depth: Int, _ next: Int) {
        var scope: JSONScope? = root
        if let container = open.indices.last {
            let isMember = printer.containers[depth - 1]
            scope = isMember ? memberScope : open[container].scope.element(open[container].count)
            open[container].count += 1
            if scope == nil {
                let isPlaced = size < placeholders || !isMember && open[container].scope.hasElements
                left = LeftOut(depth: depth, start: isPlaced ? start : itemStart, hasPlaceholder: isPlaced)
                return leaveOut()
            }
        } else if printer.valueCount > 0 {
            // A text has only one value.
            mistake = next - 1
            return
        }
        guard let scope, !scope.isWhole, printer.containers.count > depth else { return }
        open.append(Container(scope: scope))
        itemStart = size
    }

    private func scopeOfMember() -> JSONScope? {
        let name = (keyStart + 1)..<(size - 1)
        let bytes = printer.output.bytes[name]
        guard bytes.contains(.backslash) else { return open.last?.scope.member(bytes) }
        return open.last?.scope.member(JSONStringText.decoded(printer.output.bytes, name).utf8)
    }

    private mutating func passComma(_ before: Int) {
        itemStart = before
        // Nothing of this container has been kept, so there is nothing to separate.
        let last = printer.output.bytes[before - 1]
        if last == .openBrace || last == .openBracket { printer.output.shorten(to: before) }
    }

    /// Removes what was read of the value that is left out, and ends it at its end.
    private mutating func leaveOut() {
        guard let left else { return }
        printer.output.shorten(to: left.start)
        guard printer.containers.count == left.depth, printer.state == .comma || printer.state == .topLevel else {
            return
        }
        if left.hasPlaceholder { printer.output.append(.zero) }
        self.left = nil
    }
}
