/// The place of an object or array in a document. It can be a dictionary key, because no other value begins at the same place.
package struct Spot: Hashable, Sendable {
    private let file: ObjectIdentifier
    private let offset: Int

    package init(_ value: JSONValue) {
        file = ObjectIdentifier(value.document.file)
        offset = value.range.lowerBound
    }
}
