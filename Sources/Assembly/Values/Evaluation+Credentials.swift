import Definitions
import SourceText

extension Evaluation {
    /// The texts of values that prove who sends the request, each with its name in a message: none is missing or blank.
    mutating func credentials(_ all: [(name: String, template: ValueTemplate)]) -> Evaluated<[String]> {
        let values = all.compactMap { credential($0.template) }
        guard values.count == all.count else { return .failed }
        let blankness = values.map { $0 == .null ? "is null" : ValueText.text(of: $0).blankness }
        let isOneGiven = blankness.contains(nil)
        var isWhole = true
        for (index, (name, template)) in all.enumerated() {
            guard let blankness = blankness[index] else { continue }
            // `"password": ""` beside a user is how a file says that there is no password.
            if template.literal == "", isOneGiven { continue }
            let source = template.literal == nil ? " \(ValueText.text(of: template.source).quoted)" : ""
            report(
                .valueInvalid, "\(name)\(source) \(blankness)", at: template.place,
                hint: #"give it a value; "auth": null sends no credentials"#)
            isWhole = false
        }
        return isWhole ? .value(values.map(ValueText.text)) : .failed
    }

    private mutating func credential(_ template: ValueTemplate) -> OrderedJSON? {
        switch json(template) {
        case .value(let value): return value
        case .failed: return nil
        case .absent:
            report(
                .valueUnresolved,
                "\(ValueText.text(of: template.source)) was not given, and auth can't do without", at: template.place)
            return nil
        }
    }

    /// Whether a header's values can be sent: an `Authorization` whose placeholders are all blank proves nothing, such as
    /// `Bearer ` without its token.
    mutating func areSendable(_ values: [String], _ templates: [ValueTemplate], in header: String) -> Bool {
        guard ["authorization", "proxy-authorization"].contains(header.lowercased()), values.count == templates.count
        else { return true }
        var isWhole = true
        for case (.text(let template), let value) in zip(templates, values) where !template.placeholders.isEmpty {
            let literals = template.pieces.map { if case .literal(let text) = $0 { text } else { "" } }.joined()
            let isBlank = value.filter { !$0.isWhitespace } == literals.filter { !$0.isWhitespace }
            guard isBlank else { continue }
            report(
                .valueInvalid,
                "header \(header) has no credentials: what \(template.source.quoted) stands for is blank",
                at: template.place, hint: "give it a value; null sends no such header")
            isWhole = false
        }
        return isWhole
    }
}
