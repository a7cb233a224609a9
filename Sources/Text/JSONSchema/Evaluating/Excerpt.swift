import ReqcliText

extension JSONValue {
    /// The value for a message: a short value as it is written, a large value by its kind.
    var excerpt: String {
        let most = 80
        switch kind {
        case .object where range.count > most: return "an object with \(counted(count, "member"))"
        case .array where range.count > most: return "an array with \(counted(count, "item"))"
        case .string where range.count > most:
            return JSONStringText.quoted(String((string ?? "").prefix(most))) + "…"
        case .object, .array:
            return OrderedJSON(self).compact
        // YAML can write a string without double quotes, so the string is quoted here.
        case .string where !text.hasPrefix("\""): return JSONStringText.quoted(string ?? "")
        default: return range.count > most ? text.prefix(most) + "…" : text
        }
    }
}

/// A number of things, such as "1 item".
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
