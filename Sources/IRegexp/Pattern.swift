/// A pattern, parsed.
indirect enum Pattern: Sendable {
    /// Matches the empty text.
    case empty
    case scalars(ScalarSet)
    /// Match the empty text, at one end of the whole text.
    case startOfText
    case endOfText
    case sequence([Pattern])
    case choice([Pattern])
    case repeated(Pattern, least: Int, most: Int?)
}

/// Which characters one place of a pattern takes.
struct ScalarSet: Sendable {
    private var ranges: [ClosedRange<UInt32>] = []
    private var categories = CategorySet()
    private var excludedCategories: [CategorySet] = []
    private var isNegated = false
    /// The answers for ASCII, one bit each: most texts ask for nothing else.
    private var ascii: (low: UInt64, high: UInt64) = (0, 0)

    init(_ scalar: Unicode.Scalar) {
        self.init([.range(scalar.value...scalar.value)])
    }

    enum Item {
        case range(ClosedRange<UInt32>)
        case categories(CategorySet)
        case allBut(CategorySet)
    }

    init(_ items: [Item], isNegated: Bool = false) {
        for item in items {
            switch item {
            case .range(let range): ranges.append(range)
            case .categories(let set): categories.formUnion(set)
            case .allBut(let set): excludedCategories.append(set)
            }
        }
        self.isNegated = isNegated
        for value in UInt32(0)..<128 where holds(Unicode.Scalar(UInt8(value))) {
            if value < 64 { ascii.low |= 1 << UInt64(value) } else { ascii.high |= 1 << UInt64(value - 64) }
        }
    }

    /// `.`: anything that doesn't end a line.
    static let anyInLine = ScalarSet([.range(0x0A...0x0A), .range(0x0D...0x0D)], isNegated: true)

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        let value = UInt64(scalar.value)
        if value < 64 { return ascii.low >> value & 1 == 1 }
        if value < 128 { return ascii.high >> (value - 64) & 1 == 1 }
        return holds(scalar)
    }

    private func holds(_ scalar: Unicode.Scalar) -> Bool {
        isNegated != (ranges.contains { $0.contains(scalar.value) } || holdsByCategory(scalar))
    }

    private func holdsByCategory(_ scalar: Unicode.Scalar) -> Bool {
        if categories.isEmpty, excludedCategories.isEmpty { return false }
        let category = CategorySet(scalar.properties.generalCategory)
        return !categories.isDisjoint(with: category)
            || excludedCategories.contains { $0.isDisjoint(with: category) }
    }
}
