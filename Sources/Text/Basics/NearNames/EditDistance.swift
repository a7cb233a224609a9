extension NearNames {
    /// The number of insertions, removals, substitutions and swaps of neighbours (restricted Damerau-Levenshtein distance) that
    /// turn one word into the other; nil if this number is greater than `limit`.
    ///
    /// Only a band of `limit` cells around the diagonal is computed, so the time for one name is proportional to `limit *
    /// length`.
    static func editDistance<Element: Equatable>(
        _ a: ArraySlice<Element>, _ b: ArraySlice<Element>, atMost limit: Int
    ) -> Int? {
        guard limit >= 0, abs(a.count - b.count) <= limit else { return nil }
        let (rows, columns) = (Array(a), Array(b))
        let tooFar = limit + 1
        var beforePrevious = [Int](repeating: tooFar, count: columns.count + 1)
        var previous = (0...columns.count).map { min($0, tooFar) }
        for row in 0..<rows.count {
            var current = [Int](repeating: tooFar, count: columns.count + 1)
            current[0] = min(row + 1, tooFar)
            let band = max(0, row - limit)..<max(0, min(columns.count, row + limit + 1))
            var best = current[0]
            for column in band {
                let substitution = previous[column] + (rows[row] == columns[column] ? 0 : 1)
                var cost = min(substitution, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, rows[row] == columns[column - 1], rows[row - 1] == columns[column] {
                    cost = min(cost, beforePrevious[column - 1] + 1)
                }
                current[column + 1] = min(cost, tooFar)
                best = min(best, current[column + 1])
            }
            guard best <= limit else { return nil }
            beforePrevious = previous
            previous = current
        }
        return previous[columns.count] <= limit ? previous[columns.count] : nil
    }
}
