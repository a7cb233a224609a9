package import ReqcliText

/// Partial equality: the value has at least what is expected.
///
/// An object must have each expected member, and the value of the member must include the expected value. An array must have, in
/// any order, an element that includes each expected element. The same element may include two expected elements. Other values
/// must be equal.
package enum Inclusion {
    static func holds(_ expected: JSONValue, in value: ActualValue) -> Bool {
        guard case .json(let json) = value else { return false }
        return holds(expected, in: json)
    }

    package static func holds(_ expected: JSONValue, in value: JSONValue) -> Bool {
        switch (expected.kind, value.kind) {
        case (.object, .object):
            let members = value.valuesByName
            return expected.valuesByName.allSatisfy { name, wanted in
                members[name].map { holds(wanted, in: $0) } ?? false
            }
        case (.array, .array):
            return expected.elements.allSatisfy { wanted in value.elements.contains { holds(wanted, in: $0) } }
        default: return value.isEquivalent(to: expected)
        }
    }
}

extension JSONValue {
    /// The members of an object by name. If a name is repeated, its last value is used, as in a JSONPath.
    package var valuesByName: [MemberName: JSONValue] {
        var values: [MemberName: JSONValue] = [:]
        values.reserveCapacity(count)
        for member in members { values[MemberName(member.name)] = member.value }
        return values
    }
}
