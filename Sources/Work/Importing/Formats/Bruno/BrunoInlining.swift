/// Replaces placeholders by the values of variables. A value may refer to variables that were added after this value.
struct BrunoInlining {
    private var values: [String: [(order: Int, value: TemplateText)]] = [:]
    private var count = 0
    var limit: InliningLimit

    /// The largest length of a chain of values in which each value refers to the next value.
    private static let deepest = 64

    init(_ limit: InliningLimit) { self.limit = limit }

    var isEmpty: Bool { values.isEmpty }

    mutating func add(_ name: String, _ value: TemplateText) {
        if values[name, default: []].count < Self.deepest { values[name, default: []].append((count, value)) }
        count += 1
    }

    mutating func text(_ text: String) -> String {
        let template = TemplateText(text)
        guard template.placeholders.contains(where: { values[$0] != nil }) else { return text }
        var whole = TemplateText([])
        append(template, behind: -1, depth: 0, to: &whole)
        return whole.text
    }

    private mutating func append(
        _ template: TemplateText, behind order: Int, depth: Int, to whole: inout TemplateText
    ) {
        for piece in template.pieces {
            if case .placeholder(let name) = piece, depth < Self.deepest,
                let next = values[name]?.first(where: { $0.order > order }), limit.admits(next.value)
            {
                append(next.value, behind: next.order, depth: depth + 1, to: &whole)
            } else {
                whole.append(piece)
            }
        }
    }
}
