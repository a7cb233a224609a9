import Rendering
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// The keys, words, names and placeholders that can be written at a place.
struct Completion {
    private enum Kind: Int {
        case property = 10
        case value = 12
        case reference = 18
        case variable = 6
    }

    private struct Item {
        let label: String
        let kind: Kind
        let detail: String
        /// The text that takes the place of the token.
        let text: String
    }

    private static let most = 100

    private let document: AskedDocument
    private let offset: Int
    private let location: JSONLocation?

    init(_ document: AskedDocument, at offset: Int) {
        self.document = document
        self.offset = offset
        location = document.json.location(at: offset)
    }

    var answer: OrderedJSON {
        guard let location, let kind = document.kind else { return list([], 0..<0, "") }
        if let place = placeholder(in: location) { return placeholders(place, location) }
        // Inside a text that holds no placeholder, the text up to the cursor chooses among the names.
        let typed = typedText(location)
        switch location.role {
        case .key: return list(keys(location, kind), location.token, typed, lacking: location.lacksCommaAt)
        case .value: return list(values(location, kind), location.token, typed)
        case nil: return list([], 0..<0, "")
        }
    }

    /// The keys, words or names that can be at the place, whatever is typed there.
    var names: [String] {
        guard let location, let kind = document.kind else { return [] }
        if placeholder(in: location) != nil {
            let reading = document.workspace.reading
            return reading.placeholderCandidates(at: location.path, in: document.name).map(\.text)
        }
        switch location.role {
        case .key: return keys(location, kind).map(\.label)
        case .value: return values(location, kind).map(\.label)
        case nil: return []
        }
    }

    private func typedText(_ location: JSONLocation) -> String {
        let end = min(max(offset, location.token.lowerBound), location.token.upperBound)
        let text = String(decoding: document.bytes[location.token.lowerBound..<end], as: UTF8.self)
        return text.hasPrefix("\"") ? String(text.dropFirst()) : text
    }

    private func place(_ path: [JSONValue.Step], _ kind: FormatSchema) -> SchemaPlace {
        SchemaPlace(kind, at: path, isGroup: document.isGroup)
    }

    // MARK: Keys

    private func keys(_ location: JSONLocation, _ kind: FormatSchema) -> [Item] {
        let place = place(location.path, kind)
        let comma = location.needsComma && !location.hasColon ? "," : ""
        func item(_ key: String, _ detail: String, _ value: String, _ kind: Kind) -> Item {
            let name = OrderedJSON.string(key).compact
            return Item(
                label: key, kind: kind, detail: detail, text: location.hasColon ? name : "\(name): \(value)\(comma)")
        }
        let fields = place.keys(besides: location.siblings).map { field in
            item(field.name, field.summary, field.startingValue, .property)
        }
        return fields + names(location).map { item($0.text, $0.detail, "\"\"", .reference) }
    }

    /// The names that the keys of an object with chosen keys can have.
    private func names(_ location: JSONLocation) -> [NameCandidate] {
        let reading = document.workspace.reading
        let given = Set(location.siblings)
        var names: [NameCandidate] = []
        switch location.path.last {
        case .key("with"):
            let target = endpointID(besides: location.path).flatMap(reading.endpoint)
            let owner =
                target
                ?? (location.path.contains(.key("checks")) ? reading.owner(of: location.path, in: document.name) : nil)
            names = (owner?.parameters ?? []).map { NameCandidate($0.name, $0.value.explanation) }
        case .key("environments"):
            names = reading.environments.map { NameCandidate($0.name, $0.summary ?? "environment") }
        case .key("headers"): names = Self.headers.map { NameCandidate($0, "header") }
        default: break
        }
        return names.filter { !given.contains($0.text) }
    }

    /// The value of "endpoint" next to an object.
    private func endpointID(besides path: [JSONValue.Step]) -> String? {
        var value = document.json.root
        for step in path.dropLast() {
            switch step {
            case .key(let key): value = value?[key]
            case .index(let index): value = value.flatMap { Array($0.elements).dropFirst(index).first }
            }
        }
        return value?["endpoint"]?.string
    }

    private static let headers = [
        "Accept", "Accept-Language", "Authorization", "Cache-Control", "Content-Type", "If-Match", "If-None-Match",
        "Idempotency-Key", "Origin", "Prefer", "Referer", "User-Agent", "X-Request-Id",
    ]

    // MARK: Values

