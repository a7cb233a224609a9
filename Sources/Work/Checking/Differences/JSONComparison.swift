import ReqcliJSONPath
import ReqcliMatching
import ReqcliText

/// The differences between a JSON value and the expected one. Keys may be in any order, and numbers compare by value.
struct JSONComparison {
    enum Mode {
        case equality
        /// Partial equality, by the rules of `Inclusion`.
        case inclusion
    }

    struct Difference {
        enum Kind {
            case changed(expected: JSONValue, actual: JSONValue)
            case missing(JSONValue)
            /// A member or an element that the container does not have.
            case unexpected(JSONValue, in: JSONValue)
            /// An array has no element that includes the expected one. `nearest` is the most similar element.
            case notIncluded(JSONValue, nearest: Int?)
        }

        let steps: [JSONValue.Step]
        let kind: Kind
    }

    /// The maximum number of differences to keep, and the maximum number to count.
    struct Limits {
        var kept = 20
        var counted = 1000
    }

    private let mode: Mode
    private let limits: Limits
    private let fingerprints: (expected: JSONFingerprints, actual: JSONFingerprints)
    private(set) var kept: [Difference] = []
    private(set) var count = 0

    /// Compares two values.
    ///
    /// - Parameter ignored: Values that are not compared. An ignored value counts as equal to any value, even to a missing value.
    init(
        _ mode: Mode, expected: JSONValue, actual: JSONValue,
        ignoring ignored: (expected: [JSONValue], actual: [JSONValue]) = ([], []), limits: Limits = Limits()
    ) {
        self.mode = mode
        self.limits = limits
        fingerprints = (
            JSONFingerprints(of: expected, ignoring: ignored.expected),
            JSONFingerprints(of: actual, ignoring: ignored.actual)
        )
        compare(expected, actual, [])
    }

    private var isFull: Bool { count >= limits.counted }

    /// Whether two values need no closer comparison, because they are equal or one of them is ignored.
    private func areSame(_ expected: JSONValue, _ actual: JSONValue) -> Bool {
        guard let wanted = fingerprints.expected[expected], let found = fingerprints.actual[actual] else { return true }
        return wanted == found
    }

    private mutating func add(_ kind: Difference.Kind, _ steps: [JSONValue.Step]) {
        count += 1
        if kept.count < limits.kept { kept.append(Difference(steps: steps, kind: kind)) }
    }

    private mutating func compare(_ expected: JSONValue, _ actual: JSONValue, _ steps: [JSONValue.Step]) {
        if isFull || areSame(expected, actual) { return }
        switch (expected.kind, actual.kind) {
        case (.object, .object): compareMembers(expected, actual, steps)
        case (.array, .array):
            if mode == .equality {
                compareElements(expected, actual, steps)
            } else {
                compareInclusion(expected, actual, steps)
            }
        default: add(.changed(expected: expected, actual: actual), steps)
        }
    }

    private mutating func compareMembers(_ expected: JSONValue, _ actual: JSONValue, _ steps: [JSONValue.Step]) {
        let wanted = expected.valuesByName
        let found = actual.valuesByName
        // Use the order of the keys in the text, because a dictionary has no fixed order.
        for name in expected.memberNames {
            guard let value = wanted[name] else { continue }
            if let other = found[name] {
                compare(value, other, steps + [.key(name.text)])
            } else if fingerprints.expected[value] != nil {
                add(.missing(value), steps + [.key(name.text)])
            }
        }
        guard mode == .equality else { return }
        for name in actual.memberNames where wanted[name] == nil {
            guard let value = found[name], fingerprints.actual[value] != nil else { continue }
            add(.unexpected(value, in: expected), steps + [.key(name.text)])
        }
    }

