/// A message for users. Its own words are distinguished from the values that it quotes, and secrets are masked only in the
/// values.
///
/// The words of a string literal are own words, and an interpolated value is quoted: `"cannot read \(value)"`. Names from the
/// workspace are own words, too: `"\(own: endpoint.id) has no case"`.
package struct Wording: Sendable {
    package struct Part: Sendable {
        package let text: String
        /// Whether the part comes from a server or a user.
        package let isQuoted: Bool
    }

    package private(set) var parts: [Part]

    /// A wording that consists of one quoted value.
    package init(quoting text: String) { parts = [Part(text: text, isQuoted: true)] }

    /// A wording that quotes nothing.
    package init(own text: String) { parts = [Part(text: text, isQuoted: false)] }

    private init(_ parts: [Part]) { self.parts = parts }

    package var text: String {
        if parts.count == 1 { return parts[0].text }
        return parts.map(\.text).joined()
    }

    /// A copy with `text` in place of each quoted value.
    package func replacingQuotes(with text: String) -> Wording {
        Wording(parts.map { $0.isQuoted ? Part(text: text, isQuoted: false) : $0 })
    }

    /// A copy in which quoted values, and the whole, have at most so many characters. Cut texts end in `…`.
    ///
    /// Mask the secrets first: a part of a secret is not recognized.
    package func limited(quotes: Int, total: Int) -> Wording {
        var left = total
        var result: [Part] = []
        for part in parts where left > 0 {
            let limit = part.isQuoted ? min(quotes, left) : left
            let text = part.text.count > limit ? part.text.prefix(limit) + "…" : part.text[...]
            result.append(Part(text: String(text), isQuoted: part.isQuoted))
            left -= text.count
        }
        return Wording(result)
    }

    package static func + (first: Wording, second: Wording) -> Wording { Wording(first.parts + second.parts) }
}

extension Wording: ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) { self.init(own: value) }

    package init(stringInterpolation: StringInterpolation) { self.init(stringInterpolation.parts) }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            parts.reserveCapacity(2 * interpolationCount + 1)
        }

        package mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { parts.append(Part(text: literal, isQuoted: false)) }
        }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            parts.append(Part(text: value.description, isQuoted: true))
        }

        package mutating func appendInterpolation(_ number: some BinaryInteger) { appendLiteral("\(number)") }

        package mutating func appendInterpolation(own text: String) { appendLiteral(text) }

        package mutating func appendInterpolation(_ wording: Wording) { parts += wording.parts }
    }
}

extension Wording: CustomStringConvertible {
    package var description: String { text }
}

extension Wording: Equatable {
    /// Two wordings with the same text are equal, whichever parts are quoted.
    package static func == (first: Wording, second: Wording) -> Bool { first.text == second.text }
}

extension Sequence<Wording> {
    package func joined(separator: Wording = "") -> Wording {
        var result: Wording?
        for each in self { result = result.map { $0 + separator + each } ?? each }
        return result ?? ""
    }
}
