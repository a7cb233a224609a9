import ReqcliBasics

extension YAMLReader {
    /// Reads a list or mapping in brackets. It must be a value, not a key.
    mutating func flowCollection(below parent: Int, _ properties: YAMLProperties) throws(Stop) {
        let start = position
        let isObject = current == .openBrace
        let closing: UInt8 = isObject ? .closeBrace : .closeBracket
        let container = try open(isObject ? .object : .array, at: start, properties)
        position += 1
        var merging: YAMLMerging?
        while true {
            try skipInFlow(below: parent, start)
            if current == closing { break }
            if isObject { try flowEntry(below: parent, start, &merging) } else { try flowItem(below: parent, start) }
            try skipInFlow(below: parent, start)
            if current == .comma {
                position += 1
            } else if current != closing {
                let found = shown(character)
                throw stop(
                    "expected \",\" or \"\(isObject ? "}" : "]")\", found \"\(found)\"",
                    related: ("this bracket is still open", start..<start + 1))
            }
        }
        position += 1
        lastEnd = position
        try merge(merging, of: container)
        close(container)
    }

    /// Skips whitespace, line breaks and comments up to the next text. The end of the document is a mistake here.
    private mutating func skipInFlow(below parent: Int, _ start: Int) throws(Stop) {
        skipToText()
        if isAtEnd {
            throw stop(
                "this \"\(shown(start..<start + 1))\" is never closed", start..<start + 1,
                hint: "add the closing bracket")
        }
        if isFirstInLine, indentation <= parent {
            // A closing bracket may be in the column of the key, because most authors write it there.
            if current == .closeBracket || current == .closeBrace, column >= parent, !hasTabBefore { return }
            if hasTabBefore { throw tabIndentation() }
            throw stop(
                "this line isn't indented enough", hint: "indent the lines inside brackets",
                related: ("the bracket is opened here", start..<start + 1))
        }
    }

    /// Whether the current `:` ends a key. After quotes and brackets, the `:` needs no space after it.
    private func isAtFlowColon(isJSON: Bool = false) -> Bool {
        current == .colon && (isJSON || isBlank(position + 1) || Self.isFlowIndicator(byte(position + 1)))
    }

    private var isAtFlowQuestion: Bool {
        current == UInt8(ascii: "?") && (isBlank(position + 1) || Self.isFlowIndicator(byte(position + 1)))
    }

    private var isAtEndOfItem: Bool {
        current == .comma || current == .closeBracket || current == .closeBrace
    }

    // MARK: Items of lists

    private mutating func flowItem(below parent: Int, _ start: Int) throws(Stop) {
        let first = position
        if isAtFlowQuestion {
            let pair = try open(.object, at: first, YAMLProperties())
            var merging: YAMLMerging?
            try flowEntry(below: parent, start, &merging)
            try merge(merging, of: pair)
            return close(pair)
        }
        if isAtEndOfItem { throw stop("expected a value, found \"\(shown(character))\"", hint: "remove it") }
        let line = lineStart
        let properties = try flowProperties(below: parent, start)
        if current == .openBracket || current == .openBrace {
            try flowCollection(below: parent, properties)
            skipBlanks()
            if isAtFlowColon(isJSON: true), lineStart == line { throw collectionAsKey(first..<lastEnd) }
            return
        }
        let node = try flowScalar(below: parent, properties)
        skipBlanks()
        guard isAtFlowColon(isJSON: node.style == .quoted), node.style == .empty || !isFirstInLine else {
            return try add(node, properties)
        }
        try checkKey(node, line: line)
        // Opens the mapping of a single pair.
        let pair = try open(.object, at: first, YAMLProperties())
        var merging: YAMLMerging?
        try add(key: node, properties, &merging)
        try flowValue(below: parent, start)
        try merge(merging, of: pair)
        close(pair)
    }

    // MARK: Members of mappings

    private mutating func flowEntry(
        below parent: Int, _ start: Int, _ merging: inout YAMLMerging?
    ) throws(Stop) {
        let isExplicit = isAtFlowQuestion
        if isExplicit {
            position += 1
            lastEnd = position
            try skipInFlow(below: parent, start)
        } else if isAtEndOfItem {
            throw stop("expected a key, found \"\(shown(character))\"", hint: "remove it")
        }
        let properties = try flowProperties(below: parent, start)
        if current == .openBracket || current == .openBrace { throw collectionAsKey(character) }
        let node = try flowScalar(below: parent, properties)
        try add(key: node, properties, &merging)
        lastEnd = node.range.upperBound
        try skipInFlow(below: parent, start)
        guard isAtFlowColon(isJSON: node.style == .quoted) else { return empty(at: lastEnd, YAMLProperties()) }
        try flowValue(below: parent, start)
    }

    /// Reads the value after a `:`.
    private mutating func flowValue(below parent: Int, _ start: Int) throws(Stop) {
        position += 1
        lastEnd = position
        try skipInFlow(below: parent, start)
        let properties = try flowProperties(below: parent, start)
        if current == .openBracket || current == .openBrace { return try flowCollection(below: parent, properties) }
        try add(flowScalar(below: parent, properties), properties)
    }

    private mutating func flowProperties(below parent: Int, _ start: Int) throws(Stop) -> YAMLProperties {
        var all = YAMLProperties()
        while isAtProperties {
            all = try joined(all, try properties(inFlow: true))
            try skipInFlow(below: parent, start)
        }
        return all
    }

    /// Reads a scalar or an alias. If a `:`, a `,` or a bracket is next, the node is empty.
    private mutating func flowScalar(below parent: Int, _ properties: YAMLProperties) throws(Stop) -> YAMLNode {
        if isAtFlowColon(), !isBlank(position + 1) {
            // In YAML, there is no key before this colon. Other readers treat the colon as text.
            throw stop("a key is missing before this colon", hint: "put the colon in quotes if it is text")
        }
        if isAtFlowColon() || isAtEndOfItem {
            return YAMLNode(.empty, lastEnd..<lastEnd)
        }
        switch current {
        case .asterisk: return try alias(properties)
        case .quote, .apostrophe: return try quoted(below: parent)
        default: return try plain(below: parent, inFlow: true)
        }
    }
}
