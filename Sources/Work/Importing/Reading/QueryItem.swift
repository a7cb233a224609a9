import ReqcliBasics
package import ReqcliText
import RequestBuilding

/// An item of a query, or a field of a form, as a URL writes it.
package struct QueryItem: Sendable, Equatable {
    /// The name, decoded.
    package let name: String
    /// The value, decoded.
    package let value: TemplateText
    /// The item as it is in the URL, if a name and a value can't express this item exactly.
    package let encoded: TemplateText?

    package init(_ name: String, _ value: TemplateText, encoded: TemplateText? = nil) {
        self.name = name
        self.value = value
        self.encoded = encoded
    }

    package enum Precision: Sendable {
        /// Items must have exactly the same bytes.
        case bytes
        /// Items must be the same after percent-decoding.
        case decoded
        /// Items must be the same for a parser of forms, in which a `+` is a space.
        case form
    }

    /// The items of a query or a form.
    package static func items(of text: TemplateText, _ precision: Precision) -> [QueryItem] {
        let query = text.mappingLiterals { PercentEncoding.normalized(PercentEncoding.query($0[...])) }
        return query.isEmpty ? [] : query.split(by: UInt8(ascii: "&")).map { QueryItem($0, precision) }
    }

    private init(_ item: TemplateText, _ precision: Precision) {
        let sides = item.split(by: UInt8(ascii: "="), atMost: 2)
        let isExact =
            sides.count == 2 && !sides[0].isEmpty && sides[0].placeholders.isEmpty
            && sides.allSatisfy { $0.isSayable(precision) }
        let decode = { (text: String) in
            let words = isExact && precision != .form ? text : text.replacing("+", with: " ")
            return PercentEncoding.decoded(words)
        }
        let texts = sides.map { $0.mappingLiterals(decode) }
        let value = texts.count > 1 ? texts[1] : TemplateText([])
        self.init(texts[0].pieces.plainText, value, encoded: isExact ? nil : item)
    }

    /// The item as it is written in a URL.
    fileprivate var text: TemplateText {
        if let encoded { return encoded }
        let name = TemplateText(literal: PercentEncoding.queryComponent(name))
        return [name, value.mappingLiterals { PercentEncoding.queryComponent($0) }].joined(by: "=")
    }
}

extension [QueryItem] {
    /// Whether an object can express the items. In an object, all items with the same name are together.
    package var areSayable: Bool {
        if contains(where: { $0.encoded != nil }) { return false }
        var names: Set<String> = []
        var last: String?
        for item in self where item.name != last {
            guard names.insert(item.name).inserted else { return false }
            last = item.name
        }
        return true
    }

    /// The names of the items, each with a string or a list of strings.
    package var members: [OrderedJSON.Member] { .grouped(map { ($0.name, .string($0.value.text)) }) }

    /// The text of a query.
    package var text: String { map(\.text).joined(by: "&").text }
}

extension ImportedQuery {
    /// The items as an object, or as a string if an object can't express the items.
    package init(_ items: [QueryItem]) {
        self = items.areSayable ? .items(items.members) : .text(items.text)
    }

    package init(_ text: TemplateText, isExact: Bool) {
        self.init(QueryItem.items(of: text, isExact ? .bytes : .decoded))
    }
}

/// A body of form fields.
package enum FormText {
    /// The fields of a form that is written as one string. Nil if the string isn't a form, or if fields can't express the form
    /// exactly.
    package static func fields(_ text: TemplateText, isExact: Bool) -> [OrderedJSON.Member]? {
        let items = QueryItem.items(of: text, isExact ? .bytes : .form)
        let areNames = items.allSatisfy { item in
            !item.name.utf8.contains { $0 <= .space || $0 == .openBrace || $0 == UInt8(ascii: "<") }
        }
        // A body may contain characters that a URL can't contain.
        let isSame = !isExact || items.text == text.text
        return !items.isEmpty && items.areSayable && areNames && isSame ? items.members : nil
    }
}

extension TemplateText {
    /// Whether the decoded text still has the same meaning after reqcli encodes it again.
    fileprivate func isSayable(_ precision: QueryItem.Precision) -> Bool {
        pieces.allSatisfy { piece in
            guard case .literal(let text) = piece else { return true }
            switch precision {
            case .bytes: return PercentEncoding.queryComponent(PercentEncoding.decoded(text)) == text
            case .decoded: return !text.utf8.contains(UInt8(ascii: "+")) && text.isDecodable
            case .form: return text.isDecodable
            }
        }
    }
}

extension String {
    /// Whether the percent-escapes are valid UTF-8. For example, `%E9` alone is invalid.
    fileprivate var isDecodable: Bool {
        guard utf8.contains(UInt8(ascii: "%")) else { return true }
        let decoded = PercentEncoding.decoded(self)
        return !decoded.unicodeScalars.contains("\u{FFFD}") || contains("%EF%BF%BD")
    }
}

extension [TemplateText.Piece] {
    /// The text of a name. Placeholders in a name are not replaced, so they are literal text.
    fileprivate var plainText: String {
        map { piece in
            switch piece {
            case .literal(let text): text
            case .placeholder(let name): "{{\(name)}}"
            }
        }.joined()
    }
}
