import ReqcliBasics

extension YAMLReader {
    /// Reads the value after an indicator (`-`, `?`, `:`, `---`). The value is on the indicator's line or on the following lines.
    ///
    /// - Parameters:
    ///   - parent: The column of the collection that contains the value. The value's own lines must be indented further.
    ///   - startsCollections: Whether a list or mapping may begin on the indicator's line.
    ///   - hasAlignedList: Whether the items of a list may begin in the column of the parent, as in a mapping.
    mutating func blockNode(
        below parent: Int, startsCollections: Bool, hasAlignedList: Bool = false
    ) throws(Stop) {
        let start = position
        let line = lineStart
        var (outer, inner) = (YAMLProperties(), YAMLProperties())
        var emptyPlace = start
        var mayStart = startsCollections
        skipToText()
        if lineStart == line {
            // A tab after an indicator can't be the indentation of a collection.
            if bytes[start..<position].contains(.tab) { mayStart = false }
        }
        while true {
            if lineStart != line {
                guard try isInside(parent, hasAlignedList) else { return empty(at: emptyPlace, outer) }
                mayStart = !hasTabBefore
            } else if isAtEnd {
                return empty(at: emptyPlace, outer)
            }
            guard isAtProperties else { break }
            let propertiesLine = lineStart
            inner = try properties()
            emptyPlace = lastEnd
            skipToText()
            if lineStart == propertiesLine, position < end { break }
            // The properties read so far belong to the node on the following lines.
            outer = try joined(outer, inner)
            inner = YAMLProperties()
            if isAtEnd { return empty(at: emptyPlace, outer) }
            guard try isInside(parent, hasAlignedList) else { return empty(at: emptyPlace, outer) }
            mayStart = !hasTabBefore
            if !isAtProperties { break }
        }
        try blockContent(below: parent, outer, inner, mayStart: mayStart)
    }

    /// Whether the text on a new line belongs to a value in the collection whose column is `parent`.
    private mutating func isInside(_ parent: Int, _ hasAlignedList: Bool) throws(Stop) -> Bool {
        if isAtEnd { return false }
        if indentation > parent || hasAlignedList && column == parent && isIndicator(.minus) { return true }
        if hasTabBefore { throw tabIndentation() }
        return false
    }

    /// Reads a value at its first byte, after its properties.
    private mutating func blockContent(
        below parent: Int, _ outer: YAMLProperties, _ inner: YAMLProperties, mayStart: Bool
    ) throws(Stop) {
        let start = inner.range?.lowerBound ?? position
        if isIndicator(.minus) || isIndicator(UInt8(ascii: "?")) {
            guard mayStart, inner.isEmpty else {
                throw stop(
                    "a \(current == .minus ? "list" : "mapping") can't begin here",
                    hint: hasTabBefore ? "use spaces instead of tabs" : "begin it on a new line")
            }
            if current == .minus { return try blockSequence(outer) }
            return try blockMapping(at: column, from: start, outer, key: nil)
        }
        switch current {
        case .openBracket, .openBrace:
            let (first, line) = (position, lineStart)
            // Two anchors are a mistake, unless the second anchor belongs to a key.
            let areTwo = outer.anchor != nil && inner.anchor != nil || outer.tag != nil && inner.tag != nil
            try flowCollection(below: parent, areTwo ? inner : try joined(outer, inner))
            skipBlanks()
            if isIndicator(.colon), lineStart == line { throw collectionAsKey(first..<lastEnd) }
            if areTwo { _ = try joined(outer, inner) }
        case UInt8(ascii: "|"), UInt8(ascii: ">"):
            try add(blockScalar(below: parent), try joined(outer, inner))
        default:
            let line = lineStart
            let column = start - lineStart
            let node = try keyOrScalar(below: parent, inner)
            guard isAtColon(behind: node) else { return try add(node, try joined(outer, inner)) }
            guard mayStart else { throw misplacedKey() }
            try checkKey(node, line: line)
            try blockMapping(at: column, from: start, outer, key: (node, inner))
        }
    }

    /// Reads a scalar or an alias. If a `:` is next, the node is empty.
    private mutating func keyOrScalar(below parent: Int, _ properties: YAMLProperties) throws(Stop) -> YAMLNode {
        switch current {
        case .asterisk: try alias(properties)
        case .quote, .apostrophe: try quoted(below: parent)
        case .colon where isBlank(position + 1): YAMLNode(.empty, position..<position)
        default: try plain(below: parent, inFlow: false)
        }
    }

    /// Whether the `:` of a key follows on the line on which a scalar ended.
    private mutating func isAtColon(behind node: YAMLNode) -> Bool {
        if node.style == .empty { return true }
        if isFirstInLine { return false }
        skipBlanks()
        return isIndicator(.colon)
    }

    mutating func collectionAsKey(_ range: Range<Int>) -> Stop {
        stop(
            "a list or mapping can't be a key", range, hint: "in JSON, only a string can be a key",
            code: .yamlUnsupported)
    }

