package import SourceText

/// One member of an object whose keys the user chooses.
package struct Named<Value: Sendable>: Sendable {
    package let name: String
    package let namePlace: Place
    package let value: Value

    package init(_ name: String, at namePlace: Place, _ value: Value) {
        self.name = name
        self.namePlace = namePlace
        self.value = value
    }
}

extension Sequence {
    package subscript<Value>(named name: String) -> Value? where Element == Named<Value> {
        first { $0.name == name }?.value
    }
}
