package import ReqcliText

/// The values of generated placeholders, such as `{{$uuid}}`, in the variables of an environment. They are kept so that a request
/// and the expectations on its response use the same values.
package struct DrawnValues: Sendable {
    private struct Spot: Hashable {
        let file: String
        let offset: Int
    }

    private var values: [Spot: OrderedJSON] = [:]
    /// The time for all placeholders of a request that contain the time.
    package var time: Double?

    package init() {}

    package var isEmpty: Bool { values.isEmpty && time == nil }

    /// The value of the placeholder at a place.
    package subscript(_ place: Place) -> OrderedJSON? {
        get { values[Spot(file: place.file.name, offset: place.range.lowerBound)] }
        set { values[Spot(file: place.file.name, offset: place.range.lowerBound)] = newValue }
    }
}
