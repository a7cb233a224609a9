import ReqcliDefinitions
import ReqcliJSONPath
import ReqcliJSONSchema
package import ReqcliText

extension Condition {
    /// The text after "expected" in a message. The text takes `not` into account, so that it never says the opposite of the
    /// condition.
    package func phrase(_ excerpts: Excerpts) -> Wording {
        switch operand {
        case .open(let template):
            let text = template.shownText
            return isNegated ? "anything but \(own: text)" : Wording(own: text)
        case .value(let value): return valuePhrase(excerpts.json(value))
        case .list(let elements):
            let list = elements.prefix(8).map { excerpts.json($0) }.joined(separator: ", ")
            let more: Wording = elements.count > 8 ? ", …" : ""
            return isNegated ? "none of \(list)\(more)" : "one of \(list)\(more)"
        case .type(let type): return isNegated ? "anything but \(own: type.phrase)" : Wording(own: type.phrase)
        case .schema: return isNegated ? "a value that doesn't match the schema" : "a value that matches the schema"
        case .pattern(let pattern):
            let text = excerpts.line(Array(pattern.pattern.utf8))
            return isNegated ? "text that doesn't match /\(text)/" : "text that matches /\(text)/"
        case .text(let text):
            let verb = operation == .startsWith ? "start" : "end"
            return "text that \(own: isNegated ? "doesn't \(verb)" : "\(verb)s") with \(excerpts.text(text))"
        case .lengths(let bounds):
            let conditions = bounds.map(\.phrase).joined(separator: " and ")
            return isNegated ? "a length that is not \(own: conditions)" : "a length of \(own: conditions)"
        case .truth(let truth): return Wording(own: truthPhrase(truth != isNegated))
        case .number(let bound): return "\(own: comparison) \(bound.text)"
        }
    }

    private func valuePhrase(_ value: Wording) -> Wording {
        switch (operation, isNegated) {
        case (.includes, false): "something that includes \(value)"
        case (.includes, true): "something that doesn't include \(value)"
        case (.contains, false): "something that contains \(value)"
        case (.contains, true): "something that doesn't contain \(value)"
        case (_, false): value
        case (_, true): "anything but \(value)"
        }
    }

    private func truthPhrase(_ truth: Bool) -> String {
        switch (operation, truth) {
        case (.empty, true): "an empty value"
        case (.empty, false): "a value that is not empty"
        case (_, true): "a value"
        case (_, false): "no value"
        }
    }

    private var comparison: String {
        switch operation {
        case .less: isNegated ? "a number of at least" : "a number below"
        case .lessOrEqual: isNegated ? "a number above" : "a number of at most"
        case .greater: isNegated ? "a number of at most" : "a number above"
        case .greaterOrEqual: isNegated ? "a number below" : "a number of at least"
        case .equals, .includes, .type, .schema, .matches, .contains, .startsWith, .endsWith, .length, .exists, .empty,
            .in:
            isNegated ? "a number other than" : "the number"
        }
    }
}

extension ValueTemplate {
    /// The template as a message shows it: text without quotes.
    fileprivate var shownText: String {
        if case .string(let text) = source { text } else { source.compact }
    }
}

extension Operand.LengthBound {
    fileprivate var phrase: String {
        switch operation {
        case .less: "less than \(length)"
        case .lessOrEqual: "at most \(length)"
        case .greater: "more than \(length)"
        case .greaterOrEqual: "at least \(length)"
        default: "\(length)"
        }
    }
}
