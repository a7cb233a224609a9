/// An alignment of two lists: the elements that both lists share, in order, and the elements between them.
enum Alignment {
    enum Step: Equatable {
        case same(Int, Int)
        /// A range in each list whose elements have no equal element in the other list. One of the two ranges may be empty.
        case different(Range<Int>, Range<Int>)
    }

    /// Aligns two lists by their longest common subsequence. If that would take too long, only a common start and a common end
    /// are aligned.
    static func steps(_ count: Int, _ otherCount: Int, areSame: (Int, Int) -> Bool) -> [Step] {
        var head = 0
        while head < count, head < otherCount, areSame(head, head) { head += 1 }
        var tail = 0
        while tail < count - head, tail < otherCount - head, areSame(count - 1 - tail, otherCount - 1 - tail) {
            tail += 1
        }
        let middle = middle(head..<count - tail, head..<otherCount - tail, areSame)
        return (0..<head).map { .same($0, $0) } + middle
            + (0..<tail).map { .same(count - tail + $0, otherCount - tail + $0) }
    }

    /// The maximum number of pairs for which the longest common subsequence is computed.
    private static let mostPairs = 250_000

    private static func middle(
        _ one: Range<Int>, _ other: Range<Int>, _ areSame: (Int, Int) -> Bool
    ) -> [Step] {
        if one.isEmpty, other.isEmpty { return [] }
        guard !one.isEmpty, !other.isEmpty, one.count <= mostPairs / other.count else {
            return [.different(one, other)]
        }
        // For each pair of positions, the length of the longest common subsequence of the elements from these positions to the
        // ends.
        let width = other.count + 1
        var lengths = [Int32](repeating: 0, count: (one.count + 1) * width)
        var same = [Bool](repeating: false, count: one.count * other.count)
        for row in (0..<one.count).reversed() {
            for column in (0..<other.count).reversed() {
                let isSame = areSame(one.lowerBound + row, other.lowerBound + column)
                same[row * other.count + column] = isSame
                lengths[row * width + column] =
                    isSame
                    ? lengths[(row + 1) * width + column + 1] + 1
                    : max(lengths[(row + 1) * width + column], lengths[row * width + column + 1])
            }
        }
        var steps: [Step] = []
        var (row, column) = (0, 0)
        var start = (row: 0, column: 0)
        func endStretch() {
            if start.row == row, start.column == column { return }
            steps.append(
                .different(
                    one.lowerBound + start.row..<one.lowerBound + row,
                    other.lowerBound + start.column..<other.lowerBound + column))
        }
        while row < one.count, column < other.count {
            if same[row * other.count + column] {
                endStretch()
                steps.append(.same(one.lowerBound + row, other.lowerBound + column))
                (row, column) = (row + 1, column + 1)
                start = (row, column)
            } else if lengths[(row + 1) * width + column] >= lengths[row * width + column + 1] {
                row += 1
            } else {
                column += 1
            }
        }
        (row, column) = (one.count, other.count)
        endStretch()
        return steps
    }
}
