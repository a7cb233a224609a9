import ReqcliMatching
import ReqcliText

/// A hash for each value of a document. Equal values have equal hashes, even if their members are in a different order or their
/// numbers are written in a different way.
///
/// All hashes are computed in one pass, so that comparing values many times is cheap. The hash function has a new seed in each
/// run, so two different values have the same 64 bits only by chance.
struct JSONFingerprints {
    /// The hashes of objects and arrays, by the offset of their text.
    private var containers: [Int: Int] = [:]
    private let ignored: Set<Int>

    init(of root: JSONValue, ignoring nodes: [JSONValue] = []) {
        ignored = Set(nodes.map(\.range.lowerBound))
        let all = root.descendants.filter { $0.kind == .object || $0.kind == .array }
        // The list has each container before its contents. In reverse order, the contents are hashed before their container.
        for container in all.reversed() {
            containers[container.range.lowerBound] =
                container.kind == .object ? members(container) : elements(container)
        }
    }

    /// The hash of a value; nil if the value is ignored.
    subscript(value: JSONValue) -> Int? {
        if ignored.contains(value.range.lowerBound) { return nil }
        var hasher = Hasher()
        switch value.kind {
        case .object, .array: return containers[value.range.lowerBound]
        case .number: hasher.combine(value.number)
        // Don't compare as `String`, because a `String` treats é as one scalar and é as two scalars as equal.
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
        // Add up the hashes of the members, because the order of members must not matter.
        object.valuesByName.reduce(into: JSONValue.Kind.object.hashValue) { sum, member in
            guard let value = self[member.value] else { return }
            var hasher = Hasher()
            hasher.combine(member.key)
            hasher.combine(value)
            sum &+= hasher.finalize()
        }
    }
}
