import Definitions
import JSONPath
import SourceText

/// The objects of an answer in which a key stands more than once. Readers of JSON disagree about which of its values such a
/// key has, so that a condition on it would judge what another reader never sees.
struct RepeatedKeys {
    /// How much of a value is looked at.
    enum Depth {
        case nothingInside
        case members
        case everything
    }

    private let objects: [JSONValue]

    init(in root: JSONValue) {
        objects = root.descendants.filter { $0.repeatedKey != nil }
    }

    /// What is wrong with the first such object that a path leads through, or that lies in what it selects as far as that is
    /// looked at. Follows "found"; nil if there is none.
    func phrase(along path: JSONPath, in root: JSONValue, _ depth: Depth, _ excerpts: Excerpts) -> String? {
        if objects.isEmpty { return nil }
        let way = path.straightNodes(in: root)
        guard let end = way.last, let object = objects.first(where: { isLookedAt($0, way, end, path, depth) }),
            let key = object.repeatedKey?.string
        else { return nil }
        return "the key \(excerpts.text(key)) more than once in \(object.normalizedPath(in: root) ?? path.text)"
    }

    private func isLookedAt(
        _ object: JSONValue, _ way: [JSONValue], _ end: JSONValue, _ path: JSONPath, _ depth: Depth
    ) -> Bool {
        // A filter can look anywhere.
        if path.hasFilters { return true }
        if way.dropLast().contains(where: { $0.range == object.range }) { return true }
        let isInside = end.range.contains(object.range.lowerBound)
        // A path of several values, or one that goes no further than this, has looked at the last node as well.
        guard path.isSingular, path.stepCount == way.count - 1 else {
            return path.isSingular ? end.range == object.range : isInside
        }
        return switch depth {
        case .nothingInside: false
        case .members: end.range == object.range
        case .everything: isInside
        }
    }
}

extension Conditions {
    /// How much of a value the conditions look at.
    var depth: RepeatedKeys.Depth {
        all.map(\.depth).max { $0.rank < $1.rank } ?? .nothingInside
    }
}

extension Condition {
    fileprivate var depth: RepeatedKeys.Depth {
        switch operation {
        case .equals, .includes, .contains, .in: .everything
        case .length, .empty: .members
        case .type, .matches, .startsWith, .endsWith, .exists, .less, .lessOrEqual, .greater, .greaterOrEqual:
            .nothingInside
        }
    }
}

extension RepeatedKeys.Depth {
    fileprivate var rank: Int {
        switch self {
        case .nothingInside: 0
        case .members: 1
        case .everything: 2
        }
    }
}
