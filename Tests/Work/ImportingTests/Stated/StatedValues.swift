import ReqcliText

@testable import Importing

/// Fills the placeholders of a source with the values that the source gives, to state what it sends.
struct StatedValues {
    /// Names and values, the later ones winning.
    private var layers: [[String: String]] = []
    /// Those that count most.
    private var scope: [String: String] = [:]
    /// Variables for which only a run has values.
    private var open: Set<String> = []

    /// How deep values refer to others.
    private static let deepest = 8
    /// What values may add to one text, in bytes: those that refer to others twice would double each time.
    private static let longest = 4096

    init(_ layers: [String: String]..., leavingOpen open: Set<String> = []) {
        self.layers = layers.filter { !$0.isEmpty }
        self.open = open
    }

    /// Values that count more than those that are there.
    func adding(_ layers: [[String: String]], leavingOpen names: Set<String> = []) -> StatedValues {
        var copy = self
        copy.layers += layers.filter { !$0.isEmpty }
        copy.open.formUnion(names)
        return copy
    }

    /// Forgets what was set for a file, and begins with the next one.
    mutating func beginScope() { scope = [:] }

    /// Sets variables of the file that is being read.
    mutating func set(_ values: [String: String]) { scope.merge(values) { $1 } }

    private func value(of name: String) -> String? {
        if open.contains(name) { return nil }
        return scope[name] ?? layers.reversed().lazy.compactMap { $0[name] }.first
    }

    /// The text with values in place of placeholders, and `StatedRequest.unknown` for each that has none.
    func text(_ template: TemplateText) -> String {
        var rest = Self.longest
        return filled(template, depth: 0, &rest)
    }

    /// The text of a format whose placeholders stand in braces.
    func text(_ text: String) -> String { self.text(TemplateText(braced: text) { .placeholder($0) }) }

    private func filled(_ template: TemplateText, depth: Int, _ rest: inout Int) -> String {
        var text = ""
        for piece in template.pieces {
            switch piece {
            case .literal(let literal):
                if depth > 0 { rest -= literal.utf8.count }
                text += literal
            case .placeholder(let name):
                rest -= 1
                guard depth < Self.deepest, let value = value(of: name), value.utf8.count < rest else {
                    text += StatedRequest.unknown
                    continue
                }
                text += filled(TemplateText(braced: value) { .placeholder($0) }, depth: depth + 1, &rest)
            }
        }
        return text
    }
}

extension [OrderedJSON.Member] {
    /// The values of variables as text; without those that are empty, lists or objects.
    var statedValues: [String: String] {
        var values: [String: String] = [:]
        for member in self {
            guard let text = member.value.scalarText, !text.isEmpty else { continue }
            let pieces = TemplateText(text).pieces.map { piece -> String? in
                switch piece {
                case .literal(let literal): literal.contains("{{") ? nil : literal
                case .placeholder(let name): "{{\(name)}}"
                }
            }
            values[member.name] = pieces.contains(nil) ? nil : pieces.compactMap(\.self).joined()
        }
        return values
    }
}

extension ImportedEnvironment {
    /// The values of its variables and secrets as text.
    var statedValues: [String: String] { (variables + secrets).statedValues }
}
