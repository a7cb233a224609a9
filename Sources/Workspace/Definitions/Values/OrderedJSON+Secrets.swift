package import ReqcliText

extension OrderedJSON {
    /// The texts that must not be shown if this value is secret: the value itself and, for an object or a list, each
    /// text and number in it, because each can appear alone.
    package var secretTexts: [String] {
        switch self {
        case .string(let text): [text]
        case .array, .object: [compact] + secretParts
        case .null, .bool, .number: [compact]
        }
    }

    /// The minimum length of a number that is masked. Shorter numbers would match ordinary text by chance.
    private static let shortestNumber = 4

    /// The texts in this value that are masked if the value is secret, without the value as a whole.
    package var secretParts: [String] {
        switch self {
        case .string(let text): text.isEmpty ? [] : [text]
        case .number(let text): text.utf8.count < Self.shortestNumber ? [] : [text]
        case .array(let elements): elements.flatMap(\.secretParts)
        case .object(let members): members.flatMap(\.value.secretParts)
        case .null, .bool: []
        }
    }
}
