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
