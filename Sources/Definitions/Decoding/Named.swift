package import SourceText

/// One member of an object whose keys the user chooses.
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

extension Sequence {
    /// Inlinable, since other modules look for many names.
    @inlinable
    package subscript<Value>(named name: String) -> Value? where Element == Named<Value> {
        first { $0.name == name }?.value
    }
}
