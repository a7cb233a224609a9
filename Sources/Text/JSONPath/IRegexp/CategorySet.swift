/// Unicode's general categories, as in `\p{…}`: `Lu`, or `L` for all letters.
struct CategorySet: OptionSet, Sendable {
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Nil if RFC 9485 has no such category. The RFC has no category Cs, because a string contains no surrogates.
    init?(named name: some StringProtocol) {
        let found = Self.names.filter { name.count == 1 ? $0.name.hasPrefix(name) : $0.name == name }
        guard !found.isEmpty else { return nil }
        self = found.reduce(into: []) { $0.insert(Self($1.category)) }
    }

    init(_ category: Unicode.GeneralCategory) {
        self.init(rawValue: Self.bits[category] ?? 0)
    }

    private static let bits = Dictionary(
        uniqueKeysWithValues: names.enumerated().map { ($1.category, UInt32(1) << UInt32($0)) })

    private static let names: [(name: String, category: Unicode.GeneralCategory)] = [
        ("Ll", .lowercaseLetter), ("Lm", .modifierLetter), ("Lo", .otherLetter), ("Lt", .titlecaseLetter),
        ("Lu", .uppercaseLetter),
        ("Mc", .spacingMark), ("Me", .enclosingMark), ("Mn", .nonspacingMark),
        ("Nd", .decimalNumber), ("Nl", .letterNumber), ("No", .otherNumber),
        ("Pc", .connectorPunctuation), ("Pd", .dashPunctuation), ("Pe", .closePunctuation),
        ("Pf", .finalPunctuation), ("Pi", .initialPunctuation), ("Po", .otherPunctuation),
        ("Ps", .openPunctuation),
        ("Zl", .lineSeparator), ("Zp", .paragraphSeparator), ("Zs", .spaceSeparator),
        ("Sc", .currencySymbol), ("Sk", .modifierSymbol), ("Sm", .mathSymbol), ("So", .otherSymbol),
        ("Cc", .control), ("Cf", .format), ("Cn", .unassigned), ("Co", .privateUse),
    ]
}
