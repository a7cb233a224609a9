package import SourceText

/// What `{{$uuid}}` and the like came to in the variables of an environment, so that a request and what is expected of its
/// answer have the same values.
package struct DrawnValues: Sendable {
    private struct Spot: Hashable {
        let file: String
        let offset: Int
    }

    private var values: [Spot: OrderedJSON] = [:]
    /// When it was: all times of a request are the same time.
    package var time: Double?

    package init() {}

    package var isEmpty: Bool { values.isEmpty && time == nil }

    /// The value of the placeholder that stands there.
    package subscript(_ place: Place) -> OrderedJSON? {
        get { values[Spot(file: place.file.name, offset: place.range.lowerBound)] }
        set { values[Spot(file: place.file.name, offset: place.range.lowerBound)] = newValue }
    }
}
