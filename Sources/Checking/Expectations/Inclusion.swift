import SourceText

/// Partial equality: the value has at least what is asked for.
///
/// An object has each of these members, each including what is asked of it. An array has, for each element asked for,
/// some element that includes it: in any order, and one element may answer for two. Anything else is equal.
enum Inclusion {
    /// So many are looked for one by one, which takes less than a table of all that there are.
    private static let fewMembers = 4

    static func holds(_ expected: JSONValue, in value: ActualValue) -> Bool {
        guard case .json(let json) = value else { return false }
        return holds(expected, in: json)
    }

    static func holds(_ expected: JSONValue, in value: JSONValue) -> Bool {
        switch (expected.kind, value.kind) {
        case (.object, .object) where expected.count <= fewMembers:
            return expected.members.allSatisfy { member in
                // Of a name that is there twice the last counts.
                guard let wanted = expected[member.name], let found = value[member.name] else { return false }
                return holds(wanted, in: found)
            }
        case (.object, .object):
            let members = value.valuesByName
            return expected.valuesByName.allSatisfy { name, wanted in
                members[name].map { holds(wanted, in: $0) } ?? false
            }
        case (.array, .array):
            return expected.elements.allSatisfy { wanted in value.elements.contains { holds(wanted, in: $0) } }
        default: return value.says(theSameAs: expected)
        }
    }
}

extension JSONValue {
    /// The members of an object; of a name that is there twice the last counts, as it does for a path.
    var valuesByName: [MemberName: JSONValue] {
        var values: [MemberName: JSONValue] = [:]
        values.reserveCapacity(count)
        for member in members { values[MemberName(member.name)] = member.value }
        return values
    }
}

/// A member's name by its scalars: to `String` an é in one scalar and one in two are the same.
struct MemberName: Hashable {
    let text: String
    private let bytes: [UInt8]

    init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    static func == (one: MemberName, other: MemberName) -> Bool { one.bytes == other.bytes }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
