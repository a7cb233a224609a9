import ReqcliBasics

/// A media type with its parameters. It is the type of a response, or a range that a description allows, such as `text/*`.
package struct MediaRange: Sendable, Equatable {
    /// The type in lowercase letters.
    package let type: String
    package let subtype: String
    /// The parameters; their names are in lowercase letters.
    let parameters: [String: String]

    /// Returns nil for a string that is not a media type.
    package init?(_ text: String) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        let names = (parts.first ?? "").split(separator: "/", omittingEmptySubsequences: false).map {
            $0.trimmingSpacesAndTabs.lowercased()
        }
        guard names.count == 2, names.allSatisfy({ !$0.isEmpty && !$0.utf8.contains(0x20) }) else { return nil }
        (type, subtype) = (names[0], names[1])
        var parameters: [String: String] = [:]
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1).map { String($0.trimmingSpacesAndTabs) }
            guard pair.count == 2 else { continue }
            let isQuoted = pair[1].utf8.count > 1 && pair[1].hasPrefix("\"") && pair[1].hasSuffix("\"")
            parameters[pair[0].lowercased()] = isQuoted ? String(pair[1].dropFirst().dropLast()) : pair[1]
        }
        self.parameters = parameters
    }

    package var isJSON: Bool { subtype == "json" || subtype.hasSuffix("+json") }

    /// Whether JSON responses could be in the range.
    package var mayBeJSON: Bool { isJSON || subtype == "*" && (type == "*" || type == "application") }

    /// Whether a response's media type is in the range. JSON is always UTF-8, whether or not its media type says so.
    package func contains(_ other: MediaRange) -> Bool {
        guard type == "*" || type == other.type, subtype == "*" || subtype == other.subtype else { return false }
        return parameters.allSatisfy { name, value in
            guard let stated = other.parameters[name] else {
                return name == "charset" && isJSON && value.lowercased() == "utf-8"
            }
            return name == "charset" ? stated.lowercased() == value.lowercased() : stated == value
        }
    }

    /// The precision of the range: if several ranges contain a media type, the most precise one is used.
    package var precision: Int { type == "*" ? 0 : subtype == "*" ? 1 : 2 + parameters.count }
}
