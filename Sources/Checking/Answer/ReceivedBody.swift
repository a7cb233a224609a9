/// The body of a response, as far as it was read and kept.
package struct ReceivedBody: Sendable {
    package static let usualLimit = 256 << 20

    /// All bytes, or the first ones where the body is larger than the limit.
    package let bytes: [UInt8]
    /// How many bytes were read.
    package let size: Int
    /// Whether reading stopped before the body ended.
    package let isLonger: Bool
    /// A body that is larger, as it came or decompressed, can't be judged.
    package let limit: Int

    package init(_ bytes: [UInt8], size: Int? = nil, isLonger: Bool = false, limit: Int = Self.usualLimit) {
        self.bytes = bytes
        self.size = size ?? bytes.count
        self.isLonger = isLonger
        self.limit = limit
    }

    var isTooLarge: Bool { size > limit }
}
