import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

/// A workspace with something wrong in it, and what `validate` has to say about that.
///
/// What is expected stands in the order in which it is reported. The markers in the texts of the files, counted through
/// all of them, are the places of the expected diagnostics, in that same order.
struct Mistake: Sendable, CustomTestStringConvertible {
    let name: String
    let files: [(path: String, text: MarkedText)]
    let told: [Told]

    var testDescription: String { name }

    init(_ name: String, _ files: KeyValuePairs<String, MarkedText>, _ told: Told...) {
        self.name = name
        self.files = files.map { ($0.key, $0.value) }
        self.told = told
    }

    /// A mistake in a file of one endpoint, in a workspace with an empty environment.
    static func endpoint(_ name: String, _ text: MarkedText, _ told: Told...) -> Mistake {
        Mistake(name, files: [("endpoints/a.json", text), ("environments/development.json", "{}")], told: told)
    }

    static func environment(_ name: String, _ text: MarkedText, _ told: Told...) -> Mistake {
        Mistake(name, files: [("endpoints/a.json", "{}"), ("environments/development.json", text)], told: told)
    }

    init(_ name: String, files: [(String, MarkedText)], told: [Told]) {
        self.name = name
        self.files = files
        self.told = told
    }

    var workspace: Workspace { .inMemory(files.map { ($0.path, $0.text.text) }) }

    /// Expected lines, to be compared with `lines(_:)` of what was reported.
    var expectedLines: [String] {
        let markers = files.flatMap { file in file.text.ranges.map { (file.path, $0) } }
        var next = 0
        return told.map { told in
            if let path = told.path { return told.line(path, nil) }
            let index = told.marker ?? next
            if told.marker == nil { next += 1 }
            return told.line(markers[index].0, markers[index].1)
        }
    }
}

/// One line of what is reported: a diagnostic, or a note below one.
struct Told: Sendable {
    fileprivate let word: String
    fileprivate let code: String
    fileprivate let message: String
    fileprivate let hint: String?
    /// The number of the marker it points at, where that isn't simply the next one.
    fileprivate let marker: Int?
    /// For a problem of a whole file.
    fileprivate let path: String?

    static func error(
        _ code: Diagnostic.Code, _ message: String, hint: String? = nil, marker: Int? = nil, file path: String? = nil
    ) -> Told {
        Told(word: "error", code: code.rawValue, message: message, hint: hint, marker: marker, path: path)
    }

    static func warning(_ code: Diagnostic.Code, _ message: String, hint: String? = nil) -> Told {
        Told(word: "warning", code: code.rawValue, message: message, hint: hint, marker: nil, path: nil)
    }

    static func note(_ message: String, marker: Int) -> Told {
        Told(word: "note", code: "", message: message, hint: nil, marker: marker, path: nil)
    }

    fileprivate func line(_ path: String, _ range: Range<Int>?) -> String {
        reportLine(word: word, code: code, message: message, hint: hint, file: path, range: range)
    }
}

/// Diagnostics as lines that a failed comparison shows legibly.
func lines(_ diagnostics: [Diagnostic]) -> [String] {
    diagnostics.flatMap { diagnostic in
        [
            reportLine(
                word: diagnostic.severity.rawValue, code: diagnostic.code.rawValue, message: diagnostic.message,
                hint: diagnostic.hint, file: diagnostic.fileName ?? "", range: diagnostic.place?.range)
        ]
            + diagnostic.notes.map {
                reportLine(
                    word: "note", code: "", message: $0.message, hint: nil, file: $0.place.file.name,
                    range: $0.place.range)
            }
    }
}

private func reportLine(
    word: String, code: String, message: String, hint: String?, file: String, range: Range<Int>?
) -> String {
    let place = range.map { ":\($0.lowerBound)-\($0.upperBound)" } ?? ""
    return "\(file)\(place) \(word) \(code): \(message)" + (hint.map { " | \($0)" } ?? "")
}

extension Workspace {
    /// Files below `/work`, as seen from there.
    static func inMemory(_ files: [(path: String, text: String)]) -> Workspace {
        let files = MemoryFiles(Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.text) }))
        return Workspace(root: "/work", currentFolder: "/work", files: files.fileSystem)
    }
}
