package import Exchange

extension ReceivedBody {
    /// The number of first bytes that are kept of a body that is too large. A report shows no more than these.
    package static let shownBytes = 64 << 10

    /// Reads a body. If it is larger than the limit, reading continues only as long as `isTimed` says that the time of the whole
    /// body matters.
    package init(_ body: ResponseBody, limit: Int, readingOnWhile isTimed: () -> Bool) async throws {
        var bytes: [UInt8] = []
        var size = 0
        var isLonger = false
        for try await chunk in body {
            size += chunk.count
            if size <= limit {
                bytes += chunk
            } else {
                bytes = Array(bytes.prefix(Self.shownBytes))
                bytes += chunk.prefix(Self.shownBytes - bytes.count)
                isLonger = !isTimed()
                if isLonger { break }
            }
        }
        self.init(bytes, size: size, isLonger: isLonger, limit: limit)
    }
}
