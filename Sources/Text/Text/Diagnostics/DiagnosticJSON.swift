extension OrderedJSON {
    /// One diagnostic as JSON for editors and CI jobs. Lines and columns count from 1, and the end is exclusive.
    package init(_ diagnostic: Diagnostic) {
        self = .object([
            "severity": .string(diagnostic.severity.rawValue),
            "code": .string(diagnostic.code.rawValue),
            "message": .string(diagnostic.message),
            "file": diagnostic.fileName.map { .string($0) },
            "range": diagnostic.place.map { OrderedJSON($0) },
            "hint": diagnostic.hint.map { .string($0) },
            "notes": diagnostic.notes.isEmpty
                ? nil
                : .array(
                    diagnostic.notes.map { note in
                        .object([
                            "message": .string(note.message), "file": .string(note.place.file.name),
                            "range": OrderedJSON(note.place),
                        ])
                    }),
        ])
    }

    package init(_ place: Place) {
        self = .object(["start": OrderedJSON(place.start), "end": OrderedJSON(place.end)])
    }

    private init(_ position: Position) {
        self = .object(["line": .int(position.line), "column": .int(position.column)])
    }
}
