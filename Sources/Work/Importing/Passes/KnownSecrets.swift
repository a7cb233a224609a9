import ReqcliBasics
import ReqcliRedaction

/// Finds the values of secrets at other places of a source. For example, a password may be repeated at a place whose name doesn't
/// show that the value is a password.
struct KnownSecrets {
    /// Masks secrets in everything that is shown.
    let redactor: Redactor
    private let replaced: Redactor

    /// Values with fewer bytes are not searched for, because they would match ordinary text by accident.
    private static let shortestShown = 4
    private static let shortestReplaced = 8
    /// From this length on, a value without digits isn't an ordinary word either.
    private static let longestWord = 20

    /// Collects the secrets to search for.
    ///
    /// - Parameters:
    ///   - names: The names of secrets by their values.
    ///   - hidden: The names of secrets that are only masked, by their values.
    init(_ names: [String: String], alsoMasking hidden: [String: String] = [:]) {
        func secrets(_ names: [String: String]) -> [Redactor.Secret] {
            names.sorted { $0.key < $1.key }.map { Redactor.Secret(label: $0.value, value: $0.key) }
        }
        let all = secrets(names)
        redactor = Redactor(
            secrets(names.merging(hidden) { own, _ in own }).filter { $0.value.utf8.count >= Self.shortestShown })
        // A user name is not replaced, since it may be an ordinary word at other places.
        replaced = Redactor(all.filter { Self.isDistinctive($0.value) && !$0.label.lowercased().contains("user") })
    }

    /// Whether a value is long and random enough that it doesn't occur by accident: neither a word nor a stand-in such as
    /// `<string>`.
    private static func isDistinctive(_ value: String) -> Bool {
        let bytes = value.utf8
        guard bytes.count >= shortestReplaced, value.first != "<" || value.last != ">" else { return false }
        return bytes.contains(where: \.isDigit) && bytes.contains { !$0.isDigit } || bytes.count >= longestWord
    }

    /// The text with secrets masked. The mask doesn't depend on the names of the secrets.
    func masking(_ text: String) -> String {
        var bytes = Array(text.utf8)
        for match in replaced.matches(in: bytes).reversed() { bytes.replaceSubrange(match.range, with: "***".utf8) }
        return String(decoding: bytes, as: UTF8.self).withoutTokens
    }

    /// The text with placeholders in place of secret values.
    func replacing(in text: String) -> String {
        if replaced.isEmpty { return text }
        var template = TemplateText(text)
        template.pieces = template.pieces.flatMap { piece in
            if case .literal(let literal) = piece { pieces(of: literal) } else { [piece] }
        }
        return template.text
    }

    private func pieces(of literal: String) -> [TemplateText.Piece] {
        let bytes = Array(literal.utf8)
        let matches = replaced.matches(in: bytes).filter(\.isRaw)
        if matches.isEmpty { return [.literal(literal)] }
        var pieces: [TemplateText.Piece] = []
        var start = 0
        for match in matches {
            pieces.append(.literal(String(decoding: bytes[start..<match.range.lowerBound], as: UTF8.self)))
            pieces.append(.placeholder("secret." + replaced.secrets[match.secret].label))
            start = match.range.upperBound
        }
        pieces.append(.literal(String(decoding: bytes[start...], as: UTF8.self)))
        return pieces.filter { $0 != .literal("") }
    }
}
