import Definitions
import JSONPath
import SourceText

/// JSONPaths that stand in a user's file.
enum PathReading {
    /// The path; without one there is an error among the diagnostics, at its place inside the path.
    static func read(_ text: String, at place: Place) -> Listed<JSONPath?> {
        func diagnostic(_ problem: JSONPathProblem, _ severity: Diagnostic.Severity) -> Diagnostic {
            Diagnostic(
                severity, code: problem.code, problem.message, at: place.inside(problem.range), hint: problem.hint)
        }
        do throws(JSONPathError) {
            let path = try JSONPath(text)
            return Listed(path, path.warnings.map { diagnostic($0, .warning) })
        } catch {
            return Listed(nil, error.problems.map { diagnostic($0, .error) })
        }
    }
}

extension Place {
    /// The place of a part of a JSON string's text (in UTF-8 offsets), given the place of the string.
    func inside(_ range: Range<Int>) -> Place {
        // The string is read once more by itself: the reader knows about escapes.
        let piece = SourceFile(name: file.name, bytes: Array(file.bytes[self.range]))
        guard let root = JSONDocument.read(piece, syntax: .commented).root, root.kind == .string else { return self }
        let found = root.place(inString: range).range
        return Place(file, found.lowerBound + self.range.lowerBound..<found.upperBound + self.range.lowerBound)
    }
}
