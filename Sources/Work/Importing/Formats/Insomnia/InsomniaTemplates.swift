import ReqcliBasics
import ReqcliDefinitions
import ReqcliFunctions
import ReqcliRedaction
import ReqcliText

/// Converts the templates of Insomnia, `{{ _.name }}` and `{% tag %}`, to placeholders as Postman writes them.
struct InsomniaTemplates {
    private(set) var notes: [ConversionNote] = []
    /// The captures by the ids of requests, in the order in which other requests use them.
    private(set) var captures: [String: [ImportedCapture]] = [:]
    /// The names of captures, by the request and the part of its response.
    private var names: [String: String] = [:]
    /// The names of variables and captures.
    private var taken = ParamNames()
    private var noted: Set<String> = []

    /// Reserves the name of a variable, so that no capture gets this name.
    mutating func reserve(_ variable: String) { taken.insert(ParamNames.clean(variable)) }

    mutating func text(_ text: String, at place: Place) -> String {
        guard text.utf8.contains(.openBrace) else { return text }
        var result = ""
        var rest = text[...]
        var ends = ["{{": "}}", "{%": "%}", "{#": "#}"]
        while let brace = rest.firstIndex(of: "{") {
            result += rest[..<brace]
            rest = rest[brace...]
            let start = String(rest.prefix(2))
            guard let end = ends[start], let close = rest.dropFirst(2).firstRange(of: end) else {
                // An end that doesn't follow here doesn't follow later, either.
                ends[start] = nil
                result += rest.prefix(1)
                rest = rest.dropFirst()
                continue
            }
            let content = String(rest.dropFirst(2)[..<close.lowerBound])
            switch end {
            case "}}": result += expression(content.trimmed, at: place)
            case "%}": result += tag(content, at: place)
            default: break
            }
            rest = rest[close.upperBound...]
        }
        return result + rest
    }

    private mutating func expression(_ text: String, at place: Place) -> String {
        let parts = text.split(separator: "|", maxSplits: 1).map { String($0).trimmed }
        guard let name = Self.name(parts.first ?? "") else {
            note(.toDo, "a template is not converted: give a value for the param", nil, at: place)
            return "{{value}}"
        }
        if parts.count > 1 { note(.approximated, "a filter of a template is not converted", name, at: place) }
        return "{{\(name)}}"
    }

    /// The variable that an expression names: `api.host` for `_.api['host']`. Nil for any other expression.
    static func name(_ expression: String) -> String? {
        // `['x']` and `["x"]` mean the same as `.x`.
        let dotted = expression.replacing("['", with: ".").replacing("[\"", with: ".").replacing("']", with: "")
            .replacing("\"]", with: "")
        let isName = { (part: Substring) in
            !part.isEmpty
                && part.utf8.allSatisfy { $0.isWordByte || $0 == .minus || $0 >= 0x80 || $0 == 0x5B || $0 == 0x5D }
        }
        var parts = dotted.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count > 1, parts[0] == "_" { parts.removeFirst() }
        guard !parts.isEmpty, parts.allSatisfy(isName), !(parts[0].utf8.first?.isDigit ?? true) else { return nil }
        // Values of the vault are secrets, which the source doesn't contain.
        if parts[0] == "vault", parts.count > 1 { return "vault:" + parts.dropFirst().joined(separator: ".") }
        return parts.joined(separator: ".")
    }

    // MARK: Tags

    private mutating func tag(_ content: String, at place: Place) -> String {
        let words = Self.words(content)
        let name = words.first ?? ""
        switch (name == "timestamp" ? "now" : name, words.dropFirst().first) {
        case ("uuid", _): return "{{$guid}}"
        case ("now", nil), ("now", "iso-8601"?): return "{{$isoTimestamp}}"
        case ("now", "unix"?): return "{{$timestamp}}"
        case ("now", let format?):
            note(.approximated, "the format of a date is not converted", nil, at: place)
            return format == "millis" ? "{{$timestamp}}" : "{{$isoTimestamp}}"
        case ("faker", let kind?) where kind.isToken: return "{{$\(kind)}}"
        case ("prompt", let title?): return "{{\(Self.label(title, or: "value"))}}"
        case ("response", _): if let name = response(Array(words.dropFirst()), at: place) { return "{{\(name)}}" }
        default: break
        }
        let label = Self.label(name, or: "value")
        note(.toDo, "a template tag becomes a param: give it a value", label, at: place)
        return "{{\(label)}}"
    }

    /// A short name for a param. A long text may be a secret.
    private static func label(_ text: String, or other: String) -> String {
        let name = Words.of(text.withoutTokens).prefix(3).joined(separator: "_")
        return name.isEmpty || name.utf8.count > 40 ? other : name
    }

    /// The name and the arguments of a tag, without quotes.
    private static func words(_ content: String) -> [String] {
        content.matches(of: /'([^']*)'|"([^"]*)"|([^\s,'"]+)/).map { String($0.1 ?? $0.2 ?? $0.3 ?? "") }
    }

    // MARK: Responses

    /// Whether the value of a variable is a part of a response. If so, the capture of this part gets the variable's name.
    mutating func isReference(_ text: String, named variable: String) -> Bool {
        let text = text.trimmed
        guard text.hasPrefix("{%"), text.hasSuffix("%}"), text.dropFirst(2).firstRange(of: "{%") == nil else {
            return false
        }
        let words = Self.words(String(text.dropFirst(2).dropLast(2)))
        guard words.first == "response", let (id, source) = Self.source(Array(words.dropFirst())) else {
            return false
        }
        let clean = ParamNames.clean(variable)
        if names["\(id) \(source)"] == nil { add(clean, source, to: id) }
        return names["\(id) \(source)"] == clean
    }

    private mutating func response(_ arguments: [String], at place: Place) -> String? {
        guard let (id, source) = Self.source(arguments) else { return nil }
        if let known = names["\(id) \(source)"] { return known }
        let name = taken.take(source.word)
        add(name, source, to: id)
        return name
    }

    private mutating func add(_ name: String, _ source: ImportedCapture.Source, to id: String) {
        names["\(id) \(source)"] = name
        captures[id, default: []].append(ImportedCapture(name, source))
    }

    /// The request and the part of its response. The arguments are the kind of part, the request's id, and a path
    /// or the name of a header.
    private static func source(_ arguments: [String]) -> (id: String, ImportedCapture.Source)? {
        guard arguments.count > 1 else { return nil }
        var filter = arguments.count > 2 ? arguments[2] : ""
        if filter.hasPrefix("b64::"), filter.hasSuffix("::46b"), filter.utf8.count > 9,
            let bytes = Base64.decode(String(filter.dropFirst(5).dropLast(5)))
        {
            filter = String(decoding: bytes, as: UTF8.self)
        }
        switch arguments[0] {
        case "raw": return (arguments[1], .body)
        case "header" where filter.isToken: return (arguments[1], .header(filter))
        case "body":
            return ForeignPath.singular(filter).map { (arguments[1], .json($0)) }
        default: return nil
        }
    }

    private mutating func note(_ kind: ConversionNote.Kind, _ message: String, _ detail: String?, at place: Place) {
        // The variables of a folder are converted for each of its requests.
        guard noted.insert("\(place.description) \(message) \(detail ?? "")").inserted else { return }
        notes.append(ConversionNote(kind, message, detail, at: place))
    }
}
