import ReqcliDefinitions
import ReqcliJSONPath
import ReqcliMatching
import ReqcliText

/// The objects of a response that have a duplicate key. JSON readers disagree about which of its values counts, so a
/// check would look at a value that other readers don't see.
struct RepeatedKeys {
    /// How deeply a condition looks into a value.
    enum Depth: Comparable {
        case nothingInside
        case members
        case everything
    }

    private let objects: [JSONValue]

    init(in root: JSONValue) {
        objects = root.descendants.filter { $0.repeatedKey != nil }
    }

    /// The text after "found" for the first such object on the way of a path, or in the selected values as deeply as
    /// the conditions look; nil if there is none.
    func phrase(along path: JSONPath, in root: JSONValue, _ depth: Depth, _ excerpts: Excerpts) -> Wording? {
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
        // A filter may look at any object.
        if path.hasFilters { return true }
        if way.dropLast().contains(where: { $0.range == object.range }) { return true }
        let isInside = end.range.contains(object.range.lowerBound)
        // A path that selects several values, or stops here, has looked at the last node too.
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
    /// How deeply the conditions look into a value.
    var depth: RepeatedKeys.Depth {
        all.map(\.depth).max() ?? .nothingInside
    }
}

extension Condition {
    fileprivate var depth: RepeatedKeys.Depth {
        switch operation {
        case .equals, .includes, .contains, .in, .schema: .everything
        case .length, .empty: .members
        case .type, .matches, .startsWith, .endsWith, .exists, .less, .lessOrEqual, .greater, .greaterOrEqual:
            .nothingInside
        }
    }
}
