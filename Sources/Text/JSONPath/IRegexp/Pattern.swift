/// A parsed pattern.
indirect enum Pattern: Sendable {
    /// Matches the empty text.
    case empty
    case scalars(ScalarSet)
    /// Matches the empty text where the assertion holds.
    case assertion(PatternAssertion)
    case sequence([Pattern])
    case choice([Pattern])
    case repeated(Pattern, least: Int, most: Int?)
}

/// A condition on a position between two characters.
enum PatternAssertion: Sendable {
    case startOfText
    case endOfText
    case wordBoundary
    case noWordBoundary

    /// The kind of character on one side of an assertion.
    enum Side: Sendable {
        /// No character: this side is an end of the text.
        case end
        case word
        case other

        init(_ scalar: Unicode.Scalar?) {
            self = scalar.map { ScalarSet.word.contains($0) ? .word : .other } ?? .end
        }
    }

    /// Whether the assertion distinguishes word characters from others.
    var asksForWords: Bool {
        switch self {
        case .startOfText, .endOfText: false
        case .wordBoundary, .noWordBoundary: true
        }
    }

    func holds(between before: Side, and after: Side) -> Bool {
        switch self {
        case .startOfText: before == .end
        case .endOfText: after == .end
        case .wordBoundary: (before == .word) != (after == .word)
        case .noWordBoundary: (before == .word) == (after == .word)
        }
    }
}

/// The characters that one place of a pattern accepts. This is a class, so that a look at a place doesn't copy the set's ranges.
final class ScalarSet: Sendable {
    /// The accepted ranges, in order; no two of them touch.
    private let ranges: [ClosedRange<UInt32>]
    private let categories: CategorySet
    private let excludedCategories: [CategorySet]
    private let properties: [Property]
    private let isNegated: Bool
    convenience init(_ scalar: Unicode.Scalar) {
        self.init([.range(scalar.value...scalar.value)])
    }

    enum Item {
        case range(ClosedRange<UInt32>)
        case ranges([ClosedRange<UInt32>])
        case categories(CategorySet)
        case allBut(CategorySet)
        case property(Property)
    }

    typealias Property = @Sendable (Unicode.Scalar) -> Bool

    init(_ items: [Item], isNegated: Bool = false) {
        var ranges: [ClosedRange<UInt32>] = []
        var categories = CategorySet()
        var excluded: [CategorySet] = []
        var properties: [Property] = []
        for item in items {
            switch item {
            case .range(let range): ranges.append(range)
            case .ranges(let more): ranges += more
            case .categories(let set): categories.formUnion(set)
            case .allBut(let set): if !excluded.contains(set) { excluded.append(set) }
            case .property(let property): properties.append(property)
            }
        }
        self.ranges = Self.merged(ranges)
        self.categories = categories
        excludedCategories = excluded
        self.properties = properties
        self.isNegated = isNegated
    }

    /// The set for `.`: any character that doesn't end a line.
    static let anyInLine = ScalarSet([.range(0x0A...0x0A), .range(0x0D...0x0D)], isNegated: true)

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        if isInRanges(scalar.value) { return !isNegated }
        if categories.isEmpty, excludedCategories.isEmpty, properties.isEmpty { return isNegated }
        let category = CategorySet(scalar.properties.generalCategory)
        return isNegated
            != (!categories.isDisjoint(with: category)
                || excludedCategories.contains { $0.isDisjoint(with: category) }
                || properties.contains { $0(scalar) })
    }

    /// Marks each ASCII character at which the set begins or ends: either this character or the one before it is in the set, but
    /// not both. Some other characters may be marked, too.
    func markEdges(_ edges: inout [Bool]) {
        for range in ranges where range.lowerBound < 128 {
            edges[Int(range.lowerBound)] = true
            edges[Int(min(range.upperBound + 1, 128))] = true
        }
        if categories.isEmpty, excludedCategories.isEmpty, properties.isEmpty { return }
        var last = false
        for value in UInt8(0)..<128 {
            let isIn = contains(Unicode.Scalar(value))
            if isIn != last { edges[Int(value)] = true }
            last = isIn
        }
    }

    private func isInRanges(_ value: UInt32) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= value
    }

    private static func merged(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        var result: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = result.last, range.lowerBound <= last.upperBound {
                result[result.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }
}
