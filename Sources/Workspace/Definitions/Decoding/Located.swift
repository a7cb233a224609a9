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

/// The value of a setting in one layer: a value, or `null`, which removes the inherited value.
package enum Override<Value: Sendable>: Sendable {
    case set(Value)
    case removed

    package var value: Value? {
        switch self {
        case .set(let value): value
        case .removed: nil
        }
    }
}

/// A setting of one layer, with its place; the later layer wins.
package typealias Setting<Value: Sendable> = Located<Override<Value>>
