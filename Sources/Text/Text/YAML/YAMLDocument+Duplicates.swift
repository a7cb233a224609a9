extension YAMLDocument {
    /// The most warnings about one document: as many as the problems that it may have.
    private static let mostWarnings = 20

    /// Warnings about keys that an object has twice: the last value counts. YAML forbids such keys, but most readers accept them.
    package static func duplicateKeys(in document: JSONDocument) -> [Diagnostic] {
        var warnings: [Diagnostic] = []
        var seenObjects: Set<Int> = []
        for object in document.root.map({ Array($0.descendants.filter { $0.kind == .object && $0.count > 1 }) }) ?? [] {
            // An object with an alias to it is visited several times.
            guard object.repeatedKey != nil, seenObjects.insert(object.range.lowerBound).inserted else { continue }
            var places: [MemberName: Place] = [:]
            for key in object.members.map(\.key) {
                let name = MemberName(key.string ?? "")
                guard let first = places.updateValue(key.place, forKey: name) else { continue }
                warnings.append(
                    Diagnostic(
                        .warning, code: .yamlDuplicate,
                        "the key \"\(name.text.prefix(40))\" is there twice; the last one counts",
                        at: key.place, hint: "remove one", notes: [Diagnostic.Note("the one before", at: first)]))
                if warnings.count == mostWarnings { return warnings }
            }
        }
        return warnings
    }
}
