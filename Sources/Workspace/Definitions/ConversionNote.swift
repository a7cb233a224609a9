package import ReqcliRedaction
package import ReqcliText

/// One thing that became something else, or nothing, when an import, an export or a generator made other files of some.
package struct ConversionNote: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// No file has it.
        case lost
        /// The files say nearly the same.
        case approximated
        /// The user has to add something.
        case toDo = "to do"
        /// No part is missing: the note says how something was understood.
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
    package func masked(by redactor: Redactor) -> ConversionNote {
        ConversionNote(kind, message, detail.map { redactor.redact($0) }, at: place)
    }

    /// The message with its particulars.
    package var text: String { detail.map { "\(message) (\($0))" } ?? message }
}
