import ReqcliMatching
import ReqcliText

/// A number for each value of a document; equal values have equal numbers, whatever the order of members and however numbers are
/// written.
///
/// The numbers are computed in one pass, so that comparing values many times is cheap. The hash has a new seed in each run, so
/// two different values have the same 64 bits only by chance.
struct JSONFingerprints {
    /// The numbers of objects and arrays, by the offset of their text.
    private var containers: [Int: Int] = [:]
    private let ignored: Set<Int>

    init(of root: JSONValue, ignoring nodes: [JSONValue] = []) {
        ignored = Set(nodes.map(\.range.lowerBound))
        let all = root.descendants.filter { $0.kind == .object || $0.kind == .array }
        // In this list, a container is before its contents, so its contents are visited first in reverse order.
        for container in all.reversed() {
            containers[container.range.lowerBound] =
                container.kind == .object ? members(container) : elements(container)
        }
    }

    /// Nil for a value that is ignored.
    subscript(value: JSONValue) -> Int? {
        if ignored.contains(value.range.lowerBound) { return nil }
        var hasher = Hasher()
        switch value.kind {
        case .object, .array: return containers[value.range.lowerBound]
        case .number: hasher.combine(value.number)
        // Not as a `String`, which treats é as one scalar and é as two scalars as equal.
        case .string: hasher.combine(MemberName(value.string ?? ""))
        case .true, .false, .null, .invalid: hasher.combine(value.kind)
        }
        return hasher.finalize()
    }

    private func elements(_ array: JSONValue) -> Int {
        var hasher = Hasher()
        hasher.combine(JSONValue.Kind.array)
        for element in array.elements { self[element].map { hasher.combine($0) } }
        return hasher.finalize()
    }

    private func members(_ object: JSONValue) -> Int {
        // A sum, since members may be in any order.
        object.valuesByName.reduce(into: JSONValue.Kind.object.hashValue) { sum, member in
            guard let value = self[member.value] else { return }
            var hasher = Hasher()
            hasher.combine(member.key)
            hasher.combine(value)
            sum &+= hasher.finalize()
        }
    }
}
