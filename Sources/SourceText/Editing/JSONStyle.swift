import ASCII

/// How somebody, or their editor, lays JSON out: read off a document, so that what is added to it looks like the rest.
package struct JSONStyle: Sendable, Equatable {
    /// Nil where all of the document is on one line.
    package var lineBreak: String?
    /// One level of indentation.
    package var indent = "  "
    /// Between a key and its value.
    package var colon = ": "
    /// Between members or elements on one line.
    package var comma = ", "
    /// Inside the braces of an object on one line.
    package var bracePadding = " "
    package var bracketPadding = ""
    /// Whether an object that fits into a line gets no more than that.
    package var keepsObjectsShort = false
    package var keepsListsShort = true

    /// As wide as the lines of a short object or list may become.
    static let lineWidth = 100

    package init(lineBreak: String? = "\n") {
        self.lineBreak = lineBreak
    }
}

// MARK: - Reading it off a document

extension JSONStyle {
    package init(of document: JSONDocument) {
        self.init(lineBreak: nil)
        guard let root = document.root else { return }
        let bytes = document.file.bytes
        if let feed = bytes[root.range].firstIndex(of: .lineFeed) {
            lineBreak = feed > 0 && bytes[feed - 1] == .carriageReturn ? "\r\n" : "\n"
        }
        var reading = StyleReading(bytes)
        for value in root.descendants where value.count > 0 { reading.take(value) }
        indent = reading.indent ?? indent
        colon = reading.colon ?? colon
        // Who leaves no blank behind a colon leaves none behind a comma.
        comma = reading.comma ?? (colon.hasSuffix(":") ? "," : comma)
        bracePadding = reading.bracePadding ?? bracePadding
        bracketPadding = reading.bracketPadding ?? bracketPadding
        keepsObjectsShort = reading.bracePadding != nil
        keepsListsShort = reading.bracketPadding != nil || !reading.hasSpreadLists
    }
}

/// Gathers what the containers of a document show; the first one to show something counts.
private struct StyleReading {
    private let bytes: [UInt8]
    private(set) var indent: String?
    private(set) var colon: String?
    private(set) var comma: String?
    private(set) var bracePadding: String?
    private(set) var bracketPadding: String?
    private(set) var hasSpreadLists = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func take(_ container: JSONValue) {
        let isObject = container.kind == .object
        let items = Array(container.children.prefix(2))
        guard let first = items.first else { return }
        let start = isObject ? container.firstKey?.range.lowerBound ?? first.range.lowerBound : first.range.lowerBound
        if isObject, colon == nil, let key = container.firstKey {
            colon = plain(key.range.upperBound..<first.range.lowerBound, around: .colon)
        }
        guard !bytes[container.range].contains(.lineFeed) else {
            hasSpreadLists = hasSpreadLists || !isObject
            if indent == nil { indent = step(from: container.range.lowerBound, to: start) }
            return
        }
        let padding = plain(container.range.lowerBound + 1..<start, around: nil)
        if isObject { bracePadding = bracePadding ?? padding } else { bracketPadding = bracketPadding ?? padding }
        guard comma == nil, items.count == 2 else { return }
        let nextKey = isObject ? container.members.dropFirst().first { _ in true }?.key : items[1]
        comma = nextKey.flatMap { plain(first.range.upperBound..<$0.range.lowerBound, around: .comma) }
    }

    /// What an item on a line of its own is indented by, more than the line that opens its container.
    private func step(from opening: Int, to item: Int) -> String? {
        guard let inner = bytes.indentation(ofTokenAt: item) else { return nil }
        let outer = bytes.indentation(ofLineAt: opening)
        return inner.hasPrefix(outer) && inner != outer ? String(inner.dropFirst(outer.count)) : nil
    }

    /// A stretch of spaces and tabs, with one other byte if asked for, and no comments.
    private func plain(_ range: Range<Int>, around byte: UInt8?) -> String? {
        let isPlain = bytes[range].allSatisfy { $0 == .space || $0 == .tab || $0 == byte }
        return isPlain ? String(decoding: bytes[range], as: UTF8.self) : nil
    }
}

extension JSONValue {
    fileprivate var firstKey: JSONValue? { members.first { _ in true }?.key }
}

extension [UInt8] {
    /// The spaces and tabs that the line of an offset begins with.
    func indentation(ofLineAt offset: Int) -> String {
        let start = self[..<offset].lastIndex(of: .lineFeed).map { $0 + 1 } ?? 0
        return String(decoding: self[start...].prefix { $0 == .space || $0 == .tab }, as: UTF8.self)
    }

    /// The same for a token that is the first of its line; nil for any other.
    func indentation(ofTokenAt offset: Int) -> String? {
        let text = indentation(ofLineAt: offset)
        let start = offset - text.utf8.count
        return start > 0 && self[start - 1] == .lineFeed ? text : nil
    }
}

// MARK: - Writing in it

extension JSONStyle {
    /// A value as it stands behind a key or alone, its further lines indented more than `outer`.
    ///
    /// - Parameters:
    ///   - column: How much of its first line is taken already.
    ///   - levels: How many levels of objects get a line for each member, however short they are.
    func text(of value: OrderedJSON, outer: String, column: Int, spreading levels: Int = 0) -> String {
        guard let lineBreak, let items = parts(of: value), !items.isEmpty else { return line(value) }
        let isObject = if case .object = value { true } else { false }
        if levels == 0, isObject ? keepsObjectsShort : keepsListsShort {
            let short = line(value)
            if column + short.count < Self.lineWidth { return short }
        }
        let inner = outer + indent
        let lines = items.map { item in
            let key = item.name.map { JSONStringText.quoted($0) + colon } ?? ""
            let rest = text(
                of: item.value, outer: inner, column: inner.count + key.count, spreading: max(0, levels - 1))
            return lineBreak + inner + key + rest
        }
        return (isObject ? "{" : "[") + lines.joined(separator: ",") + lineBreak + outer + (isObject ? "}" : "]")
    }

    /// A value on one line.
    func line(_ value: OrderedJSON) -> String {
        guard let items = parts(of: value) else { return value.compact }
        let isObject = if case .object = value { true } else { false }
        guard !items.isEmpty else { return isObject ? "{}" : "[]" }
        let padding = isObject ? bracePadding : bracketPadding
        let texts = items.map { item in
            (item.name.map { JSONStringText.quoted($0) + colon } ?? "") + line(item.value)
        }
        return (isObject ? "{" : "[") + padding + texts.joined(separator: comma) + padding + (isObject ? "}" : "]")
    }

    private func parts(of value: OrderedJSON) -> [(name: String?, value: OrderedJSON)]? {
        switch value {
        case .object(let members): members.map { ($0.name, $0.value) }
        case .array(let elements): elements.map { (nil, $0) }
        default: nil
        }
    }
}
