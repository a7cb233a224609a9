package import ReqcliRedaction
package import ReqcliText

/// One thing of a source that became something else, or nothing.
package struct ImportNote: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// No file has it.
        case lost
        /// The files say nearly the same.
        case approximated
        /// The user has to add something.
        case toDo = "to do"
        /// Nothing is missing: the note says how the source was understood.
        case remark
    }

    package let kind: Kind
    /// A sentence without the particulars, by which notes are counted.
    package let message: String
    /// The particulars: a name or a pointer.
    package let detail: String?
    package let place: Place?

    package init(_ kind: Kind, _ message: String, _ detail: String? = nil, at place: Place?) {
        self.kind = kind
        self.message = message
        // Names that people choose may hold a token.
        self.detail = detail?.withoutTokens
        self.place = place
    }

    /// The note without the values of secrets.
    package func masked(by redactor: Redactor) -> ImportNote {
        ImportNote(kind, message, detail.map { redactor.redact($0) }, at: place)
    }

    /// The message with its particulars.
    package var text: String { detail.map { "\(message) (\($0))" } ?? message }
}

/// A source that can't be read: diagnostics with places, or a mistake in how it was named.
package struct ImportProblem: Error {
    package let diagnostics: [Diagnostic]
    /// Whether the source can be read and has nothing to import, or isn't of this format.
    package let isUsage: Bool

    package init(_ diagnostics: [Diagnostic], isUsage: Bool = false) {
        self.diagnostics = diagnostics
        self.isUsage = isUsage
    }

    package init(_ message: String, at place: Place?, hint: String? = nil, isUsage: Bool = false) {
        self.init([Diagnostic(code: .sourceUnreadable, message, at: place, hint: hint)], isUsage: isUsage)
    }
}

extension Diagnostic.Code {
    /// A source of `import` that is broken, or that holds what no endpoint can be made of.
    package static let sourceUnreadable: Self = "import.source"
}
