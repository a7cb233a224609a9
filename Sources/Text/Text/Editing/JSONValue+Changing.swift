import ReqcliBasics

extension JSONValue {
    /// Removes members of this object and adds others. The first new members are written in the places of the removed members.
    package func changing(
        removing isRemoved: (Member) -> Bool, adding new: [OrderedJSON.Member], style: JSONStyle
    ) -> [TextEdit] {
        let bytes = document.file.bytes
        let all = Array(members)
        let removed = all.indices.filter { isRemoved(all[$0]) }
        let added = new.map { NewItem(name: $0.name, value: $0.value, levels: 0, style: style) }
        var edits = zip(removed, added).map { index, item in
            let key = all[index].key.range.lowerBound
            let text = item.text(indentedBy: bytes.indentation(ofTokenAt: key))
            return TextEdit(key..<all[index].value.range.upperBound, text)
        }
        if added.count >= removed.count { return edits + adding(Array(added[removed.count...])) }
        let without = Set(removed[added.count...])
        let inner = range.lowerBound + 1..<range.upperBound - 1
        if without.count == all.count, document.syntax == .strict { return [TextEdit(inner, "")] }
        for index in without.sorted() { edits.append(TextEdit(stretch(of: index, in: all, removing: without), "")) }
        // Removes the comma after the member that is now the last one.
        if let last = all.indices.last(where: { !without.contains($0) }), last + 1 < all.count {
            let end = all[last].value.range.upperBound
            let comma = Gap(end..<all[last + 1].key.range.lowerBound, in: bytes).comma
            if let comma, !hasTrailingComma(all) { edits.append(TextEdit(comma, "")) }
        }
        return edits.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    private func hasTrailingComma(_ all: [Member]) -> Bool {
        guard let end = all.last?.value.range.upperBound else { return false }
        return Gap(end..<range.upperBound - 1, in: document.file.bytes).comma != nil
    }

    /// The bytes of a member with its comma. If the member is alone on its lines, the bytes are whole lines.
    private func stretch(of index: Int, in all: [Member], removing without: Set<Int>) -> Range<Int> {
        let bytes = document.file.bytes
        let key = all[index].key.range.lowerBound
        let isLast = index + 1 == all.count
        let next = isLast ? range.upperBound - 1 : all[index + 1].key.range.lowerBound
        let end = all[index].value.range.upperBound
        let gap = Gap(end..<next, in: bytes)
        let comma = gap.comma?.upperBound ?? end
        let blanks = comma + bytes[comma..<next].prefix { $0.isSpaceOrTab }.count
        let indentation = bytes.indentation(ofTokenAt: key)
        if let lineBreak = gap.pieces.first(where: { $0.range.lowerBound == blanks && $0.kind == .lineBreak }) {
            if let indentation { return key - indentation.utf8.count..<lineBreak.range.upperBound }
            return key..<comma
        }
        // If the members are on one line, the whitespace after the comma is removed, too. If the last members of the object are
        // removed, the whitespace before them is removed instead.
        if indentation == nil, !all.indices[index...].contains(where: { !without.contains($0) }), index > 0 {
            let before = all[index - 1].value.range.upperBound
            let blanks = bytes[before..<key].reversed().prefix { $0.isSpaceOrTab }.count
            return key - blanks..<comma
        }
        return key..<(isLast ? comma : blanks)
    }
}
