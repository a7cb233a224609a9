/// A member's name, compared by its scalars. `String` instead treats é as one scalar and é as two scalars as equal.
package struct MemberName: Hashable, Sendable {
    package let text: String
    private let bytes: [UInt8]

    package init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    package static func == (one: MemberName, other: MemberName) -> Bool { one.bytes == other.bytes }

    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
