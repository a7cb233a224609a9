package import SourceText

extension OrderedJSON {
    /// Where a value is a secret, the texts that must not be shown: the value itself, and of an object or a list each text
    /// and number in it as well, since each can turn up without the rest.
    package var secretTexts: [String] {
        switch self {
        case .string(let text): [text]
        case .array, .object: [compact] + secretParts
        case .null, .bool, .number: [compact]
        }
    }

    /// A shorter number is found in any text.
    private static let shortestNumber = 4

    private var secretParts: [String] {
        switch self {
        case .string(let text): text.isEmpty ? [] : [text]
        case .number(let text): text.utf8.count < Self.shortestNumber ? [] : [text]
        case .array(let elements): elements.flatMap(\.secretParts)
        case .object(let members): members.flatMap(\.value.secretParts)
        case .null, .bool: []
        }
    }
}
