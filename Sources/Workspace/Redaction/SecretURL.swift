import ReqcliBasics

/// A secret that is a URL, such as a webhook that accepts requests from anyone who knows it.
///
/// A request uses the parts of the URL on their own. The host may become lowercase, escapes may become uppercase, and the path is
/// alone in the request line. The path is treated as the secret part. If the path is too short, the host is treated as the secret
/// part.
struct SecretURL {
    /// The parts of the URL that must not be shown either; empty if the secret is not a URL.
    let pieces: [[UInt8]]

    /// The minimum length of a part. A shorter part, such as `/api`, would match ordinary text by chance.
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

    /// Changes `%2f` to `%2F`, as in requests.
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
