import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// Converts the placeholders of .http files.
struct HTTPFileNames {
    /// A part of the response of a named request. Other requests use this part.
    private struct Reference: Hashable {
        let request: String
        let part: String
    }

    private var captures: [Reference: ImportedCapture] = [:]
    /// The references to each request, in their order.
    private var references: [String: [Reference]] = [:]
    private var taken: ParamNames
    /// Values of file variables that refer to a part of a response, or that differ between the files.
    var inlined: [String: TemplateText] = [:]
    private var inliningLimit = InliningLimit()
    /// Literal values of file variables.
    var constants: [String: String] = [:]
    /// The notes about what couldn't be converted since the last call of ``takeNotes(at:)``.
    private(set) var notes: [(kind: ConversionNote.Kind, message: String, detail: String?)] = []

    /// Makes names for the placeholders of a source.
    ///
    /// - Parameter variables: Names that no capture may have.
    init(notAmong variables: Set<String>) { taken = ParamNames(variables) }

    /// The names of variables that a text uses.
    static func plainNames(in text: String) -> [String] {
        TemplateText(braced: text) { .placeholder($0) }.placeholders.filter { !$0.contains { "$.%".contains($0) } }.map
        {
            ParamNames.clean($0)
        }
    }

    mutating func template(_ text: String) -> TemplateText {
        guard text.utf8.contains(.openBrace) else { return TemplateText(literal: text) }
        let template = TemplateText(braced: text) { meaning(of: $0) }
        return template.inlining { name in inlined[name].flatMap { inliningLimit.admits($0) ? $0 : nil } }
    }

    /// The text with the values of file variables in place of their placeholders.
    func resolved(_ template: TemplateText) -> TemplateText {
        template.inlining { constants[$0].map { TemplateText(literal: $0) } }
    }

    mutating func takeNotes(at place: Place) -> [ConversionNote] {
        defer { notes = [] }
        return notes.map { ConversionNote($0.kind, $0.message, $0.detail, at: place) }
    }

    private mutating func meaning(of content: String) -> TemplateText.Piece {
        // `{{%name}}` is the percent-encoded value of `name`. It is read like `{{name}}`, since reqcli percent-encodes values
        // itself.
        let content = content.hasPrefix("%") ? String(content.dropFirst()).trimmed : content
        if content.hasPrefix("$") { return systemVariable(content) }
        if let piece = reference(content) { return piece }
        let clean = ParamNames.clean(content)
        return .placeholder(clean)
    }

    // MARK: System variables

    private mutating func systemVariable(_ content: String) -> TemplateText.Piece {
        let words = content.split { $0 == " " || $0 == "\t" }.map(String.init)
        let name = words.joined(separator: " ")
        for names in [GeneratedNames.restClient, .jetBrains] {
            if let known = names.placeholder(named: name) { return .placeholder(known) }
        }
        switch words.first ?? "" {
        case "$randomInt" where words.count == 3:
            if let range = Self.range(words[1], words[2]) { return .placeholder(range) }
        case "$timestamp", "$isoTimestamp", "$randomInt":
            if words[0] == "$timestamp", let shift = Self.shift(words.dropFirst()) {
                return .placeholder("$now\(shift) | unix")
            }
            approximate("the arguments of a generated value are not converted", words[0])
            return .placeholder(words[0])
        case "$datetime", "$localDatetime":
            if let format = Self.format(words), let shift = Self.shift(words.dropFirst(2)) {
                return .placeholder("$now\(shift) | \(format)")
            }
            if words.count != 2 || words[1] != "iso8601" {
                approximate("the format of a date is not converted", words[0])
            }
            return .placeholder("$isoTimestamp")
        case "$processEnv", "$dotenv":
            let name = words.count > 1 ? String(words[1].drop { $0 == "%" }) : ""
            if words.count == 2, !words[1].hasPrefix("%"), name.isVariableName { return .placeholder("$env.\(name)") }
        case let word where word.hasPrefix("$random.hexadecimal("):
            if let length = Self.arguments(content).first.flatMap({ Int($0) }), (0...10_000).contains(length) {
                return .placeholder("$random.hex \(length)")
            }
        case let word where word.hasPrefix("$env."):
            if word.dropFirst(5).isVariableName { return .placeholder(word) }
        case let word where word.hasPrefix("$random.integer"):
            let ends = Self.arguments(content)
            if ends.count == 2, let range = Self.range(ends[0], ends[1]) {
                return .placeholder(range)
            }
            approximate("the arguments of a generated value are not converted", "$random.integer")
            return .placeholder("$randomInt")
        default: break
        }
        let clean = ParamNames.clean(String(words.first?.prefix { $0 != "(" } ?? ""))
        approximate("a generated value becomes a param", clean)
        return .placeholder(clean)
    }

