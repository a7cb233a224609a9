package import ReqcliText

/// A member of an object whose keys the user chooses.
@usableFromInline
package struct Named<Value: Sendable>: Sendable {
    @usableFromInline package let name: String
    package let namePlace: Place
    @usableFromInline package let value: Value

    package init(_ name: String, at namePlace: Place, _ value: Value) {
        self.name = name
        self.namePlace = namePlace
        self.value = value
    }
}

extension Array {
    /// The value of the first member with this name; nil if there is none. Inlinable, because other modules look up many names.
    /// Loops over indices, because a loop over elements copies them.
    @inlinable
    package subscript<Value>(named name: String) -> Value? where Element == Named<Value> {
        firstIndex { $0.name == name }.map { self[$0].value }
    }
}

extension Array {
    /// The positions of all names, for looking up many names in a long list. If a name occurs more than once, the result has its
    /// first position.
    package func positions<Value>() -> [String: Int] where Element == Named<Value> {
        var positions: [String: Int] = [:]
        positions.reserveCapacity(count)
        // A loop over `indices` would look for a conformance among all in the program.
        for index in stride(from: count - 1, through: 0, by: -1) { positions[self[index].name] = index }
        return positions
    }
}

extension Array {
    /// The values that are set, and the names that are removed with `null`.
    func split<Value>() -> (set: [Named<Value>], removed: Set<String>) where Element == Named<Setting<Value>> {
        (
            compactMap { item in item.value.set.map { Named(item.name, at: item.namePlace, $0) } },
            Set(filter { $0.value.set == nil }.map(\.name))
        )
    }
}
