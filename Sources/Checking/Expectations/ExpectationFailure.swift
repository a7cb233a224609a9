package import SourceText

/// One expectation that an answer doesn't meet.
package struct ExpectationFailure: Sendable, Equatable {
    /// What it is about: `status`, `maxTime`, `header Content-Type`, `body`, or the JSON path.
    package let subject: String
    /// The normalised path of the value at fault, where there is one.
    package let path: String?
    /// The subject as people read it: a path as it was written, with the value's own behind it where it selects several.
    package let title: String
    /// Follows "expected".
    package let expected: String
    /// Follows "found".
    package let actual: String
    /// Where the expectation stands.
    package let place: Place
    /// What differs in values too large to see it at once.
    package let difference: [DifferenceLine]
    /// The answer's status, where that is what isn't as expected.
    let refusedStatus: Int?

    init(
        _ subject: String, path: String? = nil, title: String? = nil, expected: String, actual: String, at place: Place,
        difference: [DifferenceLine] = [], refusedStatus: Int? = nil
    ) {
        self.subject = subject
        self.path = path
        self.title = title ?? subject
        self.expected = expected
        self.actual = actual
        self.place = place
        self.difference = difference
        self.refusedStatus = refusedStatus
    }

    /// On one line.
    package var message: String { "\(title): expected \(expected), found \(actual)" }
}

extension ExpectationFailure {
    /// The part of the answer that it quotes.
    private var part: Answer.Part? {
        if subject == "status" || subject == "maxTime" { return nil }
        return subject.hasPrefix("header ") ? .headers : .body
    }

    /// Without a word of the parts of an answer that nobody may see.
    func hiding(_ parts: Set<Answer.Part>) -> ExpectationFailure {
        guard let part, parts.contains(part) else { return self }
        return ExpectationFailure(
            subject, path: path, title: title, expected: expected, actual: "what is not shown, as it may hold a secret",
            at: place)
    }
}

/// One line of a difference.
package struct DifferenceLine: Sendable, Equatable {
    package enum Kind: String, Sendable {
        /// The same on both sides.
        case context
        case expected
        case actual
        /// Where it is, or what was left out.
        case note
    }

    package let kind: Kind
    package let text: String

    package init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// With the sign that it has where there are no colours.
    package var plain: String {
        switch kind {
        case .context: "  " + text
        case .expected: "- " + text
        case .actual: "+ " + text
        case .note: text
        }
    }
}
