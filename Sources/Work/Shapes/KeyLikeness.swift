import ReqcliBasics

/// The kind of string that a key of an object looks like. An object whose keys are all ids or all locales is a map.
enum KeyLikeness: Sendable {
    /// A number or a UUID.
    case identifier
    /// A string that is almost certainly a locale, such as `de` or `pt-BR`.
    case locale
    /// Two letters that may be a language or a word, such as `it`.
    case perhapsLocale
    case none

    init(_ key: String) {
        if !key.isEmpty, key.utf8.allSatisfy(\.isDigit) || StringFormats(key).contains(.uuid) {
            self = .identifier
        } else {
            self = Self.ofLocale(key)
        }
    }

    private static func ofLocale(_ key: String) -> Self {
        guard key.utf8.count <= 12 else { return .none }
        let parts = key.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        let language = parts[0]
        guard language.utf8.count == 2, language.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else { return .none }
        if parts.count == 1 {
            return commonLanguages.contains(key) ? .locale : language == "id" ? .none : .perhapsLocale
        }
        return parts.dropFirst().allSatisfy(isSubtag) ? .locale : .none
    }

    /// A region such as `BR` or `419`, or a script such as `Hans`.
    private static func isSubtag(_ text: Substring) -> Bool {
        switch text.utf8.count {
        case 2: text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        case 3: text.utf8.allSatisfy(\.isDigit)
        case 4: text.utf8.allSatisfy(\.isLetter) && (0x41...0x5A).contains(text.utf8.first ?? 0)
        default: false
        }
    }

    private static let commonLanguages: Set = [
        "ar", "cs", "da", "de", "el", "en", "es", "fi", "fr", "he", "hi", "hu", "ja", "ko", "nl", "pl", "pt", "ro",
        "ru",
        "sv", "th", "tr", "uk", "vi", "zh",
    ]

    /// Whether keys that look like this can be the keys of a map; true if there are no keys.
    static func areOfMap(_ keys: some Sequence<KeyLikeness>) -> Bool {
        var seen: (identifiers: Bool, locales: Bool, perhaps: Bool) = (false, false, false)
        for key in keys {
            switch key {
            case .identifier: seen.identifiers = true
            case .locale: seen.locales = true
            case .perhapsLocale: seen.perhaps = true
            case .none: return false
            }
        }
        return seen.identifiers ? !seen.locales && !seen.perhaps : seen.locales || !seen.perhaps
    }
}
