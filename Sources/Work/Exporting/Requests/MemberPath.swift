import ReqcliBasics

/// A JSONPath that has only names, indexes and `[*]`, such as `$.items[0].id`. Programs in languages without JSONPath can follow
/// such a path step by step.
struct MemberPath: Equatable {
    enum Step: Equatable {
        case member(String)
        case index(Int)
        /// `[*]`
        case everyItem
    }

    /// Whether the path selects at most one value.
    var isSingle: Bool { !steps.contains(.everyItem) }

    /// The steps of the path. The initializer returns nil for a path with other parts: filters, slices, descendants, names in
    /// brackets.
    let steps: [Step]

    init?(_ text: String) {
        var steps: [Step] = []
        var rest = text.utf8.dropFirst()
        while let first = rest.first {
            if rest.starts(with: "[*]".utf8) {
                steps.append(.everyItem)
                rest = rest.dropFirst(3)
            } else if first == UInt8(ascii: "[") {
                let digits = rest.dropFirst().prefix { $0.isDigit }
                guard let index = Int(String(Substring(digits))), rest.dropFirst(1 + digits.count).first == 0x5D
                else { return nil }
                steps.append(.index(index))
                rest = rest.dropFirst(2 + digits.count)
            } else {
                guard first == UInt8(ascii: ".") else { return nil }
                let name = rest.dropFirst().prefix { $0.isAlphanumeric || $0 == UInt8(ascii: "_") || $0 >= 0x80 }
                guard let start = name.first, !start.isDigit else { return nil }
                steps.append(.member(String(Substring(name))))
                rest = rest.dropFirst(1 + name.count)
            }
        }
        self.steps = steps
    }
}
