extension YAMLDocument {
    /// The maximum number of warnings about one document. It equals the maximum number of problems.
    private static let mostWarnings = 20

    /// Warnings about keys that occur twice in an object. YAML forbids such keys, but most readers accept them and use the last
    /// value.
    package static func duplicateKeys(in document: JSONDocument) -> [Diagnostic] {
        var warnings: [Diagnostic] = []
        var seenObjects: Set<Int> = []
        for object in document.root.map({ Array($0.descendants.filter { $0.kind == .object && $0.count > 1 }) }) ?? [] {
            // Visits each object once, although an object that aliases refer to occurs several times among the descendants.
            guard object.repeatedKey != nil, seenObjects.insert(object.range.lowerBound).inserted else { continue }
            var places: [MemberName: Place] = [:]
            for key in object.members.map(\.key) {
                let name = MemberName(key.string ?? "")
                guard let first = places.updateValue(key.place, forKey: name) else { continue }
                warnings.append(
                    Diagnostic(
                        .warning, code: .yamlDuplicate,
                        "the key \"\(name.text.prefix(40))\" occurs twice; the last one counts",
                        at: key.place, hint: "remove one", notes: [Diagnostic.Note("the earlier key", at: first)]))
                if warnings.count == mostWarnings { return warnings }
            }
        }
        return warnings
    }
}
