/// The colour and weight of a piece of text. Styles combine: `[.bold, .red]`.
package struct Style: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    package static let plain: Style = []
    package static let bold = Style(rawValue: 1 << 0)
    package static let dim = Style(rawValue: 1 << 1)
    package static let italic = Style(rawValue: 1 << 2)
    package static let underline = Style(rawValue: 1 << 3)
    package static let red = Style(rawValue: 1 << 4)
    package static let green = Style(rawValue: 1 << 5)
    package static let yellow = Style(rawValue: 1 << 6)
    package static let blue = Style(rawValue: 1 << 7)
    package static let magenta = Style(rawValue: 1 << 8)
    package static let cyan = Style(rawValue: 1 << 9)

    private static let codes: [(Style, Int)] = [
        (.bold, 1), (.dim, 2), (.italic, 3), (.underline, 4),
        (.red, 31), (.green, 32), (.yellow, 33), (.blue, 34), (.magenta, 35), (.cyan, 36),
    ]

    /// `text` between the escape sequences of this style, or unchanged if colour is off.
    package func applied(to text: String, inColour: Bool) -> String {
        guard inColour, !isEmpty, !text.isEmpty else { return text }
        let codes = Self.codes.filter { contains($0.0) }.map { String($0.1) }.joined(separator: ";")
        return "\u{1B}[\(codes)m\(text)\u{1B}[0m"
    }
}
