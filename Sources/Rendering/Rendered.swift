/// What a rendering puts on stdout, and what it has to say on stderr.
package struct Rendered: Hashable, Sendable {
    /// Bytes, since the `http` format may hold a binary body. They don't end with a line break of their own.
    package let bytes: [UInt8]
    /// One line each: what the format can't express, what was masked.
    package let notes: [String]

    package init(bytes: [UInt8], notes: [String]) {
        self.bytes = bytes
        self.notes = notes
    }

    package init(_ text: String, notes: [String]) {
        self.init(bytes: Array(text.utf8), notes: notes)
    }

    /// The bytes as text; a shell command always is text.
    package var command: String { String(decoding: bytes, as: UTF8.self) }
}

/// Why a request can't be rendered.
package struct RenderingError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
