/// The names that ECMA-262 gives to Unicode's properties, as in `\p{Alphabetic}` and `\p{Letter}`.
enum UnicodeProperties {
    /// Emoji_Component and Extended_Pictographic are missing, because Swift doesn't have them.
    static let binary: [String: ScalarSet.Property] = {
        var properties: [String: ScalarSet.Property] = [
            "ASCII": { $0.isASCII }, "Any": { _ in true }, "Regional_Indicator": isRegionalIndicator,
            "RI": isRegionalIndicator,
        ]
        for (names, property) in named {
            for name in names.split(separator: " ") { properties[String(name)] = { property($0.properties) } }
        }
        return properties
    }()

    private static let isRegionalIndicator: ScalarSet.Property = { ("\u{1F1E6}"..."\u{1F1FF}").contains($0) }

    private typealias Named = (names: String, property: @Sendable (Unicode.Scalar.Properties) -> Bool)

    private static let named: [Named] = [
        ("Assigned", { $0.generalCategory != .unassigned }),
        ("Alphabetic Alpha", { $0.isAlphabetic }), ("ASCII_Hex_Digit AHex", { $0.isASCIIHexDigit }),
        ("Bidi_Control Bidi_C", { $0.isBidiControl }), ("Bidi_Mirrored Bidi_M", { $0.isBidiMirrored }),
        ("Case_Ignorable CI", { $0.isCaseIgnorable }), ("Cased", { $0.isCased }),
        ("Changes_When_Casefolded CWCF", { $0.changesWhenCaseFolded }),
        ("Changes_When_Casemapped CWCM", { $0.changesWhenCaseMapped }),
        ("Changes_When_Lowercased CWL", { $0.changesWhenLowercased }),
        ("Changes_When_NFKC_Casefolded CWKCF", { $0.changesWhenNFKCCaseFolded }),
        ("Changes_When_Titlecased CWT", { $0.changesWhenTitlecased }),
        ("Changes_When_Uppercased CWU", { $0.changesWhenUppercased }), ("Dash", { $0.isDash }),
        ("Default_Ignorable_Code_Point DI", { $0.isDefaultIgnorableCodePoint }),
        ("Deprecated Dep", { $0.isDeprecated }),
        ("Diacritic Dia", { $0.isDiacritic }), ("Emoji", { $0.isEmoji }),
        ("Emoji_Modifier EMod", { $0.isEmojiModifier }), ("Emoji_Modifier_Base EBase", { $0.isEmojiModifierBase }),
        ("Emoji_Presentation EPres", { $0.isEmojiPresentation }), ("Extender Ext", { $0.isExtender }),
        ("Grapheme_Base Gr_Base", { $0.isGraphemeBase }), ("Grapheme_Extend Gr_Ext", { $0.isGraphemeExtend }),
        ("Hex_Digit Hex", { $0.isHexDigit }), ("IDS_Binary_Operator IDSB", { $0.isIDSBinaryOperator }),
        ("IDS_Trinary_Operator IDST", { $0.isIDSTrinaryOperator }), ("ID_Continue IDC", { $0.isIDContinue }),
        ("ID_Start IDS", { $0.isIDStart }), ("Ideographic Ideo", { $0.isIdeographic }),
        ("Join_Control Join_C", { $0.isJoinControl }), ("Logical_Order_Exception LOE", { $0.isLogicalOrderException }),
        ("Lowercase Lower", { $0.isLowercase }), ("Math", { $0.isMath }),
        ("Noncharacter_Code_Point NChar", { $0.isNoncharacterCodePoint }),
        ("Pattern_Syntax Pat_Syn", { $0.isPatternSyntax }), ("Pattern_White_Space Pat_WS", { $0.isPatternWhitespace }),
        ("Quotation_Mark QMark", { $0.isQuotationMark }), ("Radical", { $0.isRadical }),
        ("Sentence_Terminal STerm", { $0.isSentenceTerminal }), ("Soft_Dotted SD", { $0.isSoftDotted }),
        ("Terminal_Punctuation Term", { $0.isTerminalPunctuation }),
        ("Unified_Ideograph UIdeo", { $0.isUnifiedIdeograph }), ("Uppercase Upper", { $0.isUppercase }),
        ("Variation_Selector VS", { $0.isVariationSelector }), ("White_Space space", { $0.isWhitespace }),
        ("XID_Continue XIDC", { $0.isXIDContinue }), ("XID_Start XIDS", { $0.isXIDStart }),
    ]
}

extension CategorySet {
    /// Finds a category by a name such as `Lu`, `Uppercase_Letter` or `L`. Nil if ECMA-262 has no category of this name.
    init?(ecmaName name: String) {
        // The category Cs matches nothing, because no string contains surrogates.
        if name == "Cs" || name == "Surrogate" {
            self = []
        } else if name == "LC" || name == "Cased_Letter" {
            self = [.init(.lowercaseLetter), .init(.titlecaseLetter), .init(.uppercaseLetter)]
        } else {
            self.init(named: Self.longNames[name] ?? name)
        }
    }

    private static let longNames = [
        "Letter": "L", "Lowercase_Letter": "Ll", "Modifier_Letter": "Lm", "Other_Letter": "Lo",
        "Titlecase_Letter": "Lt",
        "Uppercase_Letter": "Lu", "Mark": "M", "Combining_Mark": "M", "Spacing_Mark": "Mc", "Enclosing_Mark": "Me",
        "Nonspacing_Mark": "Mn", "Number": "N", "Decimal_Number": "Nd", "digit": "Nd", "Letter_Number": "Nl",
        "Other_Number": "No", "Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc",
        "Dash_Punctuation": "Pd", "Close_Punctuation": "Pe", "Final_Punctuation": "Pf", "Initial_Punctuation": "Pi",
        "Other_Punctuation": "Po", "Open_Punctuation": "Ps", "Separator": "Z", "Line_Separator": "Zl",
        "Paragraph_Separator": "Zp", "Space_Separator": "Zs", "Symbol": "S", "Currency_Symbol": "Sc",
        "Modifier_Symbol": "Sk", "Math_Symbol": "Sm", "Other_Symbol": "So", "Other": "C", "Control": "Cc",
        "cntrl": "Cc",
        "Format": "Cf", "Unassigned": "Cn", "Private_Use": "Co",
    ]
}
