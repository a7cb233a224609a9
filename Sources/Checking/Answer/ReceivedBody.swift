/// The body of a response, as far as it was read and kept.
package struct ReceivedBody: Sendable {
    package static let usualLimit = 256 << 20

    /// All bytes of the body, or the first ones if the body is larger than the limit.
    package let bytes: [UInt8]
    /// The number of bytes that were read.
    package let size: Int
    /// Whether reading stopped before the body ended.
    package let isLonger: Bool
    /// The maximum size of a body that can be checked, as received and decompressed.
    package let limit: Int

    package init(_ bytes: [UInt8], size: Int? = nil, isLonger: Bool = false, limit: Int = Self.usualLimit) {
        self.bytes = bytes
        self.size = size ?? bytes.count
        self.isLonger = isLonger
        self.limit = limit
    }

    var isTooLarge: Bool { size > limit }
}
