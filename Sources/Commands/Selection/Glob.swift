/// A pattern for ids: `*` stands for any text, dots included, and `?` for one character.
struct Glob: Sendable {
    private let pattern: [UInt8]

    /// Nil if there is nothing in the text that a glob gives a meaning to.
    init?(_ text: String) {
        guard text.utf8.contains(where: { $0 == Self.any || $0 == Self.one }) else { return nil }
        pattern = Array(text.utf8)
    }

    private static let any = UInt8(ascii: "*")
    private static let one = UInt8(ascii: "?")

    /// What every match begins with.
    var start: String {
        String(decoding: pattern.prefix { $0 != Self.any && $0 != Self.one }, as: UTF8.self)
    }

    /// Ids are ASCII, so bytes are characters. Of all stars only the last one met can need more text than it has.
    func matches(_ text: String) -> Bool {
        let text = Array(text.utf8)
        var (here, there) = (0, 0)
        var star: (here: Int, there: Int)?
        while there < text.count {
            if here < pattern.count, pattern[here] == Self.any {
                star = (here, there)
                here += 1
            } else if here < pattern.count, pattern[here] == text[there] || pattern[here] == Self.one {
                here += 1
                there += 1
            } else if let last = star {
                star = (last.here, last.there + 1)
                (here, there) = (last.here + 1, last.there + 1)
            } else {
                return false
            }
        }
        return pattern[here...].allSatisfy { $0 == Self.any }
    }
}
