/// The types of JSON Schema.
package enum JSONTypeName: String, Sendable, CaseIterable {
    case object, array, string, number, integer, boolean, null

    package var phrase: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string: "text"
        case .number: "a number"
        case .integer: "a whole number"
        case .boolean: "true or false"
        case .null: "null"
        }
    }
}
