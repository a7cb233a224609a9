import ReqcliDefinitions
import ReqcliJSONPath
import ReqcliMatching
import ReqcliText

/// The objects of a response that have a duplicate key. JSON readers disagree about which value of such a key counts, so a check
/// could look at a value that other readers don't see.
struct RepeatedKeys {
    /// The depth to which a condition looks into a value.
    enum Depth: Comparable {
        case nothingInside
        case members
        case everything
    }

    private let objects: [JSONValue]

    init(in root: JSONValue) {
        objects = root.descendants.filter { $0.repeatedKey != nil }
    }

    /// Describes the first object with a duplicate key that a check reads, for the text after "found". Nil if there is no such
    /// object. A check reads the objects along the path, and the selected values as deeply as `depth` says.
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
        // If the path ends early because a member is missing, the last object was read as well. If the path selects several
        // values, everything in the last node may be read.
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
    /// The depth to which the conditions look into a value.
    var depth: RepeatedKeys.Depth {
        all.map(\.depth).max() ?? .nothingInside
    }
}

extension Condition {
    fileprivate var depth: RepeatedKeys.Depth {
        switch operand {
        case .value, .list, .schema: .everything
        case .lengths: .members
        case .open, .type, .pattern, .text, .truth, .number: .nothingInside
        }
    }
}
