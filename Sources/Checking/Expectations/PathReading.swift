import Definitions
import JSONPath
import SourceText
import Synchronization

/// JSONPaths that stand in a user's file.
enum PathReading {
    /// The path; without one there is an error among the diagnostics, at its place inside the path.
    static func read(_ text: String, at place: Place) -> Listed<JSONPath?> {
        func diagnostic(_ problem: JSONPathProblem, _ severity: Diagnostic.Severity) -> Diagnostic {
            Diagnostic(
                severity, code: problem.code, problem.message, at: place.inside(problem.range), hint: problem.hint)
        }
        // Byte by byte: to a dictionary an é in one scalar and one in two are the same key, to a path they are not.
        if let known = known.withLock({ $0[text] }), known.text.utf8.elementsEqual(text.utf8) { return Listed(known) }
        do throws(JSONPathError) {
            let path = try JSONPath(text)
            if path.warnings.isEmpty { remember(path) }
            return Listed(path, path.warnings.map { diagnostic($0, .warning) })
        } catch {
            return Listed(nil, error.problems.map { diagnostic($0, .error) })
        }
    }

    /// Those with which nothing is wrong: the endpoints of an API have the same `$.id` and `$.items[*].name` over and over.
    private static let known = Mutex<[String: JSONPath]>([:])

    private static func remember(_ path: JSONPath) {
        known.withLock { known in
            if known.count == 1000 { known.removeAll() }
            known[path.text] = path
        }
    }
}
