/// The parts of a JSON text that are needed.
package struct JSONScope: Sendable {
    /// Whether the value is looked at with everything inside it.
    package var isWhole = false
    /// The members that are looked at by name.
    private var members: [(name: [UInt8], scope: JSONScope)] = []
    /// The elements that are looked at by number, counted from the first.
    private var elements: [(index: Int, scope: JSONScope)] = []
    /// The scope of each child; none, or one scope. (A list, because a structure can't contain itself.)
    private var children: [JSONScope] = []

    package init() {}

    var hasElements: Bool { !elements.isEmpty }

    /// Widens the scope of one member.
    package mutating func widen(member name: String, _ change: (inout JSONScope) -> Void) {
        let name = Array(name.utf8)
        if let known = members.firstIndex(where: { $0.name == name }) { return change(&members[known].scope) }
        members.append((name, JSONScope()))
        change(&members[members.count - 1].scope)
    }

    /// Widens the scope of one element.
    package mutating func widen(element index: Int, _ change: (inout JSONScope) -> Void) {
        if let known = elements.firstIndex(where: { $0.index == index }) { return change(&elements[known].scope) }
        elements.append((index, JSONScope()))
        change(&elements[elements.count - 1].scope)
    }

    /// Widens the scope of every child.
    package mutating func widenChildren(_ change: (inout JSONScope) -> Void) {
        if children.isEmpty { children.append(JSONScope()) }
        change(&children[0])
    }

    /// The scope of a member; nil if it is not needed.
    func member(_ name: some Collection<UInt8>) -> JSONScope? {
        union(members.first { $0.name.elementsEqual(name) }?.scope)
    }

    /// The scope of an element; nil if it is not needed.
    func element(_ index: Int) -> JSONScope? {
        union(elements.first { $0.index == index }?.scope)
    }

    private func union(_ one: JSONScope?) -> JSONScope? {
        guard var union = one, let other = children.first else { return one ?? children.first }
        union.add(other)
        return union
    }

    private mutating func add(_ other: JSONScope) {
        isWhole = isWhole || other.isWhole
        for (name, scope) in other.members {
            if let known = members.firstIndex(where: { $0.name == name }) {
                members[known].scope.add(scope)
            } else {
                members.append((name, scope))
            }
        }
        for (index, scope) in other.elements { widen(element: index) { $0.add(scope) } }
        for scope in other.children { widenChildren { $0.add(scope) } }
    }
}