    /// Compares elements after an alignment. Inserted and removed elements don't make the elements after them different.
    private mutating func compareElements(
        _ expected: JSONValue, _ actual: JSONValue, _ steps: [JSONValue.Step]
    ) {
        typealias Element = (index: Int, value: JSONValue, fingerprint: Int)
        func elements(_ list: JSONValue, _ fingerprints: JSONFingerprints) -> [Element] {
            list.elements.enumerated().compactMap { index, value in fingerprints[value].map { (index, value, $0) } }
        }
        let wanted = elements(expected, fingerprints.expected)
        let found = elements(actual, fingerprints.actual)
        let alignment = Alignment.steps(wanted.count, found.count) { wanted[$0].fingerprint == found[$1].fingerprint }
        for case .different(let less, let more) in alignment {
            for (one, other) in zip(wanted[less], found[more]) {
                compare(one.value, other.value, steps + [.index(other.index)])
            }
            for one in wanted[less].dropFirst(more.count) { add(.missing(one.value), steps + [.index(one.index)]) }
            for other in found[more].dropFirst(less.count) {
                add(.unexpected(other.value, in: expected), steps + [.index(other.index)])
            }
        }
    }

    private mutating func compareInclusion(
        _ expected: JSONValue, _ actual: JSONValue, _ steps: [JSONValue.Step]
    ) {
        let candidates = Array(actual.elements)
        for wanted in expected.elements where !candidates.contains(where: { Inclusion.holds(wanted, in: $0) }) {
            if isFull { return }
            let nearest = Self.nearest(to: wanted, among: candidates)
            add(.notIncluded(wanted, nearest: nearest), steps)
            if let nearest { compare(wanted, candidates[nearest], steps + [.index(nearest)]) }
        }
    }

    /// The element that shares most members with the wanted object; nil if no element shares a member.
    private static func nearest(to wanted: JSONValue, among candidates: [JSONValue]) -> Int? {
        guard wanted.kind == .object else { return nil }
        let members = wanted.valuesByName
        let shared = candidates.prefix(1000).map { candidate -> Int in
            guard candidate.kind == .object else { return 0 }
            let found = candidate.valuesByName
            return members.count { name, value in found[name].map { Inclusion.holds(value, in: $0) } ?? false }
        }
        guard let most = shared.max(), most > 0 else { return nil }
        return shared.firstIndex(of: most)
    }
}

extension JSONValue {
    /// The names of the members, without duplicates.
    fileprivate var memberNames: [MemberName] {
        var seen: Set<MemberName> = []
        return members.map { MemberName($0.name) }.filter { seen.insert($0).inserted }
    }
}

// MARK: - As lines

extension JSONComparison {
    /// The differences as lines: a path for each one, followed by both values.
    func lines(below path: Wording, _ excerpts: Excerpts) -> [DifferenceLine] {
        var lines = kept.flatMap { difference -> [DifferenceLine] in
            let steps = excerpts.line(Array(JSONPath.short(difference.steps).dropFirst().utf8))
            return Self.lines(difference.kind, at: path + steps, excerpts)
        }
        if count > kept.count {
            let more = count - kept.count
            lines.append(
                DifferenceLine(
                    .note,
                    Wording(
                        own: "… and \(isFull ? "many" : String(more)) more \(more == 1 ? "difference" : "differences")")
                ))
        }
        return lines
    }

    private static func lines(
        _ kind: Difference.Kind, at place: Wording, _ excerpts: Excerpts
    ) -> [DifferenceLine] {
        switch kind {
        case .changed(let expected, let actual):
            let (one, other) = excerpts.pair(expected, actual)
            return [DifferenceLine(.note, place), DifferenceLine(.expected, one), DifferenceLine(.actual, other)]
        case .missing(let value):
            return [DifferenceLine(.note, "\(place) is missing"), DifferenceLine(.expected, excerpts.json(value))]
        case .unexpected(let value, _):
            return [DifferenceLine(.note, "\(place) is not expected"), DifferenceLine(.actual, excerpts.json(value))]
        case .notIncluded(let value, let nearest):
            let advice: Wording = nearest.map { "; [\($0)] is the closest" } ?? ""
            return [
                DifferenceLine(.note, "\(place) has no element that includes this\(advice)"),
                DifferenceLine(.expected, excerpts.json(value)),
            ]
        }
    }
}