    private func values(_ location: JSONLocation, _ kind: FormatSchema) -> [Item] {
        let place = place(location.path, kind)
        let comma = location.needsComma ? "," : ""
        let words = place.words.map { word in
            Item(label: word.plainText, kind: .value, detail: place.field?.summary ?? "", text: word.compact + comma)
        }
        let reading = document.workspace.reading
        let names = place.roles.flatMap { role -> [NameCandidate] in
            switch role {
            case .endpoint: reading.allEndpoints.map { NameCandidate($0.id, "\($0.method) \($0.path(in: nil))") }
            case .environment: reading.environments.map { NameCandidate($0.name, $0.summary ?? "environment") }
            case .variant:
                (reading.owner(of: location.path, in: document.name)?.definition.stubs?.variants ?? []).map {
                    NameCandidate($0.name, $0.value.explanation)
                }
            case .parameter, .step: []
            }
        }
        return words
            + names.map {
                Item(
                    label: $0.text, kind: .reference, detail: $0.detail,
                    text: OrderedJSON.string($0.text).compact + comma)
            }
    }

    // MARK: Placeholders

    /// The range of the name in the placeholder around the cursor; nil outside placeholders.
    private func placeholder(in location: JSONLocation) -> Range<Int>? {
        let bytes = document.bytes
        guard location.token.count > 1, bytes[location.token.lowerBound] == .quote, offset > location.token.lowerBound
        else { return nil }
        var start = offset
        while start >= location.token.lowerBound + 2 {
            if bytes[start - 1] == .openBrace, bytes[start - 2] == .openBrace { break }
            if bytes[start - 1] == .closeBrace { return nil }
            start -= 1
        }
        guard start >= location.token.lowerBound + 3,
            bytes[start - 1] == .openBrace, bytes[start - 2] == .openBrace
        else { return nil }
        while start < offset, bytes[start] == .space { start += 1 }
        // Names in functions are completed by themselves.
        if let last = bytes[start..<offset].lastIndex(where: {
            [.space, .comma, UInt8(ascii: "("), UInt8(ascii: "|")].contains($0)
        }) {
            start = last + 1
        }
        var end = offset
        while end < location.token.upperBound, bytes[end].isWordByte || bytes[end] == .point || bytes[end] == .minus {
            end += 1
        }
        return start..<end
    }

    private func placeholders(_ range: Range<Int>, _ location: JSONLocation) -> OrderedJSON {
        let rest = document.bytes[range.upperBound..<location.token.upperBound].drop { $0 == .space }
        let isClosed = rest.first == .closeBrace || rest.first == UInt8(ascii: "|")
        let candidates = document.workspace.reading.placeholderCandidates(at: location.path, in: document.name)
        let typed = String(decoding: document.bytes[range.lowerBound..<max(range.lowerBound, offset)], as: UTF8.self)
        return list(
            candidates.map {
                Item(label: $0.text, kind: .variable, detail: $0.detail, text: $0.text + (isClosed ? "" : "}}"))
            },
            range, typed, isName: true)
    }

    // MARK: The list

    /// A number with three digits, so that texts sort as numbers do.
    private static func rank(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    }

    private func list(
        _ items: [Item], _ range: Range<Int>, _ typed: String, lacking comma: Int? = nil, isName: Bool = false
    ) -> OrderedJSON {
        let folded = typed.lowercased()
        let exact = items.filter { $0.label.lowercased().hasPrefix(folded) }
        let fitting = exact.isEmpty ? items : exact
        let positions = document.positions
        let edits: OrderedJSON? = comma.map {
            [.object(["range": positions.json($0..<$0), "newText": ","])]
        }
        let isQuoted = !range.isEmpty && document.bytes[range.lowerBound] == .quote
        let replaced = positions.json(range)
        let written = fitting.prefix(Self.most).enumerated().map { index, item -> OrderedJSON in
            .object([
                "label": .string(item.label), "kind": .int(item.kind.rawValue),
                "detail": item.detail.isEmpty ? nil : .string(harmlessLine(item.detail)),
                "sortText": .string(Self.rank(index)),
                "filterText": .string(isQuoted && !isName ? "\"\(item.label)" : item.label),
                "textEdit": .object(["range": replaced, "newText": .string(item.text)]),
                "additionalTextEdits": edits,
            ])
        }
        return .object(["isIncomplete": .bool(fitting.count > Self.most), "items": .array(written)])
    }
}
