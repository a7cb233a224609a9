import ReqcliRedaction
import ReqcliText

/// The parts of a page. All text from files passes through ``text(_:)``, so that it never becomes markup.
enum HTMLText {
    /// Text without what is likely to be a secret.
    static func masked(_ text: String) -> String { LikelySecret.masking(text) }

    /// Text for content and quoted attributes, without what is likely to be a secret.
    static func text(_ text: String) -> String { Markup.escaped(masked(text)) }

    /// A sentence or a name, whose first letter decides whether it is read from the right.
    static func words(_ words: String, _ element: String = "span") -> String {
        words.isEmpty ? "" : "<\(element) dir=\"auto\">\(text(words))</\(element)>"
    }

    static func code(_ code: String) -> String { "<code dir=\"auto\">\(text(code))</code>" }

    /// - Parameter markup: The content of the link.
    static func link(_ markup: String, to address: String, isCurrent: Bool = false) -> String {
        "<a href=\"\(Markup.attribute(address))\"\(isCurrent ? " aria-current=\"page\"" : "")>\(markup)</a>"
    }

    /// The maximum number of characters of a body that is shown.
    private static let mostCharacters = 20_000

    /// - Parameter isMasked: False for a command, which has no credentials, and whose quotes are no values.
    static func block(_ block: String, isMasked: Bool = true) -> String {
        // Masked as a whole: a part of a secret no longer looks like one.
        let whole = isMasked ? masked(block) : block
        let rest = whole.count - mostCharacters
        let shown = rest > 0 ? whole.prefix(mostCharacters) + "…\n(\(rest) more characters)" : whole[...]
        return "<pre dir=\"ltr\"><code>\(Markup.escaped(String(shown)))</code></pre>\n"
    }

    /// A part of a page, with an id to which links lead.
    ///
    /// - Parameter markup: The content of the heading.
    static func section(_ id: String, _ markup: String, _ content: String) -> String {
        """
        <section aria-labelledby="\(id)">
        <h2 id="\(id)">\(markup) <a class="self" href="#\(id)" aria-label="Link to \(id)">#</a></h2>
        \(content)</section>

        """
    }

    static func list(_ items: [String], _ style: String = "") -> String {
        "<ul\(style)>\n" + items.map { "<li>\($0)</li>\n" }.joined() + "</ul>\n"
    }

    /// Names and what belongs to them. The last cell of a row is a sentence or a value, the cells before are words such as a type.
    ///
    /// - Parameter cell: The content of a last cell.
    static func rows(_ rows: [[Styled]], _ cell: (String) -> String = { words($0) }) -> String {
        let entries = rows.map { row in
            let words = row.dropFirst().dropLast().filter { !$0.plain.isEmpty }.map { code($0.plain) }
            let last = row.count > 1 ? row.last.map { [cell($0.plain)] } ?? [] : []
            return
                "<dt dir=\"auto\">\(text(row.first?.plain ?? ""))</dt><dd>\((words + last).joined(separator: " "))</dd>\n"
        }
        return entries.isEmpty ? "" : "<dl>\n\(entries.joined())</dl>\n"
    }

    /// A file in which `${name}` stands for a value. The values are not searched for names.
    static func filled(_ template: [UInt8], _ values: [String: String]) -> String {
        let parts = String(decoding: template, as: UTF8.self).split(separator: "${", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: String(parts[0])) { text, part in
            let end = part.firstIndex(of: "}") ?? part.startIndex
            text += (values[String(part[..<end])] ?? "") + part[end...].dropFirst()
        }
    }
}
