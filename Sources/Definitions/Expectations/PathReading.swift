package import JSONPath
package import SourceText
import Synchronization

/// JSONPaths that stand in a user's file.
package enum PathReading {
    /// The path; without one there is an error among the diagnostics, at its place inside the path.
    package static func read(_ text: String, at place: Place) -> Listed<JSONPath?> {
        do throws(JSONPathError) {
            return Listed(try parse(text))
        } catch {
            return Listed(
                nil,
                error.problems.map {
                    Diagnostic(code: $0.code, $0.message, at: place.inside($0.range), hint: $0.hint)
                })
        }
    }

    /// The path that a text is, parsed once however often it stands in the files.
    private static func parse(_ text: String) throws(JSONPathError) -> JSONPath {
        // Byte by byte: to a dictionary an é in one scalar and one in two are the same key, to a path they are not.
        if let known = known.withLock({ $0[text] }), known.text.utf8.elementsEqual(text.utf8) { return known }
        let path = try JSONPath(text)
        remember(path)
        return path
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
