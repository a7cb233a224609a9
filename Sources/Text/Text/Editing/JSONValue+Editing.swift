import ReqcliBasics

/// Changes to an object of a document without errors. Only the new members are written; all other bytes are unchanged.
extension JSONValue {
    /// Adds a member at the end of this object, laid out like its neighbours.
    ///
    /// A comment after the last member stays with that member. If there is a trailing comma, the new member gets one, too.
    ///
    /// - Parameter levels: The number of levels of objects in the new value that get one line per member, however
    ///   short.
    package func adding(
        _ name: String, _ value: OrderedJSON, style: JSONStyle, spreading levels: Int = 0
    ) -> [TextEdit] {
        precondition(kind == .object, "only an object has members")
        return adding([NewItem(name: name, value: value, levels: levels, style: style)])
    }

    /// Adds members at the end of this object, laid out like its neighbours.
    package func adding(_ members: [OrderedJSON.Member], style: JSONStyle, spreading levels: Int = 0) -> [TextEdit] {
        precondition(kind == .object, "only an object has members")
        return adding(members.map { NewItem(name: $0.name, value: $0.value, levels: levels, style: style) })
    }

    /// Adds elements at the end of this list, laid out like its neighbours.
    package func adding(_ elements: [OrderedJSON], style: JSONStyle) -> [TextEdit] {
        precondition(kind == .array, "only a list has elements")
        return adding(elements.map { NewItem(name: nil, value: $0, levels: 0, style: style) })
    }

    func adding(_ items: [NewItem]) -> [TextEdit] {
        guard let first = items.first else { return [] }
        let last = kind == .object ? lastMember.map { ($0.key, $0.value) } : elements.reduce(nil) { ($1, $1) }
        guard let last else { return [filling(with: items, like: first)] }
        return adding(items, like: first, after: last)
    }

    /// Replaces this value.
    package func replaced(by value: OrderedJSON, style: JSONStyle) -> TextEdit {
        // A value that begins far to the right is written on one line, without a search for the start of its line.
        let line = document.file.bytes[..<range.lowerBound].suffix(Self.longestLine)
        guard style.lineBreak != nil, let lineBreak = line.lastIndex(of: .lineFeed) else {
            return TextEdit(range, style.line(value))
        }
        let outer = document.file.bytes.indentation(ofLineAt: range.lowerBound)
        return TextEdit(range, style.text(of: value, outer: outer, column: range.lowerBound - lineBreak - 1))
    }

    private static let longestLine = 1024

    /// Replaces the value of a member of this object. If the key occurs twice, the last value is replaced.
    package func replacing(
        _ name: String, by value: OrderedJSON, style: JSONStyle, spreading levels: Int = 0
    ) -> [TextEdit] {
        guard let member = members.reversed().first(where: { $0.key.equals(name) }) else {
            preconditionFailure("only a member can be replaced")
        }
        let bytes = document.file.bytes
        let indentation = bytes.indentation(ofTokenAt: member.key.range.lowerBound)
        let new = NewItem(name: name, value: value, levels: levels, style: style)
        return [TextEdit(member.value.range, new.valueText(indentedBy: indentation))]
    }

    private var lastMember: Member? { members.reduce(nil) { $1 } }

    // MARK: After other members

    private func adding(
        _ items: [NewItem], like first: NewItem, after last: (start: JSONValue, end: JSONValue)
    ) -> [TextEdit] {
        let bytes = document.file.bytes
        let end = last.end.range.upperBound
        let gap = Gap(end..<range.upperBound - 1, in: bytes)
        let indentation = bytes.indentation(ofTokenAt: last.start.range.lowerBound)
        let anchor = gap.endOfComments(
            from: gap.comma?.upperBound ?? end, takingLineComments: indentation != nil)
        var edits: [TextEdit] = []
        if gap.comma == nil { edits.append(TextEdit(insertingAt: end, ",")) }
        edits.append(
            TextEdit(
                insertingAt: anchor,
                first.lead(indentedBy: indentation) + items.text(indentedBy: indentation)
                    + (gap.comma == nil ? "" : ",")))
        return edits
    }

    // MARK: Into an empty object

    private func filling(with items: [NewItem], like first: NewItem) -> TextEdit {
        let bytes = document.file.bytes
        let style = first.style
        let opening = range.lowerBound + 1
        let gap = Gap(opening..<range.upperBound - 1, in: bytes)
        if let lineBreak = gap.pieces.first(where: { $0.kind == .lineBreak }) {
            let anchor = gap.lastComment?.upperBound ?? lineBreak.range.lowerBound
            let indentation =
                gap.lastComment.flatMap { bytes.indentation(ofTokenAt: $0.lowerBound) }
                ?? bytes.indentation(ofLineAt: range.lowerBound) + style.indent
            return TextEdit(
                insertingAt: anchor,
                first.lead(indentedBy: indentation) + items.text(indentedBy: indentation))
        }
        if gap.pieces.isEmpty, let lineBreak = style.lineBreak {
            let outer = bytes.indentation(ofLineAt: range.lowerBound)
            let indentation = outer + style.indent
            return TextEdit(
                insertingAt: opening, lineBreak + indentation + items.text(indentedBy: indentation) + lineBreak + outer
            )
        }
        // The member is written on the object's own line. Existing whitespace serves as the padding after the member.
        let padding = gap.pieces.isEmpty ? kind == .object ? style.bracePadding : style.bracketPadding : " "
        let anchor = gap.lastComment?.upperBound ?? opening
        let hasPadding = gap.pieces.last?.kind == .blanks
        return TextEdit(
            insertingAt: anchor, padding + items.text(indentedBy: nil) + (hasPadding ? "" : padding))
    }
}

/// A member that is about to be added to an object, or an element that is about to be added to a list.
struct NewItem {
    let name: String?
    let value: OrderedJSON
    let levels: Int
    let style: JSONStyle

    private var key: String { name.map { JSONStringText.quoted($0) + style.colon } ?? "" }

    /// The separator before the member: a new line, or the same whitespace as after other commas.
    func lead(indentedBy indentation: String?) -> String {
        if let indentation { return (style.lineBreak ?? "\n") + indentation }
        return style.comma.hasPrefix(",") ? String(style.comma.dropFirst()) : " "
    }

    func text(indentedBy indentation: String?) -> String {
        key + valueText(indentedBy: indentation)
    }

    /// The value as text, on one line unless the item has its own line.
    func valueText(indentedBy indentation: String?) -> String {
        guard let indentation else { return style.line(value) }
        return style.text(
            of: value, outer: indentation, column: indentation.count + key.count, spreading: levels)
    }
}

extension [NewItem] {
    func text(indentedBy indentation: String?) -> String {
        var text = ""
        for item in self {
            if !text.isEmpty { text += "," + item.lead(indentedBy: indentation) }
            text += item.text(indentedBy: indentation)
        }
        return text
    }
}
