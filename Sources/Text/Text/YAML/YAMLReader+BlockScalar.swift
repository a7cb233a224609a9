import ReqcliBasics

extension YAMLReader {
    private enum Chomping {
        case strip, clip, keep
    }

    /// Reads a scalar that begins with `|` or `>`. Its lines must be indented further than the column of the parent.
    mutating func blockScalar(below parent: Int) throws(Stop) -> YAMLNode {
        let start = position
        let isFolded = current == UInt8(ascii: ">")
        let (chomping, explicit) = try blockHeader()
        var indent = explicit.map { max(parent, 0) + $0 }
        let decodedStart = tree.decodedEnd
        var textEnd = lastEnd
        // The number of line breaks since the last line with text. `wasIndented` is true if this line was indented further.
        var breaks = 0
        var hasText = false
        var wasIndented = false
        var widestBlank: Range<Int>?
        while position < end {
            let line = position
            while current == .space, indent.map({ position - line < $0 }) ?? true { position += 1 }
            let column = position - line
            if indent.map({ column < $0 }) ?? true || isBreak(current) || position >= end {
                let text = position
                // A tab before the first line of text counts as text. Later, a line of tabs counts as a blank line.
                if indent != nil { skipBlanks() }
                if position >= end || isBreak(current) {
                    if indent == nil, column > widestBlank?.count ?? 0 { widestBlank = line..<text }
                    if position < end { passBreak() } else if text == line { break }
                    breaks += 1
                    continue
                }
                position = text
            }
            // A document marker at the start of a line ends the value.
            if column == 0, isAtMarker { break }
            if indent == nil, column <= parent, current == .tab {
                throw stop("a tab can't be used as indentation", hint: "use spaces")
            }
            if indent == nil, column > parent {
                if let widestBlank, widestBlank.count > column {
                    throw stop(
                        "a blank line has more spaces than the first line of text below", widestBlank,
                        hint: "remove these spaces, or write the number of spaces after the \(isFolded ? ">" : "|")")
                }
                indent = column
            }
            guard let indent, column >= indent else {
                position = line
                break
            }
            let isIndented = current == .space || current == .tab
            if isFolded, hasText, !wasIndented, !isIndented {
                decodeFolded(breaks)
            } else {
                for _ in 0..<breaks { tree.decode(.lineFeed) }
            }
            let text = position
            skipLine()
            tree.decode(bytes[text..<position])
            (textEnd, hasText, wasIndented, breaks) = (position, true, isIndented, 0)
            if position < end {
                passBreak()
                breaks = 1
            } else if bytes[text..<position].allSatisfy({ $0 == .space }) {
                // A line of spaces at the end of the file counts as a line, as yaml-test-suite requires.
                breaks = 1
            }
        }
        switch chomping {
        case .strip: break
        case .clip: if hasText, breaks > 0 { tree.decode(.lineFeed) }
        case .keep: for _ in 0..<breaks { tree.decode(.lineFeed) }
        }
        return YAMLNode(.block, start..<textEnd, decoded: decodedStart..<tree.decodedEnd)
    }

    /// Reads `|` or `>` with its indicators, up to the next line.
    private mutating func blockHeader() throws(Stop) -> (Chomping, Int?) {
        var chomping: Chomping?
        var indent: Int?
        position += 1
        while !isBlank(position) {
            switch current {
            case .plus where chomping == nil: chomping = .keep
            case .minus where chomping == nil: chomping = .strip
            case UInt8(ascii: "1")...UInt8(ascii: "9") where indent == nil: indent = Int(current - .zero)
            default:
                throw stop(
                    "expected the end of the line, \"+\", \"-\" or a digit from 1 to 9 after \"|\" or \">\"",
                    hint: "begin the text on the next line")
            }
            position += 1
        }
        lastEnd = position
        skipBlanks()
        if current == UInt8(ascii: "#") { skipLine() }
        guard position >= end || isBreak(current) else {
            throw stop("found text on the same line as \"|\" or \">\"", hint: "begin the text on the next line")
        }
        if position < end { passBreak() }
        return (chomping ?? .clip, indent)
    }
}
