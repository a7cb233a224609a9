/// A parsed pattern.
indirect enum Pattern: Sendable {
    /// Matches the empty text.
    case empty
    case scalars(ScalarSet)
    /// Matches the empty text at one end of the whole text.
    case startOfText
    case endOfText
    case sequence([Pattern])
    case choice([Pattern])
    case repeated(Pattern, least: Int, most: Int?)
}

/// The characters that one place of a pattern accepts. A class, so that looking at a place doesn't copy its ranges.
final class ScalarSet: Sendable {
    /// The accepted ranges, in order; no two of them touch.
    private let ranges: [ClosedRange<UInt32>]
    private let categories: CategorySet
    private let excludedCategories: [CategorySet]
    private let isNegated: Bool
    /// The accepted ASCII characters, one bit each: most texts need nothing else.
    private let ascii: (low: UInt64, high: UInt64)

    convenience init(_ scalar: Unicode.Scalar) {
        self.init([.range(scalar.value...scalar.value)])
    }

    enum Item {
        case range(ClosedRange<UInt32>)
        case categories(CategorySet)
        case allBut(CategorySet)
    }

    init(_ items: [Item], isNegated: Bool = false) {
        var ranges: [ClosedRange<UInt32>] = []
        var categories = CategorySet()
        var excluded: [CategorySet] = []
        for item in items {
            switch item {
            case .range(let range): ranges.append(range)
            case .categories(let set): categories.formUnion(set)
            case .allBut(let set): if !excluded.contains(set) { excluded.append(set) }
            }
        }
        let merged = Self.merged(ranges)
        self.ranges = merged
        self.categories = categories
        excludedCategories = excluded
        self.isNegated = isNegated
        var ascii: (low: UInt64, high: UInt64) = (0, 0)
        for value in UInt32(0)..<128 {
            var candidate = Candidate(Unicode.Scalar(UInt8(value)))
            guard Self.holds(&candidate, merged, categories, excluded, isNegated) else { continue }
            if value < 64 { ascii.low |= 1 << UInt64(value) } else { ascii.high |= 1 << UInt64(value - 64) }
        }
        self.ascii = ascii
    }

    /// The set for `.`: any character that doesn't end a line.
    static let anyInLine = ScalarSet([.range(0x0A...0x0A), .range(0x0D...0x0D)], isNegated: true)

    /// A character that is looked up in many sets. Its category is computed once.
    struct Candidate {
        fileprivate let scalar: Unicode.Scalar
        private var known: CategorySet?

        init(_ scalar: Unicode.Scalar) { self.scalar = scalar }

        fileprivate var category: CategorySet {
            mutating get {
                if let known { return known }
                let category = CategorySet(scalar.properties.generalCategory)
                known = category
                return category
            }
        }
    }

    func contains(_ candidate: inout Candidate) -> Bool {
        let value = UInt64(candidate.scalar.value)
        if value < 64 { return ascii.low >> value & 1 == 1 }
        if value < 128 { return ascii.high >> (value - 64) & 1 == 1 }
        return Self.holds(&candidate, ranges, categories, excludedCategories, isNegated)
    }

    private static func holds(
        _ candidate: inout Candidate, _ ranges: [ClosedRange<UInt32>], _ categories: CategorySet,
        _ excluded: [CategorySet], _ isNegated: Bool
    ) -> Bool {
        if isWithin(ranges, candidate.scalar.value) { return !isNegated }
        if categories.isEmpty, excluded.isEmpty { return isNegated }
        let category = candidate.category
        return isNegated
            != (!categories.isDisjoint(with: category) || excluded.contains { $0.isDisjoint(with: category) })
    }

    private static func isWithin(_ ranges: [ClosedRange<UInt32>], _ value: UInt32) -> Bool {
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
