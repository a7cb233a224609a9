import ReqcliFunctions
package import ReqcliText

/// The state while one file is read. Collects every problem instead of stopping at the first.
package struct Decoding: Sendable {
    package var diagnostics = DiagnosticCollector()
    /// The key whose value is being read, in the form in which messages name it.
    var subject: String
    /// The parts of the request itself that placeholders may name.
    var requestWords = RequestWord.Extent.none

    package init(subject: String) {
        self.subject = subject
    }

    mutating func report(
        _ code: Diagnostic.Code, _ message: String, at place: Place, hint: String? = nil, notes: [Diagnostic.Note] = [],
        showsSource: Bool = true
    ) {
        diagnostics.add(
            Diagnostic(code: code, message, at: place, hint: hint, notes: notes, showsSource: showsSource))
    }

    /// Runs `body` with another subject, and then restores the current subject.
    mutating func under<Result>(_ subject: String, _ body: (inout Decoding) -> Result) -> Result {
        let outer = self.subject
        self.subject = subject
        defer { self.subject = outer }
        return body(&self)
    }

    // MARK: Messages

    /// Reports a value of the wrong type: `"timeout" takes seconds or a duration such as "800ms"; found "soon"`.
    mutating func mismatch(
        _ value: JSONValue, expects: String, code: Diagnostic.Code = .typeMismatch, hint: String? = nil
    ) {
        // The JSON reader has already reported an invalid value.
        if value.kind == .invalid { return }
        report(
            code, "\"\(subject)\" takes \(expects); found \(value.shortDescription)", at: value.headPlace, hint: hint)
    }
}

extension Diagnostic.Code {
    package static let keyUnknown: Self = "key.unknown"
    package static let keyDuplicate: Self = "key.duplicate"
    package static let keyMissing: Self = "key.missing"
    package static let keyConflict: Self = "key.conflict"
    package static let typeMismatch: Self = "type.mismatch"
    package static let valueUnknown: Self = "value.unknown"
    package static let valueRange: Self = "value.range"
    package static let valueInvalid: Self = "value.invalid"
    package static let nameInvalid: Self = "name.invalid"
    package static let placeholderInvalid: Self = "placeholder.invalid"
}

extension String {
    /// The text, cut to the length that a message quotes.
    var shortened: String {
        // `prefix` limits the work, because counting the characters of a huge text is slow.
        let head = prefix(61)
        return head.count > 60 ? head.prefix(57) + "…" : self
    }
}

extension JSONValue {
    /// The value as messages quote it: a scalar as written, a container by its kind.
    package var shortDescription: String {
        switch kind {
        case .object, .array, .invalid: kindDescription
        default: text.shortened
        }
    }

    /// The kind of the value, without its content.
    package var kindDescription: String {
        switch kind {
        case .object: "an object"
        case .array: "an array"
        case .string: "text"
        case .number: "a number"
        case .true, .false, .null: text
        case .invalid: "something that is not JSON"
        }
    }

    /// The place for a message about one key of an object.
    package func placeOfKey(_ name: String) -> Place {
        members.first { $0.key.equals(name) }?.key.place ?? headPlace
    }

    /// The place for a message about an object or array: only the opening bracket, because the whole value may be pages long.
    package var headPlace: Place {
        switch kind {
        case .object, .array: Place(place.file, range.lowerBound..<range.lowerBound + 1)
        default: place
        }
    }
}
