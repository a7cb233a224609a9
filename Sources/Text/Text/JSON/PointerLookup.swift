/// Finds values by the tokens of a JSON pointer. Large objects are indexed once. Without the index, 100,000 pointers into 100,000
/// members would compare each pointer with each member.
package struct PointerLookup: Sendable {
    /// The members of large objects by name. An object is added when a pointer leads through it for the first time.
    private var largeObjects: [Spot: [[UInt8]: JSONValue]] = [:]

    package init() {}

    package mutating func child(_ token: String, of value: JSONValue) -> JSONValue? {
        if value.kind == .array {
            guard let index = Int(token), index >= 0, String(index) == token, index < value.count else { return nil }
            return value.elements.dropFirst(index).first { _ in true }
        }
        if value.count < 32 { return value[token] }
        let spot = Spot(value)
        if let members = largeObjects[spot] { return members[Array(token.utf8)] }
        let members = Dictionary(value.members.map { (Array($0.name.utf8), $0.value) }, uniquingKeysWith: { $1 })
        largeObjects[spot] = members
        return members[Array(token.utf8)]
    }
}
