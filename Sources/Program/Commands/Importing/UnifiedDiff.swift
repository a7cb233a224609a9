import ReqcliText

/// The difference between two versions of a file in the format of `diff -u`.
struct UnifiedDiff {
    private let name: String
    private let before: [Substring]?
    private let after: [Substring]

    private static let context = 3
    /// If the changed region has more lines than this, it is shown as a whole, because finding the fewest changes would take too
    /// long.
    private static let mostLines = 20_000

    init(_ before: [UInt8]?, _ after: [UInt8], name: String) {
        self.name = name
        self.before = before.map { Self.lines(of: $0) }
        self.after = Self.lines(of: after)
    }

    private static func lines(of bytes: [UInt8]) -> [Substring] {
        var lines = String(decoding: bytes, as: UTF8.self).split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" })
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    var lines: [Styled] {
        let title = [
            Styled(before == nil ? "--- /dev/null" : "--- a/\(harmlessLine(name))", .bold),
            Styled("+++ b/\(harmlessLine(name))", .bold),
        ]
        return title + hunks.flatMap { lines(of: $0) }
    }

    /// A line of either version.
    private enum Row {
        case same(Substring)
        case removed(Substring)
        case added(Substring)
    }

    private var rows: [Row] {
        let before = before ?? []
        let start = zip(before, after).prefix { $0 == $1 }.count
        let end = zip(before[start...].reversed(), after[start...].reversed()).prefix { $0 == $1 }.count
        let old = before[start..<(before.count - end)]
        let new = after[start..<(after.count - end)]
        let head = before[..<start].map { Row.same($0) }
        let tail = before[(before.count - end)...].map { Row.same($0) }
        guard !old.isEmpty, !new.isEmpty, old.count + new.count <= Self.mostLines else {
            return head + old.map { .removed($0) } + new.map { .added($0) } + tail
        }
        let difference = new.difference(from: old)
        let removed = Set(
            difference.removals.compactMap { if case .remove(let offset, _, _) = $0 { offset } else { nil } })
        let added = Set(
            difference.insertions.compactMap { if case .insert(let offset, _, _) = $0 { offset } else { nil } })
        var middle: [Row] = []
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            if left < old.count, removed.contains(left) {
                middle.append(.removed(old[old.startIndex + left]))
                left += 1
            } else if right < new.count, added.contains(right) {
                middle.append(.added(new[new.startIndex + right]))
                right += 1
            } else {
                middle.append(.same(old[old.startIndex + left]))
                left += 1
                right += 1
            }
        }
        return head + middle + tail
    }

    /// The groups of changed rows, with some unchanged lines before and after each group.
    private var hunks: [(oldStart: Int, newStart: Int, rows: [Row])] {
        let rows = rows
        var ranges: [Range<Int>] = []
        for (index, row) in rows.enumerated() {
            if case .same = row { continue }
            let range = max(0, index - Self.context)..<min(rows.count, index + Self.context + 1)
            if let last = ranges.last, last.upperBound >= range.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
            } else {
                ranges.append(range)
            }
        }
        var (old, new) = (0, 0)
        var position = 0
        return ranges.map { range in
            for row in rows[position..<range.lowerBound] { Self.count(row, &old, &new) }
            let hunk = (old, new, Array(rows[range]))
            for row in rows[range] { Self.count(row, &old, &new) }
            position = range.upperBound
            return hunk
        }
    }

    private static func count(_ row: Row, _ old: inout Int, _ new: inout Int) {
        switch row {
        case .same:
            old += 1
            new += 1
        case .removed: old += 1
        case .added: new += 1
        }
    }

    private func lines(of hunk: (oldStart: Int, newStart: Int, rows: [Row])) -> [Styled] {
        var (old, new) = (0, 0)
        for row in hunk.rows { Self.count(row, &old, &new) }
        let oldStart = old == 0 ? hunk.oldStart : hunk.oldStart + 1
        let newStart = new == 0 ? hunk.newStart : hunk.newStart + 1
        let head = Styled("@@ -\(oldStart),\(old) +\(newStart),\(new) @@", .cyan)
        return [head]
            + hunk.rows.map { row in
                switch row {
                case .same(let line): Styled(" \(TerminalText.harmless(String(line)))")
                case .removed(let line): Styled("-\(TerminalText.harmless(String(line)))", .red)
                case .added(let line): Styled("+\(TerminalText.harmless(String(line)))", .green)
                }
            }
    }
}
