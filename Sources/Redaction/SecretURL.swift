import ASCII

/// A secret that is a URL, as those are to which anybody may post who knows them.
///
/// A request takes it apart: its host may be written in small letters and its escapes in large ones, its path stands
/// alone in a request line. What is secret of it is its path; its host only if there is no path that could be.
struct SecretURL {
    /// The texts that must not be shown instead of the whole; none where the secret is no URL.
    let pieces: [[UInt8]]

    /// A shorter piece, such as `/api`, is found in any text.
    private static let shortestPiece = 6

    init(_ secret: [UInt8]) {
        let secret = Self.withLargeEscapes(secret)
        let small = secret.map(\.lowercased)
        guard let scheme = ["http://", "https://"].first(where: { small.starts(with: $0.utf8) }) else {
            pieces = []
            return
        }
        let start = scheme.utf8.count
        let pathStart = secret[start...].firstIndex { "/?#".utf8.contains($0) } ?? secret.endIndex
        let queryStart = secret[pathStart...].firstIndex { "?#".utf8.contains($0) } ?? secret.endIndex
        let (rest, path) = (Array(secret[pathStart...]), Array(secret[pathStart..<queryStart]))
        let authorities = [Array(secret[start..<pathStart]), Array(small[start..<pathStart])]
        let wholes = authorities.map { Array(scheme.utf8) + $0 + rest }
        let parts = rest.count >= Self.shortestPiece ? [rest, path] : authorities
        pieces = wholes + parts.filter { $0.count >= Self.shortestPiece }
    }

    /// `%2F` for `%2f`, as requests are sent.
    private static func withLargeEscapes(_ text: [UInt8]) -> [UInt8] {
        var result = text
        for index in text.indices where text[index] == UInt8(ascii: "%") {
            for digit in text.indices[(index + 1)...].prefix(2) where (0x61...0x66).contains(text[digit]) {
                result[digit] &= ~0x20
            }
        }
        return result
    }
}
