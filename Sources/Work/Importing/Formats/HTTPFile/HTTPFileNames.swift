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
        switch words.first ?? "" {
        case "$guid", "$uuid", "$random.uuid": return .placeholder("$uuid")
        case "$timestamp", "$isoTimestamp", "$randomInt":
            if words.count > 1 { approximate("the arguments of a generated value are not converted", words[0]) }
            return .placeholder(words[0])
        case "$datetime", "$localDatetime":
            if words.count != 2 || words[1] != "iso8601" {
                approximate("the format of a date is not converted", words[0])
            }
            return .placeholder("$isoTimestamp")
        case "$processEnv", "$dotenv":
            let name = words.count > 1 ? String(words[1].drop { $0 == "%" }) : ""
            if words.count == 2, !words[1].hasPrefix("%"), name.isVariableName { return .placeholder("$env.\(name)") }
        case let word where word.hasPrefix("$env."):
            if word.dropFirst(5).isVariableName { return .placeholder(word) }
        case let word where word.hasPrefix("$random.integer"):
            approximate("the arguments of a generated value are not converted", "$random.integer")
            return .placeholder("$randomInt")
        default: break
        }
        let name = ParamNames.clean(String(words.first?.prefix { $0 != "(" } ?? ""))
        approximate("a generated value becomes a param", name)
        return .placeholder(name)
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
