import ReqcliBasics

extension YAMLReader {
    mutating func readDocument() throws(Stop) {
        // Skips a byte order mark.
        if byte(0) == 0xEF, byte(1) == 0xBB, byte(2) == 0xBF { (position, lineStart) = (3, 3) }
        skipToText()
        let hasDirectives = try readDirectives()
        if position >= end {
            throw stop("the text is empty; expected a YAML value", 0..<0)
        }
        let hasMarker = isAtMarker && current == .minus
        if hasDirectives, !hasMarker {
            throw stop("expected \"---\" after the directives", hint: "write \"---\" on a separate line")
        }
        if isAtMarker, !hasMarker {
            throw stop("the text is empty; expected a YAML value before \"...\"", position..<position + 3)
        }
        if hasMarker { position += 3 }
        try blockNode(below: -1, startsCollections: !hasMarker)
        try readEnd()
    }

    /// Reads lines such as `%YAML 1.2`. Directives that YAML doesn't define are skipped, as the YAML specification requires.
    private mutating func readDirectives() throws(Stop) -> Bool {
        var hasVersion = false
        var hasAny = false
        while position == lineStart, current == UInt8(ascii: "%") {
            hasAny = true
            let start = position
            skipLine()
            let line = String(decoding: bytes[start..<position], as: UTF8.self)
            let words = line.split { $0 == " " || $0 == "\t" }.map(String.init).prefix { !$0.hasPrefix("#") }
            switch words.first {
            case "%YAML":
                if hasVersion { throw stop("a second %YAML directive", start..<position, hint: "remove it") }
                hasVersion = true
                guard words.count == 2, words[1].hasPrefix("1."), words[1].dropFirst(2).allSatisfy(\.isNumber),
                    words[1].count > 2
                else { throw stop("expected %YAML 1.2", start..<position, code: .yamlUnsupported) }
            case "%TAG":
                guard words.count == 3, words[1].hasPrefix("!"), words[1].hasSuffix("!"), tagPrefixes[words[1]] == nil
                else { throw stop("expected one %TAG !HANDLE! PREFIX for each handle", start..<position) }
                tagPrefixes[words[1]] = words[2]
            default: break
            }
            skipToText()
        }
        return hasAny
    }

    /// Checks that only comments follow the document.
    private mutating func readEnd() throws(Stop) {
        skipToText()
        guard position < end else { return }
        if isAtMarker, current == .point {
            repeat {
                let line = lineStart
                position += 3
                skipToText()
                if lineStart == line, position < end { throw unexpectedText() }
            } while isAtMarker && current == .point
            guard position < end else { return }
            throw secondDocument()
        }
        throw isAtMarker ? secondDocument() : unexpectedText()
    }

    private mutating func secondDocument() -> Stop {
        stop(
            "a second document begins here; expected one", isAtMarker ? position..<position + 3 : character,
            hint: "put the second document into a separate file", code: .yamlUnsupported)
    }

    /// Reports text that is not part of the value before it.
    mutating func unexpectedText() -> Stop {
        if isFirstInLine {
            if hasTabBefore { return tabIndentation() }
            return stop(
                "this line is not part of the value above", position..<endOfLine,
                hint: "check its indentation, or put the text above in quotes")
        }
        if current == .colon, isBlank(position + 1) { return misplacedKey() }
        let isComment = current == UInt8(ascii: "#")
        return stop(
            "unexpected text after a value: \"\(shown(position..<endOfLine))\"", position..<endOfLine,
            hint: isComment ? "write a space before \"#\"" : nil)
    }

    /// Reports a `:` at a place where no mapping is allowed.
    mutating func misplacedKey() -> Stop {
        stop(
            "a mapping is not allowed here", position..<position + 1,
            hint: "put the text in quotes, or the mapping on separate lines")
    }

    mutating func tabIndentation() -> Stop {
        let tab = lineStart + indentation
        return stop("a tab can't be used as indentation", tab..<tab + 1, hint: "use spaces")
    }

    /// The end of the current line, without the whitespace at its end.
    var endOfLine: Int {
        var line = position
        var last = position
        while line < end, !isBreak(bytes[line]) {
            line += 1
            if !isBlank(line - 1) { last = line }
        }
        return last
    }
}
