import ReqcliText

/// A version of OpenAPI that descriptions are written in.
package enum OpenAPIVersion: Int, Sendable, CaseIterable, Comparable {
    case swagger
    case v30
    case v31
    case v32

    package static func < (one: OpenAPIVersion, other: OpenAPIVersion) -> Bool { one.rawValue < other.rawValue }

    package var title: String { ["Swagger 2.0", "OpenAPI 3.0", "OpenAPI 3.1", "OpenAPI 3.2"][rawValue] }

    /// Whether schemas are JSON Schema 2020-12 without any conversion.
    package var hasJSONSchema: Bool { self >= .v31 }

    /// The version that a description states. Throws if the version is missing or unknown.
    static func of(_ root: JSONValue) throws(OpenAPIProblem) -> OpenAPIVersion {
        if let stated = root["openapi"] {
            // In YAML, a version without quotes is a number.
            let parts = (stated.string ?? stated.text).split(separator: ".", omittingEmptySubsequences: false)
            if parts.count > 1, parts[0] == "3", let index = ["0", "1", "2"].firstIndex(of: parts[1]) {
                return allCases[index + 1]
            }
            throw unknown(stated)
        }
        guard let stated = root["swagger"] else {
            throw OpenAPIProblem(
                "this is not a description of an API: it has neither \"openapi\" nor \"swagger\"",
                at: Place(root.place.file, root.range.lowerBound..<root.range.lowerBound), hint: expected)
        }
        guard ["2.0", "2"].contains(stated.string ?? stated.text) else { throw unknown(stated) }
        return .swagger
    }

    private static func unknown(_ stated: JSONValue) -> OpenAPIProblem {
        OpenAPIProblem("unknown version of OpenAPI", at: stated.place, hint: expected)
    }

    private static var expected: String { "expected " + allCases.map(\.title).joined(separator: ", ") }
}
