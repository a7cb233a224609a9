import Calling
package import ReqcliText

/// An expectation that a response doesn't meet.
package struct ExpectationFailure: Sendable, Equatable {
    /// The texts of the failure. They keep content of the response apart from reqcli's own words.
    struct Wordings: Sendable, Equatable {
        /// The subject: `status`, `maxTime`, `header Content-Type`, `body`, or the JSON path.
        var subject: Wording
        /// The normalized path of the wrong value, if the value has a path.
        var path: Wording?
        /// The subject for people: the path as written. If the path selects several values, the path of the wrong value follows.
        var title: Wording
        /// The text after "expected".
        var expected: Wording
        /// The text after "found".
        var actual: Wording

        /// The failure on one line.
        var message: Wording { "\(title): expected \(expected), found \(actual)" }
    }

    var wordings: Wordings
    /// The place of the expectation.
    package internal(set) var place: Place
    /// The differences between values that are too large to compare at a glance.
    package internal(set) var difference: [DifferenceLine]
    /// The status of the response, if the failure is about the status.
    let refusedStatus: Int?
    /// The rule of a JSON Schema, if one was broken.
    var schema: SchemaSpot?

    init(
        _ subject: Wording, path: Wording? = nil, title: Wording? = nil, expected: Wording, actual: Wording,
        at place: Place,
        difference: [DifferenceLine] = [], refusedStatus: Int? = nil, schema: SchemaSpot? = nil
    ) {
        wordings = Wordings(subject: subject, path: path, title: title ?? subject, expected: expected, actual: actual)
        self.place = place
        self.difference = difference
        self.refusedStatus = refusedStatus
        self.schema = schema
    }

    package var subject: String { wordings.subject.text }
    package var path: String? { wordings.path?.text }
    package var title: String { wordings.title.text }
    package var expected: String { wordings.expected.text }
    package var actual: String { wordings.actual.text }
    package var message: String { wordings.message.text }
}

extension ExpectationFailure {
    /// The part of the response that the message quotes.
    private var part: ReceivedResponse.Part? {
        if ["status", "maxTime", SnapshotJudgement.subject].contains(subject) { return nil }
        return subject.hasPrefix("header ") ? .headers : .body
    }

    /// A copy without text from these parts of the response, which must not be shown.
    func hiding(_ parts: Set<ReceivedResponse.Part>) -> ExpectationFailure {
        guard let part, parts.contains(part) else { return self }
        var result = self
        result.wordings.actual = "something that is not shown, because it may hold a secret"
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

    package internal(set) var kind: Kind
    var wording: Wording

    init(_ kind: Kind, _ wording: Wording) {
        self.kind = kind
        self.wording = wording
    }

    package var text: String { wording.text }

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