    /// The arguments of `$random.integer(1, 6)`.
    private static func arguments(_ call: String) -> [String] {
        call.drop { $0 != "(" }.filter { $0 != "(" && $0 != ")" }.split(separator: ",").map { String($0).trimmed }
    }

    /// The function for the format of a `$datetime`.
    private static func format(_ words: [String]) -> String? {
        guard words[0] == "$datetime", words.count > 1 else { return nil }
        if words[1] == "iso8601" { return "iso" }
        return GeneratedNames.restClient.placeholder(named: "$datetime \(words[1])")
            .map { String($0.dropFirst("$now | ".count)) }
    }

    /// A whole number from the first one up to the second one, which isn't included.
    private static func range(_ from: String, _ to: String) -> String? {
        guard let from = Int(from), let to = Int(to), from < to, from.magnitude < 1 << 39, to.magnitude < 1 << 39 else {
            return nil
        }
        return "$random.int \(from) \(to - 1)"
    }

    /// The function for an offset such as `-1 d`, with the pipe before it; empty for none, nil for a unit of no fixed length.
    private static func shift(_ words: ArraySlice<String>) -> String? {
        if words.isEmpty { return "" }
        let days = ["w": 7, "d": 1]
        guard words.count == 2, let amount = words.first.flatMap({ Int($0) }), let unit = words.last,
            amount.magnitude < 10_000
        else { return nil }
        let function = amount < 0 ? "minus" : "plus"
        if let days = days[unit] { return " | \(function) \(amount.magnitude * UInt(days))d" }
        return ["h", "m", "s", "ms"].contains(unit) ? " | \(function) \(amount.magnitude)\(unit)" : nil
    }

    private mutating func approximate(_ message: String, _ detail: String) {
        notes.append((.approximated, message, detail))
    }

    // MARK: Responses

    /// `login.response.body.$.token` and `login.response.headers.X-Token`.
    private mutating func reference(_ content: String) -> TemplateText.Piece? {
        guard let mark = content.firstRange(of: ".response.") else { return nil }
        let request = String(content[..<mark.lowerBound])
        let part = String(content[mark.upperBound...])
        let reference = Reference(request: request, part: part)
        if let known = captures[reference] { return .placeholder(known.name) }
        guard Name.isValid(request), let source = Self.source(part) else {
            notes.append((.toDo, "a reference to a response becomes a param", ParamNames.clean(content)))
            return .placeholder(ParamNames.clean(content))
        }
        var name = ParamNames.clean(source.word)
        if taken.contains(name) { name = taken.free("\(request)_\(name)") }
        taken.insert(name)
        captures[reference] = ImportedCapture(name, source)
        references[request, default: []].append(reference)
        return .placeholder(name)
    }

    private static func source(_ part: String) -> ImportedCapture.Source? {
        if part.hasPrefix("headers.") {
            let header = String(part.dropFirst(8))
            return header.isToken ? .header(header) : nil
        }
        if part == "body.*" || part == "body" { return .body }
        guard part.hasPrefix("body.") else { return nil }
        let rest = String(part.dropFirst(5))
        return ForeignPath.singular(rest.hasPrefix("$") ? rest : "$." + rest).map { .json($0) }
    }

    /// The captures to add to a request, for the parts of its response that other requests use.
    func captures(of request: String) -> [ImportedCapture] { (references[request] ?? []).compactMap { captures[$0] } }

    /// The names of requests whose responses other requests refer to.
    var referredNames: Set<String> { Set(references.keys) }
}
