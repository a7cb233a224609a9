import Checking
import CommandLineKit

extension Selector {
    /// The argument of a command that works on many endpoints.
    static func argument(
        _ summary: String, completing completion: CompletionKind = .selector
    ) -> Argument<[Selector]> {
        Argument(rest: "SELECTOR", .selector(completing: completion), summary)
    }

    /// The forms of a selector, for help.
    static let section = TextSection(
        "Selectors",
        """
          user.get         one endpoint
          user             all endpoints of a group
          'user.*'         a pattern, with * for any text and ? for a character
          tag:smoke        endpoints with this tag
          'user.get/NAME'  endpoints with a check of this name; for check, only that check

        Several selectors select everything that at least one of them selects.
        """)
}

extension ValueSpec where Value == Selector {
    fileprivate static func selector(completing completion: CompletionKind) -> ValueSpec {
        ValueSpec(
            "SELECTOR", expected: "an id, a group, a pattern or tag:NAME", completion: completion, text: { $0.text }
        ) { (text) throws(InvalidValue) in
            guard !text.isEmpty, text != Selector.tagPrefix else { throw InvalidValue() }
            return Selector(text)
        }
    }
}
