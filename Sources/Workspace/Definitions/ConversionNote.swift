package import ReqcliRedaction
package import ReqcliText

/// A note about something that was changed or lost when an import, an export or a generator converted files.
package struct ConversionNote: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// Something is missing from the result.
        case lost
        /// The result has nearly the same meaning.
        case approximated
        /// The user has to add something.
        case toDo = "to do"
        /// Nothing is missing: the note says how something was interpreted.
        case remark
    }

    package let kind: Kind
    /// A sentence without details. Notes with the same sentence are counted together.
    package let message: String
    /// The details: a name or a pointer.
    package let detail: String?
    package let place: Place?

    package init(_ kind: Kind, _ message: String, _ detail: String? = nil, at place: Place?) {
        self.kind = kind
        self.message = message
        // Names chosen by users may contain a secret token.
        self.detail = detail?.withoutTokens
        self.place = place
    }

    /// The note without the values of secrets.
    package func masked(by redactor: Redactor) -> ConversionNote {
        ConversionNote(kind, message, detail.map { redactor.redact($0) }, at: place)
    }

    /// The message with its details.
    package var text: String { detail.map { "\(message) (\($0))" } ?? message }
}
