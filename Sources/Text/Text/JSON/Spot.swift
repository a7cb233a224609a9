/// The place of an object or array of a document as a key of a dictionary: no other one begins there.
package struct Spot: Hashable, Sendable {
    private let file: ObjectIdentifier
    private let offset: Int

    package init(_ value: JSONValue) {
        file = ObjectIdentifier(value.document.file)
        offset = value.range.lowerBound
    }
}
