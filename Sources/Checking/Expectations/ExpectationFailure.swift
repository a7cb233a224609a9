package import SourceText

/// An expectation that a response doesn't meet.
package struct ExpectationFailure: Sendable, Equatable {
    /// The subject: `status`, `maxTime`, `header Content-Type`, `body`, or the JSON path.
    package internal(set) var subject: String
    /// The normalized path of the wrong value, if it has one.
    package internal(set) var path: String?
    /// The subject for people: the path as written, followed by the path of the value if it selects several.
    package internal(set) var title: String
    /// The text after "expected".
    package internal(set) var expected: String
    /// The text after "found".
    package internal(set) var actual: String
    /// The place of the expectation.
    package let place: Place
    /// The differences between values that are too large to compare at a glance.
    package internal(set) var difference: [DifferenceLine]
    /// The status of the response, if that is what was wrong.
    let refusedStatus: Int?
    /// The rule of a JSON Schema, if one was broken.
    let schema: SchemaSpot?

    init(
        _ subject: String, path: String? = nil, title: String? = nil, expected: String, actual: String, at place: Place,
        difference: [DifferenceLine] = [], refusedStatus: Int? = nil, schema: SchemaSpot? = nil
    ) {
        self.subject = subject
        self.path = path
        self.title = title ?? subject
        self.expected = expected
        self.actual = actual
        self.place = place
        self.difference = difference
        self.refusedStatus = refusedStatus
        self.schema = schema
    }

    /// The failure on one line.
    package var message: String { "\(title): expected \(expected), found \(actual)" }
}

extension ExpectationFailure {
    /// The part of the response that the message quotes.
    private var part: ReceivedResponse.Part? {
        if ["status", "maxTime", SnapshotJudgement.subject].contains(subject) { return nil }
        return subject.hasPrefix("header ") ? .headers : .body
    }

    /// A copy without text from parts of a response that must not be shown.
    func hiding(_ parts: Set<ReceivedResponse.Part>) -> ExpectationFailure {
        guard let part, parts.contains(part) else { return self }
        var result = self
        result.actual = "something that is not shown, because it may hold a secret"
        result.difference = []
        return result
    }
}

/// One line of a difference.
package struct DifferenceLine: Sendable, Equatable {
    package enum Kind: String, Sendable {
        /// A line that both sides share.
        case context
        case expected
        case actual
        /// The path of a difference, or a note on what was left out.
        case note
    }

    package let kind: Kind
    package let text: String

    package init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// The line with a sign in front, for output without colours.
    package var plain: String {
        switch kind {
        case .context: "  " + text
        case .expected: "- " + text
        case .actual: "+ " + text
        case .note: text
        }
    }
}
