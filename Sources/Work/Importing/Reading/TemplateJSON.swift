import ReqcliBasics
import ReqcliDefinitions
import ReqcliFunctions
package import ReqcliText

/// JSON of a source with placeholders in strings or in place of whole values. Comments and trailing commas are accepted.
package struct TemplateJSON: Sendable {
    package let value: OrderedJSON
    /// The names of placeholders without quotes, each in place of a whole value. Their values are JSON.
    package let bareNames: Set<String>
    /// The names of placeholders that lose their quotes, because their values are JSON at another place of the text or are
    /// generated numbers.
    private let unquotedNames: Set<String>

    /// Nil for text that isn't JSON, and for JSON that an endpoint file can't contain: with a repeated key, or with a placeholder
    /// in a key.
    package init?(_ text: TemplateText) {
        var source = MarkedSource()
        for (index, piece) in text.pieces.enumerated() {
            switch piece {
            case .literal(let literal): source.add(literal)
            case .placeholder(let name): source.add(placeholder: index, name)
            }
        }
        guard source.isUsable else { return nil }
        let document = JSONDocument.read(
            SourceFile(name: "body", bytes: source.bytes), syntax: .commented,
            limits: JSONReader.Limits(depth: Self.deepest, problems: 1))
        guard let root = document.validRoot, let value = Self.value(root, text.pieces) else {
            return nil
        }
        self.value = value
        bareNames = Set(source.bareNames)
        var counts: [String: Int] = [:]
        for name in value.wholePlaceholders { counts[name, default: 0] += 1 }
        for name in source.bareNames { counts[name, default: 0] -= 1 }
        let quotedNames = counts.filter { $0.value > 0 }.keys
        unquotedNames = bareNames.intersection(quotedNames).union(quotedNames.filter(Self.isGeneratedNumber))
        // Tools leave out comments, so a text with comments isn't sent as it is.
        isBetterAsText = !unquotedNames.isEmpty && JSONDocument.read(document.file, syntax: .strict).validRoot != nil
    }

    /// Whether the text itself is a better body, because an endpoint file can't write the value so that placeholders keep their
    /// quotes.
    let isBetterAsText: Bool

    private static func isGeneratedNumber(_ name: String) -> Bool {
        ["$timestamp", "$randomInt"].contains(name) || Pipeline.reading(name)?.givesNumber == true
    }

    /// A note about placeholders that are sent without their quotes; empty if there are no such placeholders.
    func notes(at place: Place) -> [ConversionNote] {
        if unquotedNames.isEmpty { return [] }
        return [
            ConversionNote(
                .approximated,
                "a placeholder in quotes stands for a number or other JSON, and is sent without the quotes",
                unquotedNames.sorted().map { "{{\($0)}}" }.joined(separator: ", "), at: place)
        ]
    }

    /// The deepest nesting of a body. An endpoint file adds some levels around the body.
    private static let deepest = 500

    private static func value(_ value: JSONValue, _ pieces: [TemplateText.Piece]) -> OrderedJSON? {
        switch value.kind {
        case .object:
            var members: [OrderedJSON.Member] = []
            var names: Set<String> = []
            for member in value.members {
                let name = member.name
                let isUsable = name != "$switch" && !name.unicodeScalars.contains(MarkedSource.mark)
                guard isUsable, names.insert(name).inserted, let inner = self.value(member.value, pieces) else {
                    return nil
                }
                members.append(OrderedJSON.Member(TextTemplate.escaped(name), inner))
            }
            return .object(members)
        case .array:
            var elements: [OrderedJSON] = []
            for element in value.elements {
                guard let inner = self.value(element, pieces) else { return nil }
                elements.append(inner)
            }
            return .array(elements)
        case .string: return .string(template(value.string ?? "", pieces).text)
        case .number, .true, .false, .null: return OrderedJSON(value)
        case .invalid: return nil
        }
    }

    /// Restores the placeholders in a text with marks. The marks split the text so that every second part is the index of a
    /// placeholder.
    private static func template(_ text: String, _ pieces: [TemplateText.Piece]) -> TemplateText {
        let parts = text.unicodeScalars.split(separator: MarkedSource.mark, omittingEmptySubsequences: false)
        var template = TemplateText([])
        for (position, part) in parts.enumerated() {
            if position % 2 == 0 {
                template.append(.literal(String(String.UnicodeScalarView(part))))
            } else if let index = Int(String(String.UnicodeScalarView(part))), pieces.indices.contains(index) {
                template.append(pieces[index])
            }
        }
        return template
    }
}

/// The text with marks in place of placeholders, so that a JSON parser can read the text.
private struct MarkedSource {
    /// A character without a meaning. It is unlikely that a text contains this character.
    static let mark: Unicode.Scalar = "\u{10FFFD}"

    private enum State {
        case outside, string, escape, lineComment, blockComment
    }

    private(set) var bytes: [UInt8] = []
    /// The names of placeholders in place of a whole value. A name is repeated for each occurrence.
    private(set) var bareNames: [String] = []
    /// False if the text already contains the mark character, directly or as an escape.
    private(set) var isUsable = true
    private var state = State.outside
    private var previous: UInt8 = 0

    mutating func add(_ literal: String) {
        isUsable = isUsable && !literal.unicodeScalars.contains(Self.mark) && !literal.lowercased().contains("\\udbff")
        for byte in literal.utf8 {
            bytes.append(byte)
            step(byte)
        }
    }

    mutating func add(placeholder index: Int, _ name: String) {
        let mark = "\(Self.mark)\(index)\(Self.mark)"
        switch state {
        case .string: bytes += mark.utf8
        case .escape: isUsable = false
        case .outside:
            bareNames.append(name)
            bytes += "\"\(mark)\"".utf8
        case .lineComment, .blockComment: break
        }
        previous = 0
    }

    private mutating func step(_ byte: UInt8) {
        let before = previous
        previous = byte
        switch state {
        case .string: state = byte == .quote ? .outside : byte == .backslash ? .escape : .string
        case .escape: state = .string
        case .lineComment: state = byte == .lineFeed ? .outside : .lineComment
        case .blockComment where before == .asterisk && byte == .slash:
            state = .outside
            previous = 0
        case .blockComment: break
        case .outside where byte == .quote: state = .string
        case .outside where before == .slash && byte == .slash: state = .lineComment
        case .outside where before == .slash && byte == .asterisk:
            state = .blockComment
            previous = 0
        case .outside: break
        }
    }
}
