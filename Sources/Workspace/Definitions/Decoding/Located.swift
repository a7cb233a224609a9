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

/// A setting of one layer, with its place. If several layers have the same setting, the last layer wins.
package struct Setting<Value: Sendable>: Sendable {
    /// The value; nil for `null`, which removes the value of earlier layers.
    package let set: Value?
    package let place: Place

    package init(_ value: Value?, at place: Place) {
        set = value
        self.place = place
    }
}
