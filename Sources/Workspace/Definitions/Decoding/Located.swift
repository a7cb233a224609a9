package import ReqcliText

/// A value from a user's file together with its place.
package struct Located<Value: Sendable>: Sendable {
    package let value: Value
    package let place: Place

    package init(_ value: Value, at place: Place) {
        self.value = value
        self.place = place
    }
}

extension Located: Equatable where Value: Equatable {}

/// A setting of one layer, with its place; the later layer wins.
package struct Setting<Value: Sendable>: Sendable {
    /// Nil for `null`, which removes what earlier layers say.
    package let set: Value?
    package let place: Place

    package init(_ value: Value?, at place: Place) {
        set = value
        self.place = place
    }
}
