import ASCII

/// A JSONPath of names and indexes, which languages without JSONPath can follow step by step: `$.items[0].id`.
struct MemberPath: Equatable {
    enum Step: Equatable {
        case member(String)
        /// `[*]`
        case everyItem
    }

    /// Nil for a path with anything else: indexes, filters, slices, descendants.
    let steps: [Step]

    init?(_ text: String) {
        var steps: [Step] = []
        var rest = text.utf8.dropFirst()
        while let first = rest.first {
            if rest.starts(with: "[*]".utf8) {
                steps.append(.everyItem)
                rest = rest.dropFirst(3)
                continue
            }
            guard first == UInt8(ascii: ".") else { return nil }
            let name = rest.dropFirst().prefix { $0.isAlphanumeric || $0 == UInt8(ascii: "_") || $0 >= 0x80 }
            guard let start = name.first, !start.isDigit else { return nil }
            steps.append(.member(String(Substring(name))))
            rest = rest.dropFirst(1 + name.count)
        }
        self.steps = steps
    }
}
