/// The type of a body without its parameters, in lowercase: `application/json` for `Application/JSON; charset=utf-8`.
package struct MediaType: Sendable, Equatable {
    package let name: String

    /// - Parameter text: The value of a header `Content-Type`.
    package init(_ text: String) {
        name = Substring(text.utf8.prefix { $0 != UInt8(ascii: ";") }).trimmingSpacesAndTabs.lowercased()
    }

    /// Whether this is a JSON type, as the MIME Sniffing standard defines it.
    package var isJSON: Bool { name == "application/json" || name == "text/json" || name.hasSuffix("+json") }
    package var isForm: Bool { name == "application/x-www-form-urlencoded" }
    package var isMultipart: Bool { name == "multipart/form-data" }
    /// Whether this is an XML type, as the MIME Sniffing standard defines it.
    package var isXML: Bool { name == "application/xml" || name == "text/xml" || name.hasSuffix("+xml") }
}
