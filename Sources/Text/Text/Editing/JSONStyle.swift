import ReqcliBasics

/// The layout of a JSON document, read from the document so that text added to it looks like the rest.
package struct JSONStyle: Sendable, Equatable {
    /// The line break; nil if the whole document is on one line.
    package var lineBreak: String?
    /// One level of indentation.
    package var indent = "  "
    /// The text between a key and its value.
    package var colon = ": "
    /// The text between two members or elements on one line.
    package var comma = ", "
    /// The padding inside the braces of an object on one line.
    package var bracePadding = " "
    package var bracketPadding = ""
    /// Whether an object that fits on one line is written on one line.
    package var keepsObjectsShort = false
    package var keepsListsShort = true

    /// The maximum width of a line that contains a short object or list.
    static let lineWidth = 100

    package init(lineBreak: String? = "\n") {
        self.lineBreak = lineBreak
    }
}

// MARK: - Reading the layout from a document

extension JSONStyle {
    package init(of document: JSONDocument) {
        self.init(lineBreak: nil)
        if let root = document.root { self.init(of: root) }
    }

    package init(of root: JSONValue) {
        self.init(lineBreak: nil)
        let bytes = root.place.file.bytes
        if let feed = bytes[root.range].firstIndex(of: .lineFeed) {
            lineBreak = feed > 0 && bytes[feed - 1] == .carriageReturn ? "\r\n" : "\n"
        }
        var reading = StyleReading(bytes)
        for value in root.descendants where value.count > 0 { reading.take(value) }
        indent = reading.indent ?? indent
        colon = reading.colon ?? colon
        // A document without whitespace after colons has no whitespace after commas, either.
        comma = reading.comma ?? (colon.hasSuffix(":") ? "," : comma)
        bracePadding = reading.bracePadding ?? bracePadding
        bracketPadding = reading.bracketPadding ?? bracketPadding
        keepsObjectsShort = reading.bracePadding != nil
        keepsListsShort = reading.bracketPadding != nil || !reading.hasSpreadLists
    }
}

/// Collects the layout of the containers of a document. The first container that shows a property decides this property.
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

    /// The indentation of an item on its own line, relative to the line that opens its container.
    private func step(from opening: Int, to item: Int) -> String? {
        guard let inner = bytes.indentation(ofTokenAt: item) else { return nil }
        let outer = bytes.indentation(ofLineAt: opening)
        return inner.hasPrefix(outer) && inner != outer ? String(inner.dropFirst(outer.count)) : nil
    }

    /// The text of a range that contains only spaces, tabs and the given byte; nil if the range contains any other byte.
    private func plain(_ range: Range<Int>, around byte: UInt8?) -> String? {
        let isPlain = bytes[range].allSatisfy { $0 == .space || $0 == .tab || $0 == byte }
        return isPlain ? String(decoding: bytes[range], as: UTF8.self) : nil
    }
}

extension JSONValue {
    fileprivate var firstKey: JSONValue? { members.first { _ in true }?.key }
}

extension [UInt8] {
    /// The spaces and tabs at the start of the line that contains an offset.
    func indentation(ofLineAt offset: Int) -> String {
        let start = self[..<offset].lastIndex(of: .lineFeed).map { $0 + 1 } ?? 0
        return String(decoding: self[start...].prefix { $0 == .space || $0 == .tab }, as: UTF8.self)
    }

    /// The indentation of a token that is the first on its line; nil if the token is not the first.
    func indentation(ofTokenAt offset: Int) -> String? {
        let blanks = self[..<offset].reversed().prefix { $0.isSpaceOrTab }.count
        let start = offset - blanks
        return start > 0 && self[start - 1] == .lineFeed ? String(decoding: self[start..<offset], as: UTF8.self) : nil
    }
}

// MARK: - Writing with the layout

extension JSONStyle {
    /// The text of a value, as written after a key or alone. Its second line and all further lines are indented by more than
    /// `outer`.
    ///
    /// - Parameters:
    ///   - column: The number of columns that are already used on the value's first line.
    ///   - levels: The number of levels of objects that get one line per member, however short they are.
    package func text(of value: OrderedJSON, outer: String, column: Int, spreading levels: Int = 0) -> String {
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

    /// A value with a line for each member and each element, like ``OrderedJSON/pretty``.
    package func spread(_ value: OrderedJSON, indent outer: String) -> String {
        guard let lineBreak, let items = parts(of: value), !items.isEmpty else { return line(value) }
        let isObject = if case .object = value { true } else { false }
        let inner = lineBreak + outer + indent
        let lines = items.map { item in
            inner + (item.name.map { JSONStringText.quoted($0) + colon } ?? "")
                + spread(item.value, indent: outer + indent)
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
