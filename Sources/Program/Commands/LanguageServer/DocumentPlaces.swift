import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// Writes places of files as the protocol has them.
struct DocumentPlaces {
    let workspace: ServedWorkspace
    let client: ClientAbilities

    func uri(_ fileName: String) -> String {
        let path = FilePath.join(workspace.root, fileName)
        return workspace.uri(of: path) ?? FileURI.uri(of: path)
    }

    func range(_ place: Place) -> OrderedJSON {
        TextPositions(place.file.bytes, in: client.units).json(place.range)
    }

    func location(_ place: Place) -> OrderedJSON {
        .object(["uri": .string(uri(place.file.name)), "range": range(place)])
    }

    private static let start = OrderedJSON.object(["line": 0, "character": 0])

    /// A problem with the text, code and place that `validate` gives it.
    func json(_ problem: Diagnostic, in uri: String) -> OrderedJSON {
        let hint = problem.hint.map { "\n\($0)" } ?? ""
        return .object([
            "range": problem.place.map(range) ?? .object(["start": Self.start, "end": Self.start]),
            "severity": problem.severity == .error ? 1 : 2,
            "code": .string(problem.code.rawValue),
            "source": .string(Program.name),
            "message": .string(problem.message + hint),
            "tags": problem.code == .parameterUnused ? [1] : nil,
            "relatedInformation": problem.notes.isEmpty
                ? nil
                : .array(
                    problem.notes.map { .object(["location": location($0.place), "message": .string($0.message)]) }),
        ])
    }
}
