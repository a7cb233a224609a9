/// One problem in a user's file: what was found, what was expected, where, and the likely fix.
package struct Diagnostic: Sendable, Equatable {
    package enum Severity: String, Sendable {
        case error
        case warning
    }

    /// A stable name that scripts and editors can rely on, such as `key.unknown`.
    package struct Code: Sendable, Hashable, RawRepresentable, ExpressibleByStringLiteral {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }
        package init(stringLiteral value: String) { self.init(rawValue: value) }
    }

    /// A second place that explains the first place, such as the place of the first of two duplicate keys.
    package struct Note: Sendable, Equatable {
        package let message: String
        package let place: Place

        package init(_ message: String, at place: Place) {
            self.message = message
            self.place = place
        }
    }

    package let severity: Severity
    package let code: Code
    package let wording: Wording
    /// The place of the problem; nil for a problem of a whole workspace, or of a file that cannot be read.
    package let place: Place?
    /// The name of the file, for a problem without a place in it.
    package let fileName: String?
    /// The advice that is shown next to the caret.
    package let advice: Wording?
    package let notes: [Note]
    /// False if the line of the file contains a value that must not be shown.
    package let showsSource: Bool

    package init(
        _ severity: Severity = .error, code: Code, _ wording: Wording, at place: Place?, fileName: String? = nil,
        hint advice: Wording? = nil, notes: [Note] = [], showsSource: Bool = true
    ) {
        self.severity = severity
        self.code = code
        self.wording = wording
        self.place = place
        self.fileName = place?.file.name ?? fileName
        self.advice = advice
        self.notes = notes
        self.showsSource = showsSource
    }

    /// A problem whose message may contain quoted values anywhere. A string literal selects the other initializer instead, which
    /// distinguishes the message's own words from quoted values.
    @_disfavoredOverload
    package init(
        _ severity: Severity = .error, code: Code, _ message: String, at place: Place?, fileName: String? = nil,
        hint: String? = nil, notes: [Note] = [], showsSource: Bool = true
    ) {
        self.init(
            severity, code: code, Wording(quoting: message), at: place, fileName: fileName,
            hint: hint.map(Wording.init(quoting:)), notes: notes, showsSource: showsSource)
    }

    package var message: String { wording.text }

    package var hint: String? { advice?.text }

    /// A copy in which every string is changed, for example to mask secrets.
    package func mappingTexts(_ change: (Wording) -> Wording) -> Diagnostic {
        Diagnostic(
            severity, code: code, change(wording), at: place, fileName: fileName, hint: advice.map(change),
            notes: notes.map { Note(change(Wording(quoting: $0.message)).text, at: $0.place) }, showsSource: showsSource
        )
    }
}
