extension JSONValue {
    /// Changes this value so that it equals another value. Members that are equal keep their bytes and their place.
    package func edits(to value: OrderedJSON, style: JSONStyle) -> [TextEdit] {
        guard kind == .object, case .object(let wanted) = value else {
            return OrderedJSON(self) == value ? [] : [replaced(by: value, style: style)]
        }
        let values = Dictionary(wanted.map { (MemberName($0.name), $0.value) }, uniquingKeysWith: { _, last in last })
        var known: Set<MemberName> = []
        var edits: [TextEdit] = []
        for member in members {
            let name = MemberName(member.name)
            known.insert(name)
            if let value = values[name] { edits += member.value.edits(to: value, style: style) }
        }
        edits += changing(
            removing: { values[MemberName($0.name)] == nil },
            adding: wanted.filter { !known.contains(MemberName($0.name)) }, style: style)
        return edits.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }
}
