/// The output of a rendering for stdout, and its notes for stderr.
package struct Rendered: Hashable, Sendable {
    /// The output as bytes, because the `http` format may hold a binary body. It has no final line break.
    package let bytes: [UInt8]
    /// Notes of one line each, about options that the format can't express and masked secrets.
    package let notes: [String]

    package init(bytes: [UInt8], notes: [String]) {
        self.bytes = bytes
        self.notes = notes
    }

    package init(_ text: String, notes: [String]) {
        self.init(bytes: Array(text.utf8), notes: notes)
    }

    /// The bytes as text, for the formats that are always text.
    package var command: String { String(decoding: bytes, as: UTF8.self) }
}

/// The reason why a request can't be rendered.
package struct RenderingError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