    /// Checks that a key is on one line and has at most 1,024 characters.
    mutating func checkKey(_ node: YAMLNode, line: Int) throws(Stop) {
        if lineStart != line {
            throw stop(
                "a key must be on one line", node.range,
                hint: "put the text in quotes if it isn't a key, or write \"?\" before the key")
        }
        guard node.range.count > 1024, bytes[node.range].count(where: { $0 & 0xC0 != 0x80 }) > 1024 else { return }
        throw stop(
            "a key has at most 1024 characters", node.range.lowerBound..<node.range.lowerBound + 1,
            hint: "write \"?\" before a longer key, and \":\" on the next line")
    }

    // MARK: Lists

    /// Reads a list, beginning at its first `-`.
    private mutating func blockSequence(_ properties: YAMLProperties) throws(Stop) {
        let column = column
        let node = try open(.array, at: position, properties)
        while true {
            position += 1
            lastEnd = position
            try blockNode(below: column, startsCollections: true)
            guard try isAtNextItem(of: column) else { break }
            guard isIndicator(.minus) else { break }
        }
        close(node)
    }

    /// Whether another item or key begins at the column. Text at an indentation between two columns is a mistake.
    private mutating func isAtNextItem(of column: Int) throws(Stop) -> Bool {
        skipToText()
        if isAtEnd { return false }
        guard isFirstInLine else { throw unexpectedText() }
        if hasTabBefore { throw tabIndentation() }
        if self.column > column { throw unexpectedText() }
        return self.column == column
    }

    // MARK: Mappings

    /// Reads a mapping. The first key was read already, or the reader is at the `?` before it.
    private mutating func blockMapping(
        at column: Int, from start: Int, _ properties: YAMLProperties, key: (YAMLNode, YAMLProperties)?
    ) throws(Stop) {
        let node = try open(.object, at: start, properties)
        var merging: YAMLMerging?
        var key = key
        repeat {
            if isIndicator(UInt8(ascii: "?")), key == nil {
                try explicitEntry(of: column, &merging)
                continue
            }
            let (name, properties): (YAMLNode, YAMLProperties)
            if let first = key {
                (name, properties) = first
            } else {
                (name, properties) = try implicitKey(below: column)
            }
            key = nil
            try add(key: name, properties, &merging)
            position += 1
            lastEnd = position
            try blockNode(below: column, startsCollections: false, hasAlignedList: true)
        } while try isAtNextItem(of: column)
        try merge(merging, of: node)
        close(node)
    }

    /// Reads a key at the start of a line, up to its `:`.
    private mutating func implicitKey(below column: Int) throws(Stop) -> (YAMLNode, YAMLProperties) {
        let line = lineStart
        let properties = isAtProperties ? try properties() : YAMLProperties()
        skipBlanks()
        if isIndicator(.minus) {
            throw stop("expected a key, found a list item", hint: "indent it further than the key above")
        }
        if current == .openBracket || current == .openBrace { throw collectionAsKey(character) }
        let node = try keyOrScalar(below: column, properties)
        guard isAtColon(behind: node) else {
            throw stop("a colon is missing after this key", node.range, hint: "write \":\" and a value after the key")
        }
        try checkKey(node, line: line)
        return (node, properties)
    }

    /// Reads `? key`, and `: value` if it follows.
    private mutating func explicitEntry(of column: Int, _ merging: inout YAMLMerging?) throws(Stop) {
        position += 1
        lastEnd = position
        let (name, properties) = try explicitKey(below: column)
        try add(key: name, properties, &merging)
        guard try isAtNextItem(of: column), isIndicator(.colon) else { return empty(at: lastEnd, YAMLProperties()) }
        position += 1
        lastEnd = position
        try blockNode(below: column, startsCollections: true, hasAlignedList: true)
    }

    private mutating func explicitKey(below column: Int) throws(Stop) -> (YAMLNode, YAMLProperties) {
        var all = YAMLProperties()
        var line = lineStart
        while true {
            skipToText()
            if isAtEnd { return (YAMLNode(.empty, lastEnd..<lastEnd), all) }
            if lineStart != line {
                guard try isInside(column, true) else { return (YAMLNode(.empty, lastEnd..<lastEnd), all) }
            }
            guard isAtProperties else { break }
            line = lineStart
            all = try joined(all, try properties())
        }
        switch current {
        case .openBracket, .openBrace: throw collectionAsKey(character)
        case .minus where isBlank(position + 1), UInt8(ascii: "?") where isBlank(position + 1):
            throw collectionAsKey(character)
        case UInt8(ascii: "|"), UInt8(ascii: ">"): return (try blockScalar(below: column), all)
        default: break
        }
        let node = try keyOrScalar(below: column, all)
        if isAtColon(behind: node) { throw collectionAsKey(node.range) }
        lastEnd = node.range.upperBound
        return (node, all)
    }
}
