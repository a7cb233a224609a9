import Foundation

/// Names of sources in Latin letters without accents, for ids, which have only those.
enum Transliteration {
    /// `Groesse` would need to know the language; letters with accents lose the accent: `Grosse` for `Größe`. A letter of a script
    /// without an alphabet stays as it is.
    static func latin(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return String(text) }
        var result = ""
        for scalar in String(text).unicodeScalars {
            if scalar.isASCII {
                result.unicodeScalars.append(scalar)
            } else if let letters = letters[scalar] {
                result += letters
            } else if let lower = scalar.properties.lowercaseMapping.unicodeScalars.first, let letters = letters[lower]
            {
                result += letters.prefix(1).uppercased() + letters.dropFirst()
            } else {
                let parts = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
                result.unicodeScalars.append(
                    contentsOf: parts.filter { $0.properties.generalCategory != .nonspacingMark })
            }
        }
        return result
    }

    private static let letters: [Unicode.Scalar: String] = Dictionary(
        uniqueKeysWithValues: (latinLetters + " " + cyrillic + " " + greek).split(separator: " ").map { pair in
            (pair.unicodeScalars[pair.unicodeScalars.startIndex], String(pair.unicodeScalars.dropFirst()))
        })

    // Each letter with its transliteration.
    private static let latinLetters = "ßss æae œoe øo łl đd ðd þth ıi ŋng ħh ŧt ſs"
    private static let cyrillic =
        "аa бb вv гg дd еe ёyo жzh зz иi йy кk лl мm нn оo пp рr сs тt уu фf хkh цts чch шsh щshch ъ ыy ь эe юyu яya "
        + "іi їyi єye ґg ўu ђdj јj љlj њnj ћc џdz ѓg ѕdz ќk"
    private static let greek =
        "αa βv γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs ςs τt υy φf χch ψps ωo άa έe ήi ίi όo ύy ώo ϊi ϋy"
}
