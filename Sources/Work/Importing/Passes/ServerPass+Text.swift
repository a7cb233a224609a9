import ReqcliText

/// What the text of a server says about its URL.
extension TemplateText {
    /// The server as a complete URL, with the variables replaced that can't stay as they are.
    ///
    /// - Parameter values: The values of variables.
    func completed(_ values: [String: TemplateText]) -> TemplateText {
        var whole = self
        // The text before the host decides what is missing, so the variables at the start are replaced first. Values that refer
        // to each other in a circle end at the limit.
        var left = 64
        while case .placeholder(let name)? = whole.pieces.first, let value = values[name], left > 0 {
            if value.isURL, whole.isOnePlaceholder, value.isComplete(values) { return whole }
            left -= 1
            let rest = TemplateText(Array(whole.pieces.dropFirst()))
            whole = (value.isURL && rest.beginsPath ? value.withoutSlash : value).appending(rest)
        }
        if case .placeholder? = whole.pieces.first { return self }
        if whole.isEmpty { return self }
        if !whole.isURL { whole = TemplateText([.literal("http://")]).appending(whole) }
        while left > 0, let name = whole.splitPlaceholder(values) {
            left -= 1
            whole = whole.inlining { $0 == name ? values[name] : nil }
            // Values that each contain the next one twice would double the length again and again.
            if whole.pieces.count > Self.mostPieces { return self }
        }
        return whole
    }

    private static let mostPieces = 256

    /// The URL with the value of the variable at its start.
    func resolved(_ values: [String: TemplateText]) -> TemplateText {
        guard case .placeholder(let name)? = pieces.first, let value = values[name] else { return completed(values) }
        return value.appending(TemplateText(Array(pieces.dropFirst()))).completed(values)
    }

    /// Whether a variable can hold the URL: without a query, and without values that have a slash.
    private func isComplete(_ values: [String: TemplateText]) -> Bool {
        !literalText.contains("?") && splitPlaceholder(values) == nil
    }

    /// A placeholder whose value has a slash. In a server, a value is one host or one segment.
    private func splitPlaceholder(_ values: [String: TemplateText]) -> String? {
        placeholders.first { values[$0]?.literalText.contains("/") ?? false }
    }

    var isURL: Bool { if case .literal(let text)? = pieces.first { text.contains("://") } else { false } }

    /// The literal text, without placeholders.
    var literalText: String {
        pieces.map { if case .literal(let text) = $0 { text } else { "" } }.joined()
    }

    /// Whether a slash before the text would be one too many.
    private var beginsPath: Bool {
        switch pieces.first {
        case nil: true
        case .literal(let text): text.hasPrefix("/")
        case .placeholder: false
        }
    }

    private var withoutSlash: TemplateText {
        guard case .literal(let text)? = pieces.last, text.hasSuffix("/") else { return self }
        return TemplateText(pieces.dropLast() + [.literal(String(text.dropLast()))])
    }

    private func appending(_ other: TemplateText) -> TemplateText { [self, other].joined(by: "") }

    /// The stand-ins for the placeholders of a server, by what comes before and after each of them.
    var standIns: [(name: String, value: String)] {
        var found: [(name: String, value: String)] = []
        var before = ""
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .literal(let text): before += text
            case .placeholder(let name):
                let next = index + 1 < pieces.count ? pieces[index + 1] : nil
                var after = ""
                if case .literal(let text)? = next { after = text }
                let value =
                    if before.isEmpty {
                        after.hasPrefix("://") ? "http" : after.hasPrefix(":") ? "http://localhost" : ServerPass.standIn
                    } else if before.hasSuffix("://") {
                        after.hasPrefix(":") ? "localhost" : after.isEmpty ? "localhost:8080" : Words.kebab(name)
                    } else if before.hasSuffix(":") {
                        "8080"
                    } else if before.hasSuffix(".") || before.hasSuffix("-") || after.hasPrefix(".") {
                        Words.kebab(name)
                    } else {
                        ""
                    }
                if !name.hasPrefix("$"), !name.contains(".") { found.append((name, value)) }
                before += "x"
            }
        }
        return found
    }
}
